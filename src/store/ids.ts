/** Where the `#<digits>` at the very end of an id starts, or -1. */
function suffixAt(id: string): number {
  const hash = id.lastIndexOf('#');
  return hash >= 0 && /^[0-9]+$/.test(id.slice(hash + 1)) ? hash : -1;
}

/** The document a record belongs to: its id without the last `#<n>`, or the whole id where it has none. */
export function documentIdOf(recordId: string): string {
  const hash = suffixAt(recordId);
  return hash < 0 ? recordId : recordId.slice(0, hash);
}

/** The `n` of a record's last `#<n>`, or 0. */
export function chunkIndexOf(recordId: string): number {
  const hash = suffixAt(recordId);
  return hash < 0 ? 0 : Number(recordId.slice(hash + 1));
}
