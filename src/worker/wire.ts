import { EmptyDocumentError, messageOf, ShelfmarkError, UnsafeRemovalError } from '../errors.ts';
import type { WireError, WireThrown } from './protocol.ts';

/** Something thrown, as it is sent: structured cloning would leave an error nothing of its class, code and figures. */
export function encodeThrown(thrown: unknown): WireThrown {
  if (!(thrown instanceof ShelfmarkError)) return { value: cloned(thrown) ?? new Error(messageOf(thrown)) };
  const { code, message, stack, estimate, cause } = thrown;
  return {
    code,
    message,
    stack,
    estimate,
    cause: cause === undefined ? undefined : encodeThrown(cause),
    ...(thrown instanceof UnsafeRemovalError && { unsafe: thrown.reason }),
    ...(thrown instanceof EmptyDocumentError && { empty: { stored: thrown.stored, failed: thrown.failed } }),
  };
}

/** A signal's reason, as it is sent: as it is or, where it cannot be cloned, `ABORTED`. */
export function encodeReason(reason: unknown): WireThrown {
  if (reason instanceof ShelfmarkError || cloned(reason) !== undefined) return encodeThrown(reason);
  return encodeThrown(new ShelfmarkError('ABORTED', `The call was aborted: ${messageOf(reason)}`));
}

/** What was thrown on the other side. */
export function decodeThrown(wire: WireThrown): unknown {
  if ('value' in wire) return wire.value;
  const error = decodeError(wire);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}

function decodeError({ code, message, cause, estimate, unsafe, empty }: WireError): ShelfmarkError {
  if (unsafe !== undefined) return new UnsafeRemovalError(unsafe);
  if (empty !== undefined) return new EmptyDocumentError(empty.stored, empty.failed);
  return new ShelfmarkError(code, message, {
    ...(cause !== undefined && { cause: decodeThrown(cause) }),
    estimate,
  });
}

/** A clone, or undefined for what cannot be cloned. */
export function cloned(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}
