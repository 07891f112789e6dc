/** What a command talks to. The process has one; tests have their own. */
export interface Terminal {
  /** Folder that relative paths go from. */
  readonly cwd: string;
  /** One line of the answer. */
  out(line: string): void;
  /** What is said beside it: notes, progress, errors. */
  note(text: string): void;
  /** Whether notes are read by a person, who sees a line grow. */
  readonly isTty: boolean;
  /** Whether the answer is, who likes colours. */
  readonly hasColors: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A command that was not understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The reason of an interrupted command: exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted; nothing was written.');
  }
}

/** Exit codes. */
export const exit = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;
