/** Counts what splitters do to the structure of Markdown, over all of the corpus. */
import { maxChars, parse } from '../bench/splitters.ts';
import { type Arm, allArms } from './arms.ts';
import { readFolder } from './headings.ts';
import { type LocatedPiece, locate } from './locate.ts';
import { linesOf, type TrueHeading, trueHeadings } from './markdown.ts';
import { table } from './metrics.ts';

interface Span {
  start: number;
  end: number;
}

interface Truth {
  text: string;
  headings: TrueHeading[];
  /** Those that a piece could hold whole. */
  fences: Span[];
  tables: Span[];
  /** Set for each UTF-16 code unit that must be in some piece. */
  matters: Uint8Array;
}

const isBlank = /\s/;

function truthOf(text: string): Truth {
  const headings = trueHeadings(text);
  const root = parse(text);
  const fits = ({ start, end }: Span) => end - start <= maxChars;
  // Indented code has no fence to begin with.
  const fence = /^(?:`{3,}|~{3,})/;
  const fences = linesOf(
    text,
    root,
    (node) =>
      node.type === 'code' && fence.test(text.slice(node.position!.start.offset!).replace(/^\ufeff/, '')),
  ).filter(fits);
  const tables = linesOf(text, root, ({ type }) => type === 'table').filter(fits);
  const matters = new Uint8Array(text.length);
  const isBare = headings.every(({ end }, at) => text.slice(end, headings[at + 1]?.offset).trim() === '');
  // A document of headings alone may give nothing, and hash marks may be left out, since they say nothing.
  const isOpen = headings.length > 0 && isBare && text.slice(0, headings[0]!.offset).trim() === '';
  if (!isOpen) for (let at = 0; at < text.length; at++) matters[at] = isBlank.test(text[at]!) ? 0 : 1;
  for (const { offset, end } of headings) {
    const marks = /^#+|#+[ \t]*$|[ \t]*\n[ \t]*[=-]+[ \t]*$/g;
    for (const { index, 0: mark } of text.slice(offset, end).matchAll(marks)) {
      matters.fill(0, offset + index, offset + index + mark.length);
    }
  }
  return { text, headings, fences, tables, matters };
}

interface Counts {
  pieces: number;
  longest: number;
  /** Pieces whose claimed place is not theirs, and whether any place is claimed. */
  misplaced: number;
  claims: boolean;
  foreign: number;
  lost: number;
  fences: number;
  tables: number;
  invented: number;
  missed: number;
  paths: number;
  reports: boolean;
}

const plain = (title: string): string =>
  title
    .replace(/[ \t]+#+[ \t]*$/, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether the claimed place is the piece's; undefined where none is claimed. */
function isPlaced(
  text: string,
  piece: LocatedPiece,
  previous: LocatedPiece | undefined,
): boolean | undefined {
  if (piece.lines !== undefined) {
    const [from, to] = piece.lines;
    return text
      .split('\n')
      .slice(from - 1, to)
      .join('\n')
      .includes(piece.text);
  }
  if (piece.start === undefined) return undefined;
  return text.slice(piece.start, piece.end) === piece.text && piece.start > (previous?.start ?? -1);
}

function lostChars({ text, matters }: Truth, pieces: readonly LocatedPiece[]): number {
  const left = matters.slice();
  let cursor = 0;
  for (const { at, text: piece } of pieces) {
    if (at !== undefined) {
      left.fill(0, at.from, at.to);
      cursor = at.to;
      continue;
    }
    // Its text was changed: what of it is the source's, word by word.
    for (const word of piece.match(/\S+/g) ?? []) {
      const from = text.indexOf(word, cursor);
      if (from < 0 || from > cursor + 2 * maxChars) continue;
      left.fill(0, from, from + word.length);
      cursor = from + word.length;
    }
  }
  return left.reduce((sum, one) => sum + one, 0);
}

const isWhole = ({ text }: Truth, { start, end }: Span, pieces: readonly LocatedPiece[]): boolean => {
  const source = text.slice(start, end).trimStart();
  return pieces.some(({ text: piece }) => piece.includes(source));
};

/** Headings read, from pieces of one section each where the splitter can be set to that. */
function headingCounts(truth: Truth, arm: Arm, pieces: readonly LocatedPiece[]) {
  const { text, headings } = truth;
  const titles = new Set(headings.map(({ title }) => plain(title)));
  const offsets = new Set(headings.map(({ offset }) => offset));
  const reported = new Set<string>();
  const invented = new Set<string>();
  const starts = new Set<number>();
  let paths = 0;
  for (const { at, path, heading, text: piece } of pieces) {
    for (const title of path ?? (heading === undefined ? [] : [heading])) {
      if (!titles.has(plain(title))) invented.add(plain(title));
    }
    const last = path?.at(-1) ?? heading;
    if (last !== undefined) reported.add(plain(last));
    if (at === undefined) continue;
    const from = at.from + piece.length - piece.trimStart().length;
    starts.add(from);
    if (arm.cutsAt?.test(piece) && !offsets.has(from)) invented.add(`${from}`);
    if (path === undefined && heading === undefined) continue;
    if (!leading(truth, from).some((one) => isUnder(one, path, heading))) paths++;
  }
  const missed = headings.filter(({ offset, end, title }, at) => {
    if (text.slice(end, headings[at + 1]?.offset).trim() === '') return false;
    if (reported.has(plain(title)) || starts.has(offset)) return false;
    // Or a piece begins at headings without a body that it follows.
    for (let before = at - 1; before >= 0; before--) {
      if (text.slice(headings[before]!.end, headings[before + 1]!.offset).trim() !== '') return true;
      if (starts.has(headings[before]!.offset)) return false;
    }
    return true;
  });
  return { invented: invented.size, missed: missed.length, paths };
}

/** The heading that stands over a place and, where headings without a body begin there, those that follow them. */
function leading({ text, headings }: Truth, from: number): (TrueHeading | undefined)[] {
  let at = headings.filter(({ offset }) => offset <= from).length - 1;
  const found = [headings[at]];
  while (at >= 0 && from < headings[at]!.end && at + 1 < headings.length) {
    if (text.slice(headings[at]!.end, headings[at + 1]!.offset).trim() !== '') break;
    at++;
    found.push(headings[at]);
    from = headings[at]!.offset;
  }
  return found;
}

const isUnder = (
  one: TrueHeading | undefined,
  path: readonly string[] | undefined,
  heading: string | undefined,
): boolean =>
  path === undefined
    ? plain(one?.title ?? '') === plain(heading ?? '')
    : path.map(plain).join('\n') === (one?.path ?? []).map(plain).join('\n');

async function count(arm: Arm, truths: readonly Truth[]): Promise<Counts> {
  const counts: Counts = {
    pieces: 0,
    longest: 0,
    misplaced: 0,
    claims: false,
    foreign: 0,
    lost: 0,
    fences: 0,
    tables: 0,
    invented: 0,
    missed: 0,
    paths: 0,
    reports: false,
  };
  for (const truth of truths) {
    const pieces = locate(truth.text, await arm.pieces(truth.text), arm.overlap);
    counts.pieces += pieces.length;
    for (const [at, piece] of pieces.entries()) {
      counts.longest = Math.max(counts.longest, piece.text.length);
      const placed = isPlaced(truth.text, piece, pieces[at - 1]);
      if (placed !== undefined) counts.claims = true;
      if (placed === false) counts.misplaced++;
      if (piece.at === undefined) counts.foreign++;
      if (piece.path !== undefined || piece.heading !== undefined) counts.reports = true;
    }
    counts.lost += lostChars(truth, pieces);
    counts.fences += truth.fences.filter((span) => !isWhole(truth, span, pieces)).length;
    counts.tables += truth.tables.filter((span) => !isWhole(truth, span, pieces)).length;
    const sections =
      arm.sections === undefined ? pieces : locate(truth.text, await arm.sections(truth.text), 0);
    const { invented, missed, paths } = headingCounts(truth, arm, sections);
    counts.invented += invented;
    counts.missed += missed;
    counts.paths += paths;
  }
  return counts;
}

export async function reportStructure(named: (name: string) => boolean): Promise<void> {
  const documents = readFolder('').filter(({ uri }) => uri.includes('/'));
  const truths = documents.map(({ text }) => truthOf(String(text)));
  const sum = (of: (truth: Truth) => number): number => truths.reduce((total, truth) => total + of(truth), 0);
  const head = [
    'counts',
    'pieces',
    'longest',
    'misplaced',
    'not in the source',
    'characters lost',
    'fences cut',
    'tables cut',
    'headings invented',
    'headings missed',
    'paths wrong',
  ];
  const rows: (string | number)[][] = [];
  for (const arm of await allArms()) {
    if (!named(arm.name)) continue;
    const found = await count(arm, truths);
    const { pieces, longest, claims, misplaced, foreign, lost, fences, tables, missed, paths, reports } =
      found;
    const invented = reports || arm.cutsAt ? found.invented : '–';
    const placed = claims ? misplaced : '–';
    rows.push([
      arm.name,
      pieces,
      longest,
      placed,
      foreign,
      lost,
      fences,
      tables,
      invented,
      missed,
      reports ? paths : '–',
    ]);
  }
  const total = [
    `${truths.length} documents`,
    `${sum(({ headings }) => headings.length)} headings`,
    `${sum(({ fences }) => fences.length)} fences and ${sum(({ tables }) => tables.length)} tables of up to ${maxChars} characters`,
  ].join(', ');
  console.log(`\nStructure: ${total}\n\n${table(head, rows)}`);
}
