// The index module: words and vectors of one index. Numbers in, numbers out.
export { alloc, exhausted, heapBytes, release } from './heap';
export { termCount } from './terms';
export { beginDocument, compact, docCount, docOf, endDocument, liveDocs, liveTokens, removeRow } from './postings';
export { pack, packedBytes, packedRoom, unpack } from './packed';
export { rangeTable, tables } from './characters';
export { countTokens, listTokens, setAnalyzer } from './tokens';
export { beginQuery, documentFrequency, scoreOf, scoreTerm, selectScored } from './bm25';
export { affixed, similar } from './expand';
export {
  bytesAt, createVectors, dropVector, floatsAt, hasVector, liveRows, nearest, peakAt, queryAt, scoreRow, sealRow,
  segmentBytes,
} from './vectors';
export { topRows, topScores } from './topk';

/** Raised whenever the meaning of an export changes; the host refuses another one. */
export const ABI_VERSION: i32 = 2;
