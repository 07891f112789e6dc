/** Server-sent events, as the HTML standard reads them, as far as chats use them: the data of each event. */

const lineEnd = /\r\n|\n|\r/g;

/** The data of every event of a stream, whatever its pieces are cut at. A last event without its blank line counts too. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  /** A line whose end is to come, in its pieces: joined once, since each piece would have it copied. */
  let line: string[] = [];
  let data: string[] = [];
  let carried = '';
  const take = (): string | undefined => {
    const text = line.join('');
    line = [];
    if (text === '') {
      const event = data.length > 0 ? data.join('\n') : undefined;
      data = [];
      return event;
    }
    const colon = text.indexOf(':');
    if (text.slice(0, colon < 0 ? undefined : colon) !== 'data') return undefined;
    const value = colon < 0 ? '' : text.slice(colon + 1);
    data.push(value.startsWith(' ') ? value.slice(1) : value);
    return undefined;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      let piece = carried + decoder.decode(value, { stream: !done });
      // A line feed may follow the carriage return that ends this piece.
      carried = !done && piece.endsWith('\r') ? '\r' : '';
      if (carried !== '') piece = piece.slice(0, -1);
      let from = 0;
      for (const { 0: ending, index } of piece.matchAll(lineEnd)) {
        line.push(piece.slice(from, index));
        from = index + ending.length;
        const event = take();
        if (event !== undefined) yield event;
      }
      line.push(piece.slice(from));
      if (!done) continue;
      take();
      const last = take();
      if (last !== undefined) yield last;
      return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
