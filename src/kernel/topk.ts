/** A row and what it scored. */
export interface Match {
  row: number;
  score: number;
}

/**
 * Keeps the best `k` of the rows offered, without sorting the rest. Of two equal scores the lower row is
 * the better one, which keeps ties in the order of insertion.
 */
export class TopK {
  readonly #k: number;
  /** A binary heap, the worst of the kept rows on top. */
  readonly #heap: Match[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  offer(row: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#k) {
      let at = heap.push({ row, score }) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isWorse(heap[at]!, heap[parent]!)) break;
        this.#swap(at, parent);
        at = parent;
      }
      return;
    }
    const top = heap[0];
    if (top === undefined || score < top.score || (score === top.score && row > top.row)) return;
    heap[0] = { row, score };
    this.#sink();
  }

  /** The kept rows, best first. */
  take(): Match[] {
    return this.#heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
  }

  #sink(): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let worst = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++) {
        if (isWorse(heap[child]!, heap[worst]!)) worst = child;
      }
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}

const isWorse = (a: Match, b: Match): boolean => a.score < b.score || (a.score === b.score && a.row > b.row);
