#!/usr/bin/env node
import { run } from './run.ts';
import { Interrupted } from './terminal.ts';

const controller = new AbortController();
const interrupt = (): void => {
  // Whoever asks twice does not wait; what is half written is taken away at exit.
  if (controller.signal.aborted) process.exit(130);
  controller.abort(new Interrupted());
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
// `shelfmark query … | head` is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (line) => process.stdout.write(`${line}\n`),
  note: (text) => process.stderr.write(text),
  isTty: process.stderr.isTTY === true,
  hasColors: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  signal: controller.signal,
});
process.off('SIGINT', interrupt);
process.off('SIGTERM', interrupt);
