/** Messages between a page and the worker that serves it an index. Types only. */
import type { ErrorCode, Refusal } from '../errors.ts';
import type { Index } from '../open-index.ts';
import type { Hit, Hits, Progress } from '../types.ts';

/** Counted up where messages change, so that a worker of another version is told apart. */
export type Protocol = 1;

/** What the worker is asked; `persist` is the page's own affair, and so is `pushTo`, whose store cannot be sent. */
export type Method = Exclude<keyof Index, 'persist' | 'pushTo'> | 'neighbours';

/**
 * The only message to the worker itself: everything else goes through the port, so that a worker may have messages of its
 * own, and several indexes.
 */
export interface Connect {
  shelfmark: 'connect';
  port: MessagePort;
}

/** The only message of the worker itself: a connection that was asked for while its script still ran may be lost. */
export interface Hello {
  shelfmark: 'hello';
}

export type ToHost =
  | { type: 'open'; id: number; sent: unknown }
  /** `options` follow the arguments where the method takes any; the signal and callback in them are put in there. */
  | {
      type: 'call';
      id: number;
      method: Method;
      args: readonly unknown[];
      options: object | undefined;
      progress: boolean;
    }
  | { type: 'abort'; id: number; reason: WireThrown };

export type FromHost =
  /** `lock` names a Web Lock that the worker holds as long as it lives; absent where there are none. */
  | { type: 'ready'; protocol: Protocol; lock: string | undefined }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'done'; id: number; value: unknown }
  /** `aborted` where the error is the reason the call was aborted with. */
  | { type: 'failed'; id: number; error: WireThrown; aborted: boolean }
  | { type: 'unreadable' };

/** Hits without what cannot be sent, or is not sent along with an array. */
export interface WireHits {
  hits: Omit<Hit, 'neighbours'>[];
  legStates: Hits['legStates'];
  legError: WireThrown | undefined;
}

/** Something thrown: an error of this library by its parts, anything else as it is cloned. */
export type WireThrown = WireError | { value: unknown };

export interface WireError {
  code: ErrorCode;
  message: string;
  stack: string | undefined;
  cause: WireThrown | undefined;
  estimate: { usage?: number; quota?: number } | undefined;
  /** Of an `UnsafeRemovalError`. */
  unsafe?: 'empty-filter';
  /** Of an `EmptyDocumentError`. */
  empty?: { stored: number; failed: readonly Refusal[] };
}
