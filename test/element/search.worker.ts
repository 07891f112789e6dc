import { serveIndex } from '../../src/worker/index.ts';

serveIndex({ persist: false });
