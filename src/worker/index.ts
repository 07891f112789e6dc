/** `shelfmark/worker`: an index that works in a worker. Each side carries its own half. */
export { type ConnectOptions, connectIndex, type WorkerSource } from './client.ts';
export { type ServeOptions, serveIndex } from './host.ts';
