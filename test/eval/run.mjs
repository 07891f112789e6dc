// npm run eval: measures retrieval on judged questions and prints tables. `npm run eval -- cranfield` runs one part.
import { withCompiled } from '../compiled.mjs';

await withCompiled(async (load) => {
  const { evaluate } = await load('/test/eval/main.ts');
  await evaluate(process.argv.slice(2));
});
