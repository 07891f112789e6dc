export interface SizedApp {
  what: string;
  code: string;
  /** In kB of 1,000 bytes. */
  limit: number;
  goal?: number;
}
export const apps: readonly SizedApp[];
export const sizeTable: (
  measured: ReadonlyMap<string, { atOnce: number; later: number | undefined }>,
) => string;
export const markedTable: RegExp;
