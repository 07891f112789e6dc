/** Pictures embedded as text (`data:…;base64,…`): nobody asks for them, and they would fill the index. */

export type Range = readonly [start: number, end: number];

const shortest = 2000;
const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 47 && code <= 57) ||
  code === 43 ||
  code === 61;

/** The bodies of long base64 data addresses, in order. */
export function blobRanges(text: string): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(';base64,'); at >= 0; at = text.indexOf(';base64,', at)) {
    const start = at + ';base64,'.length;
    let end = start;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    if (end - start >= shortest) ranges.push([start, end]);
    at = end;
  }
  return ranges;
}

/** The pieces that say something: those wholly inside a blob are left out. */
export function withoutBlobs<T extends { charStart: number; charEnd: number }>(
  text: string,
  pieces: readonly T[],
): readonly T[] {
  const blobs = blobRanges(text);
  if (blobs.length === 0) return pieces;
  return pieces.filter((piece) => {
    const blob = blobs.find(([, end]) => end > piece.charStart);
    return blob === undefined || piece.charStart < blob[0] || piece.charEnd > blob[1] + 2;
  });
}
