import { serveIndex } from '../../src/worker/host.ts';

// As where a script waits for something before it serves: a message that comes meanwhile has no listener.
await new Promise((resolve) => setTimeout(resolve, 500));
serveIndex({ persist: false });
