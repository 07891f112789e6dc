// Writes the table and the plot of docs/scale.md from test/bench/scale/results.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growth, stages } from './growth.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const file = join(import.meta.dirname, 'results.json');

export const readResults = () => JSON.parse(readFileSync(file, 'utf8'));
export const writeResults = (results) => writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);

const digits = (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US'));
const shown = (value) => [value].flat().map(digits).join(' / ');
const sizeOf = ({ chunks }) => `${Math.round(chunks / 1000)}k`;

export function table({ machine, measured }) {
  const formats = [...new Set(measured.map(({ vectors }) => vectors))];
  const parts = formats.map((format) => {
    const own = measured.filter(({ vectors }) => vectors === format);
    const grown = growth(own);
    return [
      `| \`${format}\` | ${own.map(sizeOf).join(' | ')} | grows as |`,
      `|---|${own.map(() => '---|').join('')}---|`,
      ...stages.map(({ what, unit, of }, at) => {
        const { exponent } = grown[at];
        const cells = own.map((one) => shown(of(one))).join(' | ');
        return `| ${what}, ${unit} | ${cells} | ${exponent === undefined ? '' : `n^${exponent.toFixed(2)}`} |`;
      }),
    ].join('\n');
  });
  return `${machine}\n\n${parts.join('\n\n')}`;
}

const marked = /(?<=<!-- scale -->\n)[\s\S]*?(?=\n<!-- \/scale -->)/;
export const inPage = (page, results) => page.replace(marked, () => table(results));

/** Query times over the number of chunks, both axes logarithmic. */
export function plot({ measured }) {
  const [width, height, left, bottom] = [720, 400, 64, 48];
  const sizes = [...new Set(measured.map(({ chunks }) => chunks))].sort((a, b) => a - b);
  const lines = ['f32', 'int8'].flatMap((format) =>
    ['lexical', 'semantic', 'hybrid'].map((mode) => ({
      name: `${mode}, ${format}`,
      mode,
      dashed: format === 'int8',
      points: measured.filter(({ vectors }) => vectors === format).map((one) => [one.chunks, one[mode][0]]),
    })),
  );
  const all = lines.flatMap(({ points }) => points.map(([, ms]) => ms));
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const [first, last] = [Math.log10(sizes[0]), Math.log10(sizes.at(-1))];
  const x = (chunks) => left + ((Math.log10(chunks) - first) / (last - first || 1)) * (width - left - 150);
  const y = (ms) => height - bottom - ((Math.log10(ms) - low) / (high - low || 1)) * (height - bottom - 24);
  const at = (value) => value.toFixed(1);
  const grid = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
  const path = (points) =>
    points.map(([chunks, ms], n) => `${n === 0 ? 'M' : 'L'}${at(x(chunks))} ${at(y(ms))}`).join('');
  // Labels of lines that end close to each other are moved apart.
  const ends = lines
    .filter(({ points }) => points.length > 0)
    .map((line) => ({ ...line, y: y(line.points.at(-1)[1]), x: x(line.points.at(-1)[0]) }))
    .sort((a, b) => a.y - b.y);
  for (const [n, end] of ends.entries()) end.label = Math.max(end.y, (ends[n - 1]?.label ?? -99) + 15);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Median time of a query in milliseconds by the number of chunks">
<style>
svg { color: #1c2024; background: #fff }
.grid { stroke: currentColor; opacity: .15 }
text { fill: currentColor }
path { fill: none; stroke-width: 2 }
.lexical { stroke: #0a7d53 } .semantic { stroke: #b3540a } .hybrid { stroke: #3b5bdb }
@media (prefers-color-scheme: dark) { svg { color: #e6e8eb; background: #15181c } .lexical { stroke: #4cc38a } .semantic { stroke: #f5a35c } .hybrid { stroke: #8ea6ff } }
</style>
${grid.map((ms) => `<line class="grid" x1="${left}" x2="${width - 150}" y1="${at(y(ms))}" y2="${at(y(ms))}"/><text x="${left - 8}" y="${at(y(ms) + 4)}" text-anchor="end">${ms} ms</text>`).join('\n')}
${sizes.map((chunks) => `<text x="${at(x(chunks))}" y="${height - bottom + 20}" text-anchor="middle">${sizeOf({ chunks })}</text>`).join('\n')}
<text x="${at((left + width - 150) / 2)}" y="${height - 8}" text-anchor="middle">chunks</text>
${lines.map(({ points, mode, dashed }) => `<path class="${mode}"${dashed ? ' stroke-dasharray="5 4"' : ''} d="${path(points)}"/>`).join('\n')}
${ends.map(({ name, x: from, label }) => `<text x="${at(from + 8)}" y="${at(label + 4)}">${name}</text>`).join('\n')}
</svg>
`;
}

export function writeReport(results) {
  const page = join(root, 'docs', 'scale.md');
  writeFileSync(page, inPage(readFileSync(page, 'utf8'), results));
  writeFileSync(join(root, 'docs', 'scale.svg'), plot(results));
}
