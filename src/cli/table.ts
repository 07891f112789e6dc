/** A heading and a line of values, each under its own. */
export function table(columns: Readonly<Record<string, string>>): string[] {
  const widths = Object.entries(columns).map(([name, value]) => Math.max(name.length, value.length));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => cell.padStart(widths[at]!)).join('   ');
  return [line(Object.keys(columns)), line(Object.values(columns))];
}

/** A whole number with a comma every three digits. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** Milliseconds as people say them. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
