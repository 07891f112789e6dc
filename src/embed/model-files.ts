import { messageOf, ShelfmarkError } from '../errors.ts';
import { inNode, type NodeFiles, nodeModule } from './addresses.ts';
import { onnxFault } from './onnx-check.ts';

/** Called as bytes come in; `total` is undefined where the server doesn't say. */
export type OnBytes = (loaded: number, total: number | undefined) => void;

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  onBytes?: OnBytes | undefined;
}

/** What came back for an address. */
type Answer = { bytes: Uint8Array; html: boolean } | { refusal: string; absent: boolean };

/** Why a file is no good, in words that follow its address. */
export class BadFile extends Error {
  /** True where another place may have the file: it isn't here, or a home page stands in for it. */
  readonly absent: boolean;

  constructor(fault: string, absent: boolean, options?: { cause?: unknown }) {
    super(fault, options);
    this.absent = absent;
  }
}

/**
 * The bytes of a model's file, checked: there, no HTML page in its stead, whole, JSON where it should be.
 * Nothing is kept of an attempt that failed.
 * @throws BadFile, or the signal's reason
 */
export async function readModelFile(url: string, options: ReadOptions = {}): Promise<Uint8Array> {
  const answer = await request(url, options);
  if ('refusal' in answer) throw new BadFile(`${url} answered ${answer.refusal}`, answer.absent);
  checkContent(url, answer.bytes, answer.html);
  return answer.bytes;
}

/** Throws `BadFile` where the bytes can't be what the file's name says. */
export function checkContent(url: string, bytes: Uint8Array, html = false): void {
  if (html || looksLikeHtml(bytes)) {
    throw new BadFile(`${url} answered an HTML page instead of a model file`, true);
  }
  if (url.endsWith('.json')) parseJson(url, bytes);
  const fault = url.endsWith('.onnx') ? onnxFault(bytes) : undefined;
  if (fault !== undefined) throw new BadFile(`${url} ${fault}`, false);
}

export function parseJson(url: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    const size = bytes.length === 1 ? '1 byte' : `${bytes.length} bytes`;
    throw new BadFile(`${url} answered ${size} that aren't JSON`, false, { cause });
  }
}

/** Forbidden, not found, gone: storage services say 403 of a file that isn't there. */
const statusOfAbsence = new Set([403, 404, 410]);

async function request(url: string, options: ReadOptions): Promise<Answer> {
  if (inNode() && url.startsWith('file:')) return readFromDisk(url, options);
  let response: Response;
  try {
    response = await fetch(url, { signal: options.signal ?? null });
  } catch (cause) {
    options.signal?.throwIfAborted();
    const reason = messageOf(cause);
    throw new BadFile(`${url} could not be fetched (${reason})`, false, { cause });
  }
  if (!response.ok) {
    await response.body?.cancel();
    const refusal = `${response.status} ${response.statusText}`.trim();
    return { refusal, absent: statusOfAbsence.has(response.status) };
  }
  const html = /\bhtml\b/.test(response.headers.get('content-type') ?? '');
  return { bytes: await readBody(url, response, options), html };
}

async function readFromDisk(url: string, { onBytes, signal }: ReadOptions): Promise<Answer> {
  try {
    const bytes = await nodeModule<NodeFiles>('fs/promises').readFile(new URL(url));
    signal?.throwIfAborted();
    onBytes?.(bytes.length, bytes.length);
    return { bytes, html: false };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ShelfmarkError) throw error;
    const code = (error as { code?: string }).code;
    return { refusal: code ?? String(error), absent: code === 'ENOENT' };
  }
}

async function readBody(
  url: string,
  response: Response,
  { onBytes, signal }: ReadOptions,
): Promise<Uint8Array> {
  // The length of a compressed answer is that of its packed form, which says nothing of what will come out.
  const packed = response.headers.get('content-encoding') ?? 'identity';
  const length =
    packed === 'identity' ? Number(response.headers.get('content-length') ?? Number.NaN) : Number.NaN;
  const total = Number.isSafeInteger(length) ? length : undefined;
  const parts: Uint8Array[] = [];
  let loaded = 0;
  onBytes?.(0, total);
  const reader = response.body!.getReader();
  const next = () =>
    reader.read().catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new BadFile(`${url} broke off after ${loaded} bytes`, false, { cause });
    });
  for (let part = await next(); !part.done; part = await next()) {
    parts.push(part.value);
    loaded += part.value.length;
    onBytes?.(loaded, total);
  }
  onBytes?.(loaded, loaded);
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html') || start.startsWith('<!--');
}
