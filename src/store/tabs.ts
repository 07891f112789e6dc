/** Tells the other tabs and workers that hold a store when it has changed, and is told by them. */
export class Tabs {
  readonly #channel: BroadcastChannel | undefined;

  /** @param onChange Called when another one has committed something. */
  constructor(name: string, onChange: () => void) {
    // Where there is none, each call finds out for itself what was committed.
    this.#channel = globalThis.BroadcastChannel && new BroadcastChannel(name);
    if (this.#channel !== undefined) this.#channel.onmessage = onChange;
  }

  tell(): void {
    this.#channel?.postMessage('changed');
  }

  close(): void {
    this.#channel?.close();
  }
}
