// SHA-256 (FIPS 180-4). Round constants and initial state are the standard's.

const K = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const schedule = memory.data(256, 16);
const tail = memory.data(128, 16);
const state = memory.data(32, 16);

function compress(block: usize): void {
  for (let i: usize = 0; i < 16; i++) {
    store<u32>(schedule + (i << 2), bswap(load<u32>(block + (i << 2))));
  }
  for (let i: usize = 16; i < 64; i++) {
    const at = schedule + (i << 2);
    const w15 = load<u32>(at - 60);
    const w2 = load<u32>(at - 8);
    const s0 = rotr(w15, 7) ^ rotr(w15, 18) ^ (w15 >> 3);
    const s1 = rotr(w2, 17) ^ rotr(w2, 19) ^ (w2 >> 10);
    store<u32>(at, load<u32>(at - 64) + s0 + load<u32>(at - 28) + s1);
  }
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  for (let i: usize = 0; i < 64; i++) {
    const s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const choice = g ^ (e & (f ^ g));
    const t1 = h + s1 + choice + load<u32>(K + (i << 2)) + load<u32>(schedule + (i << 2));
    const s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const majority = (a & b) | (c & (a | b));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + s0 + majority;
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
  store<u32>(state, load<u32>(state, 16) + e, 16);
  store<u32>(state, load<u32>(state, 20) + f, 20);
  store<u32>(state, load<u32>(state, 24) + g, 24);
  store<u32>(state, load<u32>(state, 28) + h, 28);
}

/** Hashes `len` bytes at `ptr`; answers where the eight words of the digest are, most significant first. */
export function sha256(ptr: usize, len: usize): usize {
  store<u32>(state, 0x6a09e667);
  store<u32>(state, 0xbb67ae85, 4);
  store<u32>(state, 0x3c6ef372, 8);
  store<u32>(state, 0xa54ff53a, 12);
  store<u32>(state, 0x510e527f, 16);
  store<u32>(state, 0x9b05688c, 20);
  store<u32>(state, 0x1f83d9ab, 24);
  store<u32>(state, 0x5be0cd19, 28);
  const whole = len & ~63;
  for (let at: usize = 0; at < whole; at += 64) compress(ptr + at);
  const rest = len - whole;
  memory.fill(tail, 0, 128);
  memory.copy(tail, ptr + whole, rest);
  store<u8>(tail + rest, 0x80);
  const size: usize = rest < 56 ? 64 : 128;
  store<u64>(tail + size - 8, bswap((<u64>len) << 3));
  compress(tail);
  if (size == 128) compress(tail + 64);
  return state;
}
