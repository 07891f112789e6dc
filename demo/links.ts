import { kindNames, type SplitSettings } from './split-settings.ts';

/** What an address says of the page: the document shown, how it is cut, how many passages are shown, a question. */
export interface Shared {
  uri?: string | undefined;
  split?: Partial<SplitSettings>;
  topK?: number | undefined;
  question?: string | undefined;
}

const numberOf = (given: string | null, least: number, most: number): number | undefined => {
  const value = given === null || given === '' ? Number.NaN : Number(given);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
};

/** Reads the part of an address behind its `#`, which never leaves the browser; what makes no sense is left out. */
export function readShared(hash: string): Shared {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const kind = given.get('cut');
  const maxChars = numberOf(given.get('max'), 50, 100_000);
  const overlap = numberOf(given.get('overlap'), 0, 50_000);
  const separator = given.get('between');
  return {
    uri: given.get('doc')?.slice(0, 400) || undefined,
    split: {
      ...(kind !== null && Object.hasOwn(kindNames, kind) && { kind: kind as SplitSettings['kind'] }),
      ...(maxChars !== undefined && { maxChars }),
      ...(overlap !== undefined && { overlap }),
      ...(separator !== null && separator !== '' && { separator: separator.slice(0, 100) }),
      ...(given.has('header') && { header: given.get('header') === '1' }),
    },
    topK: numberOf(given.get('passages'), 1, 50),
    question: given.get('q')?.slice(0, 1000) || undefined,
  };
}

/** The address of these settings; without a document it says how many passages are shown and no more. */
export function sharedLink({ uri, split, topK, question }: Shared): string {
  const said = new URLSearchParams();
  if (uri !== undefined) said.set('doc', uri);
  if (uri !== undefined && split?.kind !== undefined) {
    said.set('cut', split.kind);
    if (split.maxChars !== undefined) said.set('max', String(split.maxChars));
    if (split.overlap !== undefined) said.set('overlap', String(split.overlap));
    if (split.kind === 'record' && split.separator !== undefined) said.set('between', split.separator);
    if (split.header !== undefined) said.set('header', split.header ? '1' : '0');
  }
  if (topK !== undefined) said.set('passages', String(topK));
  if (question) said.set('q', question);
  return `#${said}`;
}
