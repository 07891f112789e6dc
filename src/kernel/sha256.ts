/** SHA-256 (FIPS 180-4) in TypeScript, for engines that run no WebAssembly. */

/**
 * The first 32 bits of the fractional parts of square or cube roots of the first `count` primes, which is how the
 * standard defines its constants. A double holds 50 bits of these fractions, so that 32 of them are exact.
 */
function fractions(count: number, root: (value: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.some((prime) => candidate % prime === 0)) continue;
    words[primes.length] = (root(candidate) % 1) * 2 ** 32;
    primes.push(candidate);
  }
  return words;
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

/** The two digits of each byte. */
let digits: string[] | undefined;

/** Eight words as 64 hexadecimal digits; from a table, since padding numbers takes as long as hashing a short text. */
export function hexDigest(words: ArrayLike<number>): string {
  digits ??= Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  let hex = '';
  for (let i = 0; i < 8; i++) {
    const word = words[i]!;
    hex +=
      digits[word >>> 24]! + digits[(word >>> 16) & 255] + digits[(word >>> 8) & 255] + digits[word & 255];
  }
  return hex;
}

/** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
export function sha256(text: string): string {
  constants ??= { rounds: fractions(64, Math.cbrt), initial: fractions(8, Math.sqrt) };
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
