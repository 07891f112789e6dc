import { invalidOption, ShelfmarkError } from '../errors.ts';

/** How a text's vector is made of its tokens' vectors. */
export type Pooling = 'mean' | 'cls' | 'last_token';

export const poolings: readonly Pooling[] = ['mean', 'cls', 'last_token'];

/** The key of sentence-transformers' pooling file for each. */
const keys: Record<string, Pooling> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_lasttoken: 'last_token',
};

/** Steps of a sentence-transformers pipeline that are done here or by the graph. */
const knownModules = /\.(Transformer|Pooling|Normalize)$/;

export const poolingFile = '1_Pooling/config.json';
export const modulesFile = 'modules.json';

/**
 * What a model's own files say of pooling.
 * @param pooling content of `1_Pooling/config.json`, or undefined where there is none
 * @param modules content of `modules.json`, likewise
 * @throws ShelfmarkError `INVALID_OPTION` where they say nothing; `UNSUPPORTED` where they ask for what
 *   transformers.js can't do
 */
export function poolingOf(model: string, pooling: unknown, modules: unknown): Pooling {
  refuseOtherModules(model, modules);
  if (pooling === undefined || pooling === null || typeof pooling !== 'object') {
    const accepted = poolings.map((word) => `'${word}'`).join(', ');
    throw invalidOption('pooling', undefined, `one of ${accepted}: model ${model} has no ${poolingFile}`);
  }
  const asked = Object.entries(pooling)
    .filter(([key, value]) => key.startsWith('pooling_mode_') && value === true)
    .map(([key]) => key);
  const found = asked.length === 1 ? keys[asked[0]!] : undefined;
  if (found !== undefined) return found;
  throw new ShelfmarkError(
    'UNSUPPORTED',
    `Model ${model} asks for ${asked.join(' + ') || 'no pooling'}; transformers.js pools by ${poolings.join(', ')}.`,
  );
}

/** A projection after pooling (`Dense`) is not in the ONNX graph; without it the vectors would be wrong. */
function refuseOtherModules(model: string, modules: unknown): void {
  if (!Array.isArray(modules)) return;
  for (const module of modules as { type?: unknown }[]) {
    const type = String(module?.type);
    if (!knownModules.test(type)) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `Model ${model} ends in ${type}, which transformers.js does not run; its vectors would be wrong.`,
      );
    }
  }
}

/**
 * One text's vector from its tokens' (dims 1 × tokens × size). Sums are doubles, so that the order of
 * additions is all that a runtime has to agree on.
 */
export function pooledRow(
  hidden: { dims: readonly number[]; data: ArrayLike<number> },
  pooling: Pooling,
): Float32Array {
  const { data, dims } = hidden;
  const [tokens, size] = [dims.at(-2)!, dims.at(-1)!];
  if (pooling !== 'mean') {
    const row = pooling === 'cls' ? 0 : tokens - 1;
    return Float32Array.from({ length: size }, (_, d) => data[row * size + d]!);
  }
  const sums = new Float64Array(size);
  for (let token = 0; token < tokens; token++) {
    for (let d = 0, at = token * size; d < size; d++, at++) sums[d]! += data[at]!;
  }
  return Float32Array.from(sums, (sum) => sum / tokens);
}
