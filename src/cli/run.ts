import { readFile } from 'node:fs/promises';
import { messageOf, ShelfmarkError } from '../errors.ts';
import { help } from './help.ts';
import { exit, Interrupted, type Terminal, UsageError } from './terminal.ts';

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The commands, each loaded when it is asked for. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  build: async () => (await import('./build.ts')).build,
  query: async () => (await import('./query.ts')).query,
  push: async () => (await import('./push.ts')).push,
  'copy-model': async () => (await import('./copy-model.ts')).copyModel,
};

/** Runs a command line; answers the exit code. Whatever goes wrong is said in a sentence, never with a stack. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const reason: unknown = terminal.signal.aborted ? terminal.signal.reason : error;
    terminal.note(`${sentence(reason)}\n`);
    if (reason instanceof Interrupted) return exit.interrupted;
    return reason instanceof UsageError ? exit.usage : exit.failed;
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  if (options.includes('--help') || options.includes('-h') || name === 'help') {
    for (const line of help.trimEnd().split('\n')) terminal.out(line);
    return exit.ok;
  }
  if (options.includes('--version')) {
    terminal.out(await version());
    return exit.ok;
  }
  if (name === undefined) throw new UsageError('Missing command: build, query, push or copy-model.');
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`${name.startsWith('-') ? 'Unknown option' : 'Unknown command'} '${name}'.`);
  }
  const command = await commands[name]!();
  return command(rest, terminal);
}

function sentence(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} See shelfmark --help.`;
  if (error instanceof ShelfmarkError) return `${error.message} (${error.code})`;
  return messageOf(error);
}

/** The version in the package's own package.json, beside `dist/` or `src/`. */
async function version(): Promise<string> {
  // Written apart from `new URL(…)` so that no bundler takes it for an asset.
  const here = import.meta.url;
  const text = await readFile(new URL('../../package.json', here), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
