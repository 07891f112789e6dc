/** SHA-256 (FIPS 180-4) in TypeScript, for engines that run no WebAssembly. */

/** The first 32 bits of the fractional parts of the `root`th roots of the first `count` primes. */
function fractions(count: number, root: 2 | 3): Uint32Array {
  const words = new Uint32Array(count);
  for (let found = 0, candidate = 2; found < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) prime = false;
    }
    if (prime) words[found++] = fractionBits(candidate, root);
  }
  return words;
}

/** Integer root by bisection in BigInt: doubles hold too few bits for the cube roots. */
function fractionBits(value: number, root: 2 | 3): number {
  const target = BigInt(value) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

let constants: { rounds: Uint32Array; initial: Uint32Array } | undefined;

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(
  state: Uint32Array,
  rounds: Uint32Array,
  w: Uint32Array,
  block: DataView,
  at: number,
): void {
  for (let i = 0; i < 16; i++) w[i] = block.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const w15 = w[i - 15]!;
    const w2 = w[i - 2]!;
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + rounds[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = s0 + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const added = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = state[i]! + added[i]!;
}

/** Eight words as 64 hexadecimal digits. */
export function hexDigest(words: ArrayLike<number>): string {
  let hex = '';
  for (let i = 0; i < 8; i++) hex += (words[i]! >>> 0).toString(16).padStart(8, '0');
  return hex;
}

/** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
export function sha256(text: string): string {
  constants ??= { rounds: fractions(64, 3), initial: fractions(8, 2) };
  const bytes = new TextEncoder().encode(text);
  const whole = bytes.length & ~63;
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const end = new DataView(tail.buffer);
  // The length is in bits, over two words: beyond 512 MB the upper one counts.
  end.setUint32(tail.length - 8, Math.floor(bytes.length / 0x20000000));
  end.setUint32(tail.length - 4, bytes.length << 3);

  const state = constants.initial.slice();
  const w = new Uint32Array(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, whole);
  for (let at = 0; at < whole; at += 64) compress(state, constants.rounds, w, view, at);
  for (let at = 0; at < tail.length; at += 64) compress(state, constants.rounds, w, end, at);
  return hexDigest(state);
}
