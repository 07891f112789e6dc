import { isBlankCode } from '../kernel/lines.ts';
import { afterSpace, beforeSpace, lastBreak } from './breaks.ts';
import type { Ruler, Sizes } from './ruler.ts';
import { Heading, Lines, Section, UNIT_WORDS, type Units, Whole } from './units.ts';

/** A piece without its overlap. */
export interface Cut {
  start: number;
  end: number;
  /** The unit it starts in. */
  unit: number;
  /** The heading unit it starts under, -1 before the first. */
  section: number;
  /** Units it holds a part of. */
  parts: readonly number[];
}

/** A piece in the making. Headings are measured, but neither fill it up to the floor nor over the limit. */
interface Draft extends Cut {
  /** The last section it holds some of. */
  last: number;
  /** Where its body begins; -1 where there are headings alone. */
  body: number;
  /** What its body holds of sections before the one being packed, towards the floor. */
  weight: number;
  /** Where the body of the section being packed begins; -1 where it holds none. */
  own: number;
  /** Length of the headings between the two ends of its body. */
  inner: number;
  /** The same, of the section being packed alone. */
  ownInner: number;
  parts: number[];
}

/**
 * Packs units into pieces, section by section. What a section's sentences say here holds for a text without headings
 * too, which is one section.
 *
 * A section that fits is whole; one under the floor waits for the next one to join it. A longer one is filled up unit by
 * unit, and headings go with the unit behind them. Where a unit doesn't fit, a piece under the floor takes it all the
 * same, up to the limit and the floor together; else it ends there, or before a block of an outer list or quote in
 * its second half. A unit over the limit is cut.
 */
export function pack(text: string, { words, count }: Units, sizes: Sizes, ruler: Ruler): Cut[] {
  const { max, min } = sizes;
  const { measure, fits, reach } = ruler;
  const drafts: Draft[] = [];
  let open: Draft | undefined;
  let section = -1;

  const start = (unit: number): number => words[unit]!;
  const end = (unit: number): number => words[unit + 1]!;
  const role = (unit: number): number => words[unit + 2]!;
  const isHeading = (unit: number): boolean => role(unit) <= Heading;

  const draft = (unit: number, at: number): Draft => ({
    start: at,
    end: at,
    unit,
    section,
    last: section,
    body: -1,
    weight: 0,
    own: -1,
    inner: 0,
    ownInner: 0,
    parts: [],
  });

  const weigh = (piece: Draft, to: number): number =>
    piece.weight + (piece.own < 0 ? 0 : measure(piece.own, to) - piece.ownInner);

  /** What a body may measure that takes more because it is under the floor, with the headings in it. */
  const most = (piece: Draft): number => max + min + piece.inner;

  /** Adds text from `at` to `to`, and the headings right before it. */
  const take = (piece: Draft, at: number, to: number, headings: number): void => {
    const from = behindIndent(text, at);
    if (piece.body < 0) piece.body = from;
    else piece.inner += headings;
    if (piece.own < 0) piece.own = from;
    else piece.ownInner += headings;
    piece.end = to;
    piece.last = section;
  };

  const headingsBetween = (from: number, to: number): number => {
    let sum = 0;
    for (let unit = from; unit < to; unit += UNIT_WORDS) {
      if (isHeading(unit)) sum += measure(start(unit), end(unit));
    }
    return sum;
  };

  /** Lengthens the last piece by this one, if together they are short enough. */
  const fold = (piece: Draft): boolean => {
    const before = drafts.at(-1);
    if (before === undefined) return false;
    const inner = before.inner + piece.inner + headingsBetween(piece.unit, nextBody(piece));
    if (piece.body >= 0 && !fits(before.body, piece.end, max + min + inner)) return false;
    before.end = piece.end;
    before.inner = inner;
    before.last = piece.last;
    before.parts.push(...piece.parts);
    return true;
  };

  /** The first unit of a piece that is no heading, or its own first unit. */
  const nextBody = ({ unit, body }: Draft): number => {
    let at = unit;
    while (at < count * UNIT_WORDS && isHeading(at) && (body < 0 || start(at) < body)) at += UNIT_WORDS;
    return at;
  };

  const close = (piece: Draft): void => {
    open = undefined;
    const isTail = weigh(piece, piece.end) < min && drafts.at(-1)?.last === section;
    if (!isTail || !fold(piece)) drafts.push(piece);
  };

  /** Ends the open piece before a unit that doesn't fit, or at a better place; answers the unit that comes next. */
  const closeBefore = (piece: Draft, unit: number, from: number): number => {
    let best = unit;
    const half = piece.body + (piece.end - piece.body) / 2;
    for (let at = unit - UNIT_WORDS; at > from && at > piece.unit && start(at) > half; at -= UNIT_WORDS) {
      const better = words[at + 3]! < words[best + 3]! && !isHeading(at - UNIT_WORDS);
      if (better && weigh(piece, end(at - UNIT_WORDS)) >= min) best = at;
    }
    if (best < unit) {
      const headings = headingsBetween(best, unit);
      piece.inner -= headings;
      piece.ownInner -= headings;
      piece.end = end(best - UNIT_WORDS);
    }
    close(piece);
    return best;
  };

  /** True where a unit is short enough not to be cut. Marks of containers before a fence or table don't count. */
  const staysWhole = (unit: number): boolean => {
    if (fits(start(unit), end(unit), max)) return true;
    if (role(unit) !== Whole) return false;
    marks.lastIndex = start(unit);
    return fits(start(unit) + marks.exec(text)![0].length, end(unit), max);
  };

  /** Cuts a unit over the limit, `leading` being the first of the headings before it. What its last cut leaves is open for more. */
  const cutUnit = (unit: number, leading: number): void => {
    let lead = leading;
    let headings = headingsBetween(lead, unit);
    const to = end(unit);
    const byLine = role(unit) >= Lines;
    for (let at = start(unit); at < to; ) {
      const far = reach(at, to, max);
      const first = afterSpace(text, at, to);
      let limit = far;
      if (open !== undefined) {
        // Filled up if it takes half a piece and more; a piece under the floor may grow as any other may.
        const half = at + (far - at) / 2;
        limit = reach(open.start, to, max);
        if (limit < (far < to ? half : to)) {
          limit = open.body < 0 ? far : Math.min(far, reach(open.body, to, most(open) + headings));
        }
        const isLight = open.body >= 0 && weigh(open, open.end) < min;
        if (limit < (far < to ? half : to) && !(isLight && limit > first)) {
          close(open);
          if (lead < unit) open = draft(lead, start(lead));
          continue;
        }
      }
      const cut = limit >= to ? to : cutBefore(text, at, limit, byLine);
      if (first > at && cut < first + (limit - at) / 2) {
        // Indentation that would leave little room for its line.
        at = first;
        continue;
      }
      open ??= draft(unit, at);
      take(open, at, beforeSpace(text, at, cut), headings);
      if (open.parts.at(-1) !== unit) open.parts.push(unit);
      lead = unit;
      headings = 0;
      if (cut < to && weigh(open, open.end) >= min) close(open);
      at = lineStart(text, cut, to);
    }
  };

  /** Fills pieces with the units of a section that doesn't fit. */
  const packLong = (from: number, to: number): void => {
    for (let at = from; at < to; ) {
      let unit = at;
      while (unit < to && isHeading(unit)) unit += UNIT_WORDS;
      if (unit === to) {
        // Headings that nothing follows wait for the next section.
        if (open !== undefined) close(open);
        open = draft(at, start(at));
        open.end = end(to - UNIT_WORDS);
        return;
      }
      const headings = at < unit ? headingsBetween(at, unit) : 0;
      const joins = open !== undefined && fits(open.start, end(unit), max);
      const whole = joins || staysWhole(unit);
      if (open === undefined) {
        if (whole || at < unit) open = draft(at, start(at));
      } else if (!joins && open.body >= 0) {
        const enough = weigh(open, open.end) >= min;
        if (enough || (whole && !fits(open.body, end(unit), most(open) + headings))) {
          at = closeBefore(open, at, from);
          continue;
        }
      }
      if (whole) take(open!, start(unit), end(unit), headings);
      else cutUnit(unit, at);
      at = unit + UNIT_WORDS;
    }
    if (open !== undefined && open.body >= 0) close(open);
  };

  /** Packs the section of the units from `from` to `to`. */
  const packSection = (from: number, to: number): void => {
    let first = from;
    while (first < to && isHeading(first)) first += UNIT_WORDS;
    let last = to - UNIT_WORDS;
    while (last > first && isHeading(last)) last -= UNIT_WORDS;
    const isBare = first === to;
    const lead = headingsBetween(from, first);
    const inner = headingsBetween(first, last);
    const weight = isBare ? 0 : measure(behindIndent(text, start(first)), end(last)) - inner;
    const isShort = isBare || weight < min;
    if (!isShort && !fits(start(from), end(to - UNIT_WORDS), max)) {
      packLong(from, to);
      return;
    }
    if (open !== undefined && open.body >= 0 && !isBare) {
      if (!fits(open.body, end(last), most(open) + lead + inner)) close(open);
    }
    if (open === undefined) open = draft(from, start(from));
    else if (open.body >= 0) open.inner += lead;
    if (open.body < 0 && !isBare) open.body = behindIndent(text, start(first));
    open.inner += inner + headingsBetween(last, to);
    open.weight += weight;
    open.end = end(to - UNIT_WORDS);
    open.last = section;
    if (open.body >= 0 && open.weight >= min) close(open);
  };

  for (let from = 0; from < count * UNIT_WORDS; ) {
    section = role(from) === Section ? from : -1;
    let to = from + UNIT_WORDS;
    while (to < count * UNIT_WORDS && role(to) !== Section) to += UNIT_WORDS;
    packSection(from, to);
    from = to;
  }
  if (open !== undefined && !fold(open) && open.body >= 0) drafts.push(open);
  return drafts;
}

/** What may stand before the first character of a fence or table: marks on its line, an item's on the one before. */
const marks = /(?:[ \t>\r\n]|[-+*](?=\s)|\d{1,9}[.)](?=\s))*/y;

/** Indentation is kept and not counted. */
export function behindIndent(text: string, start: number): number {
  let at = start;
  while (isBlankCode(text.charCodeAt(at))) at++;
  return at;
}

/** Where to cut in (at, limit]: behind the last line that ends there, else where running text is cut. */
function cutBefore(text: string, at: number, limit: number, byLine: boolean): number {
  if (byLine) {
    for (let end = limit; end > at; end--) {
      const code = text.charCodeAt(end - 1);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(end) !== 0x0a)) return end;
    }
  }
  return lastBreak(text, at, limit, byLine);
}

/** Where the next piece starts: behind white space, but with the indentation of its line. */
function lineStart(text: string, cut: number, to: number): number {
  const first = afterSpace(text, cut, to);
  let at = first;
  while (at > cut && isBlankCode(text.charCodeAt(at - 1))) at--;
  const before = text.charCodeAt(at - 1);
  return before === 0x0a || before === 0x0d ? at : first;
}
