// Writes the table and the plot of docs/scale.md from test/bench/scale/results.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growth, stages } from './fit.mjs';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');

export const readResults = () => JSON.parse(readFileSync(join(import.meta.dirname, 'results.json'), 'utf8'));

const digits = (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US'));
const pair = (stage) => (row) => row[stage].map(digits).join(' / ');
const megabytes = (bytes) => digits(bytes / 1e6);

/** Each stage as a line of the table: its name, and a row's cell. */
const lines = {
  ingest: ['chunks added a second', ({ chunks, ingestMs }) => digits(chunks / (ingestMs / 1000))],
  lexical: ['by words, ms (p50 / p95)', pair('lexical')],
  semantic: ['by meaning, ms (p50 / p95)', pair('semantic')],
  hybrid: ['by both, ms (p50 / p95)', pair('hybrid')],
  open: ['opened in, ms', ({ openMs }) => digits(openMs)],
  memory: ['memory, MB', ({ memoryBytes }) => megabytes(memoryBytes)],
  disk: ['on disk, MB', ({ diskBytes }) => megabytes(diskBytes)],
};

const sizeOf = ({ size }) => `${(size / 1000).toLocaleString('en-US')}k`;

/** The table of the page, a part for each format of vectors. */
export function table({ rows, note }) {
  const slopes = growth(rows);
  const parts = [...new Set(rows.map(({ vectors }) => vectors))].map((vectors) => {
    const own = rows.filter((row) => row.vectors === vectors);
    const body = Object.entries(lines).map(([stage, [what, cell]]) => {
      const slope = slopes.find((one) => one.vectors === vectors && one.stage === stage);
      const cells = own.map((row) => (row.failed === undefined ? cell(row) : row.failed));
      return `| ${[what, ...cells, slope === undefined ? '' : slope.overall.toFixed(2)].join(' | ')} |`;
    });
    return [
      `| \`${vectors}\` | ${own.map(sizeOf).join(' | ')} | growth |`,
      `|---|${'---|'.repeat(own.length + 1)}`,
      ...body,
    ].join('\n');
  });
  return [...parts, ...(note === '' ? [] : [`Measured: ${note}.`])].join('\n\n');
}

/** The table between the page's two marks. */
export const marked = /(?<=<!-- scale -->\n)[\s\S]*?(?=\n<!-- \/scale -->)/;

const [width, height, left, right, top, bottom] = [720, 380, 64, 130, 20, 48];

/** Median times of queries over the number of chunks, both axes logarithmic. */
export function plot({ rows }) {
  const measured = rows.filter(({ failed }) => failed === undefined);
  const sizes = [...new Set(measured.map(({ size }) => size))].sort((a, b) => a - b);
  const drawn = ['f32', 'int8'].flatMap((vectors) =>
    ['lexical', 'semantic', 'hybrid'].map((mode) => ({
      name: `${mode}, ${vectors}`,
      mode,
      vectors,
      points: measured.filter((row) => row.vectors === vectors).map((row) => [row.size, stages[mode](row)]),
    })),
  );
  const all = drawn.flatMap(({ points }) => points.map(([, ms]) => Math.log10(ms)));
  const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
  const [first, last] = [Math.log10(sizes[0]), Math.log10(sizes.at(-1))];
  const x = (size) =>
    (left + ((Math.log10(size) - first) / (last - first || 1)) * (width - left - right)).toFixed(1);
  const y = (ms) => height - bottom - ((Math.log10(ms) - low) / (high - low || 1)) * (height - bottom - top);
  const grid = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n)).map(
    (ms) =>
      `<path class="grid" d="M${left} ${y(ms)}H${width - right}"/><text x="${left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
  );
  const curves = drawn.map(({ points, mode, vectors }) => {
    const d = points.map(([size, ms], n) => `${n === 0 ? 'M' : 'L'}${x(size)} ${y(ms).toFixed(1)}`).join('');
    return `<path class="${mode} ${vectors}" d="${d}"/>`;
  });
  // Names of lines that end close to each other are moved apart.
  const ends = drawn
    .map(({ name, points }) => ({ name, at: y(points.at(-1)[1]) }))
    .sort((a, b) => a.at - b.at);
  for (const [n, end] of ends.entries()) end.at = Math.max(end.at, (ends[n - 1]?.at ?? -99) + 15);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Median time of a query by the number of chunks">
<style>
svg { color: #1c2024; background: #fff }
text { fill: currentColor }
path { fill: none; stroke-width: 2 }
.grid { stroke: currentColor; stroke-width: 1; opacity: 0.15 }
.int8 { stroke-dasharray: 5 4 }
.lexical { stroke: #0a7d53 }
.semantic { stroke: #b3540a }
.hybrid { stroke: #3b5bdb }
@media (prefers-color-scheme: dark) {
svg { color: #e6e8eb; background: #15181c }
.lexical { stroke: #4cc38a }
.semantic { stroke: #f5a35c }
.hybrid { stroke: #8ea6ff }
}
</style>
${grid.join('\n')}
${sizes.map((size) => `<text x="${x(size)}" y="${height - bottom + 20}" text-anchor="middle">${sizeOf({ size })}</text>`).join('\n')}
<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">chunks</text>
${curves.join('\n')}
${ends.map(({ name, at }) => `<text x="${width - right + 8}" y="${(at + 4).toFixed(1)}">${name}</text>`).join('\n')}
</svg>
`;
}

/** Puts results into the page and its plot. */
export function writeReport(results) {
  const page = join(docs, 'scale.md');
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(marked, () => table(results)),
  );
  writeFileSync(join(docs, 'scale.svg'), plot(results));
}
