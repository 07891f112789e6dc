/** Every code a `ShelfmarkError` can carry. They survive the worker boundary. */
export type ErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_DOCUMENT'
  | 'EMPTY_DOCUMENT'
  | 'OFFSET_MISMATCH'
  | 'EMBEDDER_FAILED'
  | 'EMBEDDER_MISMATCH'
  | 'GENERATOR_FAILED'
  | 'MODEL_LOAD_FAILED'
  | 'DIMENSION_MISMATCH'
  | 'INVALID_VECTOR'
  | 'STORE_BLOCKED'
  | 'STORE_CLOSED'
  | 'STORE_CORRUPT'
  | 'STORE_FAILED'
  | 'QUOTA_EXCEEDED'
  | 'UNSAFE_REMOVAL'
  | 'ABORTED'
  | 'WORKER_FAILED'
  | 'UNSUPPORTED'
  | 'FORMAT';

/** The one error class of this library: a code for programs, a sentence for people, the cause for both. */
export class ShelfmarkError extends Error {
  override readonly name: string = 'ShelfmarkError';
  readonly code: ErrorCode;
  /** With `QUOTA_EXCEEDED`: bytes this origin uses and may use, where the browser tells. */
  readonly estimate?: { usage?: number; quota?: number };

  constructor(
    code: ErrorCode,
    message: string,
    options?: { cause?: unknown; estimate?: { usage?: number; quota?: number } | undefined },
  ) {
    super(message, options);
    this.code = code;
    if (options?.estimate !== undefined) this.estimate = options.estimate;
  }
}

/** A removal that would take more than its author can have meant. `reason` says which rule it broke. */
export class UnsafeRemovalError extends ShelfmarkError {
  override readonly name = 'UnsafeRemovalError';
  readonly reason: 'empty-filter';

  constructor(reason: 'empty-filter') {
    super(
      'UNSAFE_REMOVAL',
      'A removal by filter needs at least one key, and no value of it may be undefined: this one could match every record.',
    );
    this.reason = reason;
  }
}

/** What was refused, as a report lists it. */
export interface Refusal {
  /** The document's id, or the record's where records were given. */
  uri: string;
  code: ErrorCode;
  reason: string;
}

/** Documents without a passage. Whatever else was given has been stored by the time this is thrown. */
export class EmptyDocumentError extends ShelfmarkError {
  override readonly name = 'EmptyDocumentError';
  /** How many chunks were stored: what the call would have answered. */
  readonly stored: number;
  readonly failed: readonly Refusal[];

  constructor(stored: number, failed: readonly Refusal[]) {
    const named = failed
      .slice(0, 5)
      .map(({ uri }) => show(uri))
      .join(', ');
    const more = failed.length > 5 ? ` and ${failed.length - 5} more` : '';
    super(
      'EMPTY_DOCUMENT',
      `No passage to find in ${named}${more}: blank, or nothing but headings. ${stored} chunks of the others were stored.`,
    );
    this.stored = stored;
    this.failed = failed;
  }
}

/** A value as an error message shows it: short, and telling a string from a number. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return value.constructor?.name === 'Object' ? 'an object' : `a ${value.constructor?.name ?? 'object'}`;
}

/** What a thrown value says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether this library threw an error, and with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is ShelfmarkError =>
  error instanceof ShelfmarkError && codes.includes(error.code);

/** Fetches a part of the library that is not carried along; `UNSUPPORTED` where its file is not there. */
export async function fetchPart<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      `The ${what} could not be fetched (${messageOf(cause)}); serve every file of the build, and call again.`,
      { cause },
    );
  }
}

/** `UNSUPPORTED` for a change to an index that was opened from a file. */
export const readOnlyIndex = (): ShelfmarkError =>
  new ShelfmarkError(
    'UNSUPPORTED',
    'This index was opened from a file and is read-only; give openIndex a name beside `from` to import it.',
  );

/** `INVALID_OPTION` in its one wording: option, value, accepted range. */
export function invalidOption(option: string, value: unknown, accepted: string): ShelfmarkError {
  return new ShelfmarkError('INVALID_OPTION', `${option} is ${show(value)}; give ${accepted}.`);
}

/** `EMBEDDER_MISMATCH`: vectors of two models cannot be compared, though nothing would fail. */
export const embedderMismatch = (there: string, given: string): ShelfmarkError =>
  new ShelfmarkError(
    'EMBEDDER_MISMATCH',
    `The index holds vectors of ${show(there)}, the embedder given is ${show(given)}; open it with the former, or call reembed() to move to the latter.`,
  );

/** The rejection an aborted call gives: the signal's own reason. */
export function abortReason(signal: AbortSignal): unknown {
  return signal.reason ?? new ShelfmarkError('ABORTED', 'The call was aborted.');
}

/** Throws the signal's reason where it is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}
