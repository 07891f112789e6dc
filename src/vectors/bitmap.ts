/** One bit a row, packed in words so that a kernel can read the same memory. It grows as bits are set. */
export class Bitmap {
  words: Uint32Array;

  constructor(bits = 0) {
    this.words = new Uint32Array((bits + 31) >>> 5);
  }

  has(bit: number): boolean {
    return (((this.words[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  add(bit: number): void {
    const word = bit >>> 5;
    if (word >= this.words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.words.length * 2));
      grown.set(this.words);
      this.words = grown;
    }
    this.words[word]! |= 1 << (bit & 31);
  }

  delete(bit: number): void {
    const word = bit >>> 5;
    if (word < this.words.length) this.words[word]! &= ~(1 << (bit & 31));
  }
}
