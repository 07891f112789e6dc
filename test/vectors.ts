/** Reads conformance cases, in Node and in a browser alike. */
export interface VectorCase<Input = unknown, Options = Record<string, unknown>, Expected = unknown> {
  name: string;
  fn: string;
  input: Input;
  options: Options;
  expected: Expected;
  quirk?: string;
}

function untag(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untag);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value);
  if (keys.length === 1) {
    const tagged = value as Record<string, unknown>;
    if (tagged['$undef'] === true) return undefined;
    if (typeof tagged['$num'] === 'string') return tagged['$num'] === '-0' ? -0 : Number(tagged['$num']);
    if (typeof tagged['$bigint'] === 'string') return BigInt(tagged['$bigint']);
    if (typeof tagged['$date'] === 'string') return new Date(tagged['$date']);
    if (tagged['$fn'] === true) return () => undefined;
  }
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    // defineProperty, because an own `__proto__` key is data like any other.
    Object.defineProperty(result, key, {
      value: untag((value as Record<string, unknown>)[key]),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

async function read(family: string): Promise<string> {
  if (typeof document === 'undefined') return (await import('./data-server.ts')).readVectors(family);
  const response = await fetch(`/__data/vectors/${family}.jsonl`);
  if (!response.ok) throw new Error(`no vectors ${family}: ${response.status}`);
  return response.text();
}

/** A file of the fixtures or of the larger data (`SHELFMARK_DATA`); undefined where it is absent. */
export async function readDataFile(path: string): Promise<Uint8Array | undefined> {
  if (typeof document === 'undefined') return (await import('./data-server.ts')).readData(path);
  const response = await fetch(`/__data/${path}`);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** All cases of a family, tagged values decoded. Throws where there are none. */
export async function loadVectors<I = unknown, O = Record<string, unknown>, E = unknown>(
  family: string,
): Promise<VectorCase<I, O, E>[]> {
  const lines = (await read(family)).split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new Error(`the family ${family} has no cases`);
  return lines.map((line) => untag(JSON.parse(line)) as VectorCase<I, O, E>);
}
