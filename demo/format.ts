const whole = new Intl.NumberFormat('en');

export const count = (value: number): string => whole.format(value);

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Milliseconds as one reads them: 0.4 ms, 12 ms, 3.1 s. */
export function ms(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

export function bytes(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e4 ? 1 : 0)} kB`;
  return `${(value / 1e6).toFixed(1)} MB`;
}

/** Half-open offsets as they stand in a citation. */
export const span = (start: number, end: number): string => `${count(start)}–${count(end)}`;

/** An error as one sentence, with its code for those who look it up. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message}${code}`;
}
