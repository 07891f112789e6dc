/** What the block scan reads: anything indexed by UTF-16 code units. */
export interface Source {
  readonly length: number;
  charCodeAt(at: number): number;
}

export const isBlankCode = (code: number): boolean => code === 0x20 || code === 0x09;
