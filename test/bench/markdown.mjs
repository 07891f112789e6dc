const precise = (value) => value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);

/** A benchmark's rows as a Markdown table; columns that no row fills are left out. */
export function markdownTable(title, rows) {
  const [first] = rows;
  const unit = first.unit ?? 'ms';
  const columns = [
    ['', (row) => row.what.replaceAll('|', '\\|')],
    [unit, (row) => precise(row.ms)],
    ['lowest–highest', (row) => row.spread.map(precise).join('–')],
    [`p95, ${unit}`, (row) => (row.p95 === undefined ? '' : precise(row.p95))],
    ['MB/s', (row) => (row.bytes === undefined ? '' : (row.bytes / 1e3 / row.ms).toFixed(0))],
    ['× the first', (row) => (first.ms / row.ms).toFixed(2)],
    ['', (row) => row.note ?? ''],
  ].filter(([, cell]) => rows.some((row) => cell(row) !== ''));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `**${title}**`,
    '',
    line(columns.map(([name]) => name)),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join('\n');
}
