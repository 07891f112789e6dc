import { invalidOption, show } from '../errors.ts';
import { minCharsFor, oneOf } from '../options.ts';
import { type Length, lengthOption } from './length.ts';
import type { Sizes } from './ruler.ts';

/**
 * `'agentfootprint'` follows that package's code to the letter, its oddities included. The default keeps its rules and
 * mends what a user would call wrong.
 */
export type Compat = 'agentfootprint';

/** A whole number from `low` on, or `Infinity` for no limit; else `INVALID_OPTION`. */
export function sizeOption(option: string, value: unknown, low: number): number {
  if (value === Number.POSITIVE_INFINITY) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= low) return value;
  throw invalidOption(option, value, `a whole number, ${low} or more, or Infinity`);
}

/** The one known value or none, or `INVALID_OPTION`. */
export const compatOption = (value: unknown): Compat | undefined =>
  value === undefined ? undefined : oneOf<Compat>('compat', value, ['agentfootprint']);

/** Refuses options that the reference doesn't have, where it is followed to the letter. */
export function onlyWithoutCompat(options: Readonly<Record<string, unknown>>): void {
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    throw invalidOption(option, value, "it without compat: 'agentfootprint', which doesn't know it");
  }
}

/** Sizes as `byHeading` and `byParagraph` share them, in UTF-16 code units. */
export interface PieceSizes {
  maxChars: number;
  overlapChars: number;
  minChars: number;
}

interface GivenSizes {
  maxChars?: unknown;
  overlapChars?: unknown;
  minChars?: unknown;
}

/**
 * Checks the three sizes as the reference takes them. An overlap may reach past `maxChars`, since pieces never reach
 * back further than one piece anyway; a floor must stay below it and may be a fraction.
 */
export function pieceSizes(
  given: GivenSizes,
  defaults: { maxChars: number; overlapChars: number },
): PieceSizes {
  const { maxChars = defaults.maxChars, overlapChars = defaults.overlapChars, minChars } = given;
  if (typeof minChars === 'number' && typeof maxChars === 'number' && minChars >= maxChars) {
    throw invalidOption(
      'minChars',
      minChars,
      `a number from 0 to below maxChars, which is ${show(maxChars)}`,
    );
  }
  const limit = sizeOption('maxChars', maxChars, 1);
  return {
    maxChars: limit,
    overlapChars: sizeOption('overlapChars', overlapChars, 0),
    minChars: minChars === undefined ? minCharsFor(limit) : floorOption(minChars),
  };
}

function floorOption(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw invalidOption('minChars', value, 'a finite number from 0 to below maxChars');
}

/**
 * How far pieces reach back where nothing is said: as far as by default, but never over half of a piece. What is
 * given must stay below the size.
 */
export function overlapOption(value: unknown, standard: number, sizeName: string, size: number): number {
  if (value === undefined) return Math.min(standard, Math.floor(size / 2));
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < size) return value;
  throw invalidOption(
    'overlapChars',
    value,
    `a whole number from 0 to below ${sizeName}, which is ${show(size)}`,
  );
}

/** The sizes of the default cuts, checked. */
export function cutSizes(
  given: GivenSizes & { length?: unknown },
  defaults: { maxChars: number; overlapChars: number },
): Sizes {
  const { overlapChars, length } = given;
  const { maxChars, minChars } = pieceSizes({ ...given, overlapChars: 0 }, defaults);
  return {
    max: maxChars,
    min: minChars,
    overlap: overlapOption(overlapChars, defaults.overlapChars, 'maxChars', maxChars),
    length: lengthOption(length),
  };
}

export type { Length };
