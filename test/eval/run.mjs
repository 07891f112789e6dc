// npm run eval: measures retrieval on judged questions and prints tables. `npm run eval -- cranfield` runs one part,
// `npm run eval -- headings --arm=byHeading` one splitter of it.
import { installRivals } from '../bench/install.mjs';
import { withCompiled } from '../compiled.mjs';

const given = process.argv.slice(2);
const againstOthers = ['headings', 'structure'];
if (given.length === 0 || given.some((name) => againstOthers.includes(name))) installRivals();
await withCompiled(async (load) => {
  const { evaluate } = await load('/test/eval/main.ts');
  await evaluate(given);
});
