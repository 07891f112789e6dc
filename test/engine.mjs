// The suites that are the same for every engine, run in a browser that is installed. Downloads nothing.
import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';

/** Runs what a Vitest config describes, tells how it went, and ends the process. */
export async function runEngineSuite(config) {
  const build = spawnSync(process.execPath, ['assembly/build.mjs'], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);

  const vitest = await startVitest('test', process.argv.slice(2), {
    run: true,
    config,
  });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state) => tests.filter((test) => test.result().state === state).length;
  const passed = count('passed');
  // A file that could not run, and an error outside of every test, count as failures too.
  const failed =
    count('failed') +
    modules.filter((module) => module.errors().length > 0).length +
    vitest.state.getUnhandledErrors().length;
  await vitest.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(passed > 0 && failed === 0 ? 0 : 1);
}
