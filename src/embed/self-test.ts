import { messageOf, ShelfmarkError } from '../errors.ts';
import type { RuntimeNote } from './runtime.ts';

/** A model that can be asked for vectors. */
interface Runs {
  run(texts: readonly string[]): Promise<Float32Array[]>;
  dispose(): Promise<void>;
}

export interface Trial<M extends Runs> {
  model: string;
  /** The device asked for; undefined where the library knows none. */
  device: string | undefined;
  /** The one that every machine has: `'wasm'`, in Node `'cpu'`. */
  basic: string | undefined;
  /** The vector the test sentence must get, where that is known. */
  known: Float32Array | undefined;
  start(device: string | undefined): Promise<M>;
}

/** What every model is asked for at load. */
export const selfTestSentence =
  'Every answer points to the passage it came from, in the document the reader already has open.';
/** Stands beside it in a run, which then has padding. */
const neighbour = 'A short one.';

/** The bundled model's vector of that sentence, in 127th parts of its greatest value. */
const bundledBytes =
  '3wdDH0I2HchtrgH8rd4BLxET8/HByLPmJ+jxCAPx7AojBQgQ1fJA/bsABvOv0eLDGkp/Lj7i6gIbyiu/8vnbrzfX60jTvwBmVN32Jf7wzqTF8NjO0O1NviMqGVEyIjoGK+jHMg==';

export const bundledVector = (): Float32Array =>
  Float32Array.from(atob(bundledBytes), (character) => (character.charCodeAt(0) << 24) >> 24);

/** Least cosine to a vector that is known. The same files give 0.99998 wherever they are computed rightly. */
const leastToKnown = 0.999;
/** Least cosine between two devices: they may round weights and sums otherwise. */
const leastToBasic = 0.98;

/**
 * Starts a model and asks it for the vector of a sentence before anybody else does.
 *
 * - Where the vector is known (the bundled model), that is what must come out.
 * - On a device other than the basic one, the basic one says what must come out; alone and beside a shorter text. A
 *   device that gives something else, or does not start, is left for the basic one, with a note.
 * - Else the vector must be finite, and the same when it is asked for again.
 *
 * @throws ShelfmarkError `MODEL_LOAD_FAILED` where the basic device fails as well, or what `start` throws there
 */
export async function startTried<M extends Runs>(
  trial: Trial<M>,
): Promise<{ model: M; device: string | undefined; note: RuntimeNote | undefined }> {
  const { device, basic, known } = trial;
  if (device === basic) return { model: await startBasic(trial), device, note: undefined };
  // First, and kept until the other one has passed: a start that fails may leave the runtime unable to start anything.
  const spare = await startBasic(trial);
  const wanted = known ?? (await spare.run([selfTestSentence]))[0]!;
  const { model, fault } = await tried(trial, wanted);
  if (fault === undefined) {
    await spare.dispose();
    return { model: model!, device, note: undefined };
  }
  await model?.dispose().catch(() => {});
  return {
    model: spare,
    device: basic,
    note: {
      code: 'DEVICE_FAILED',
      message: `Model ${trial.model} runs on ${basic} instead of ${device}, which ${fault}.`,
    },
  };
}

async function startBasic<M extends Runs>({ model: name, basic, known, start }: Trial<M>): Promise<M> {
  const model = await start(basic);
  let fault: string | undefined;
  try {
    const [first] = await model.run([selfTestSentence]);
    const wanted = known ?? (await model.run([selfTestSentence]))[0]!;
    fault = faultOf(first!, wanted, leastToKnown);
  } catch (error) {
    fault = `failed (${messageOf(error)})`;
  }
  if (fault === undefined) return model;
  await model.dispose().catch(() => {});
  const advice =
    known === undefined
      ? 'Try another dtype or device, or another browser'
      : 'Its files may be those of another version of shelfmark: run npx shelfmark copy-model <public folder> again; else this machine computes wrongly: try another browser';
  throw new ShelfmarkError(
    'MODEL_LOAD_FAILED',
    `Model ${name} did not pass its self-test: it ${fault}. ${advice}.`,
  );
}

/** The model on the device that was asked for, and what is wrong with it. */
async function tried<M extends Runs>(
  { device, start, known }: Trial<M>,
  wanted: Float32Array,
): Promise<{ model?: M; fault?: string }> {
  let model: M | undefined;
  const least = known === undefined ? leastToBasic : leastToKnown;
  try {
    model = await start(device);
    const rows = [
      ...(await model.run([selfTestSentence])),
      ...(await model.run([selfTestSentence, neighbour])).slice(0, 1),
    ];
    const faults = rows.map((row) => faultOf(row, wanted, least)).filter((fault) => fault !== undefined);
    return { model, ...(faults[0] !== undefined && { fault: faults[0] }) };
  } catch (error) {
    return { ...(model !== undefined && { model }), fault: `failed (${messageOf(error)})` };
  }
}

function faultOf(vector: Float32Array, wanted: Float32Array, least: number): string | undefined {
  if (vector.length !== wanted.length) return `gave ${vector.length} numbers in place of ${wanted.length}`;
  if (!vector.every(Number.isFinite)) return 'gave a vector that is not finite';
  let [dot, own, others] = [0, 0, 0];
  for (let d = 0; d < vector.length; d++) {
    dot += vector[d]! * wanted[d]!;
    own += vector[d]! ** 2;
    others += wanted[d]! ** 2;
  }
  // A zero vector has no direction; it is right where one is wanted.
  if (own === 0 && others === 0) return undefined;
  const cosine = dot / Math.sqrt(own * others);
  return cosine >= least
    ? undefined
    : `gave a wrong vector (cosine ${Number.isNaN(cosine) ? 0 : cosine.toFixed(3)} to the right one)`;
}
