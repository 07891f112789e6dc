import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../errors.ts';
import { UsageError } from './terminal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/**
 * Reads a command's options and its arguments, as many as it names.
 *
 * @throws UsageError for an option that is unknown, given twice where one is wanted, or without its value, and for too few or many arguments
 */
export function readOptions<const T extends Options>(
  args: readonly string[],
  names: readonly string[],
  options: T,
): { values: Parsed<T>['values']; positionals: string[] } {
  let parsed: Parsed<T> & { tokens?: { kind: string; name?: string }[] };
  try {
    parsed = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    }) as never;
  } catch (error) {
    // Node's second sentence is about options that begin like arguments.
    throw new UsageError(
      `${messageOf(error)
        .split(/\. |\n/)[0]!
        .replace(/\.$/, '')}.`,
    );
  }
  const seen = new Set<string>();
  for (const { kind, name } of parsed.tokens ?? []) {
    if (kind !== 'option') continue;
    if (seen.has(name!) && options[name!]?.multiple !== true)
      throw new UsageError(`Option '--${name}' is given twice.`);
    seen.add(name!);
  }
  const { positionals } = parsed;
  if (positionals.length < names.length) {
    throw new UsageError(`Missing argument: ${names[positionals.length]}.`);
  }
  if (positionals.length > names.length) {
    throw new UsageError(`Unexpected argument '${positionals[names.length]}'.`);
  }
  return { values: parsed.values, positionals };
}

/** One of a few words. */
export function choice<T extends string>(option: string, value: string, accepted: readonly T[]): T {
  if ((accepted as readonly string[]).includes(value)) return value as T;
  throw new UsageError(`${option} is '${value}'; give ${accepted.join(', ')}.`);
}

/** A whole number, written in digits. */
export function count(option: string, value: string, least: number, most: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} is '${value}'; give a whole number from ${least} to ${most}.`);
}
