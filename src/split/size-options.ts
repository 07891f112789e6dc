import { invalidOption, show } from '../errors.ts';
import { minCharsFor, oneOf } from '../options.ts';

/**
 * `'agentfootprint'` follows that package's code to the letter, its oddities included. Without it the cut is the
 * same for now under another id, so that the default may mend those oddities without renaming kept chunks.
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

/** Sizes as `byHeading` and `byParagraph` share them, in UTF-16 code units. */
export interface PieceSizes {
  maxChars: number;
  overlapChars: number;
  minChars: number;
}

/**
 * Checks the three sizes. An overlap may reach past `maxChars`, since pieces never reach back further than one
 * piece anyway; a floor must stay below it and may be a fraction.
 */
export function pieceSizes(
  given: { maxChars?: unknown; overlapChars?: unknown; minChars?: unknown },
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
