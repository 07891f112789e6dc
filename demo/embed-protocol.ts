/** Messages between the page and the worker that embeds. Types only. */

export interface OpenMessage {
  type: 'open';
  id: number;
  modelPath: string;
  wasmPaths: string;
}

export interface EmbedMessage {
  type: 'embed';
  id: number;
  texts: readonly string[];
  kind: 'query' | 'passage';
}

export type ToWorker = OpenMessage | EmbedMessage;

export type FromWorker =
  | { type: 'opened'; id: number }
  | { type: 'vectors'; id: number; vectors: Float32Array[] }
  | { type: 'failed'; id: number; code: string; message: string };
