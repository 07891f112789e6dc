/** Server-sent events, as the HTML standard reads them, as far as chats use them: the data of each event. */

/** The data of every event of a stream, whatever its pieces are cut at. A last event without its blank line counts too. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  let data: string[] = [];
  let searched = 0;
  const take = (line: string): string | undefined => {
    if (line === '') {
      const whole = data.join('\n');
      const isEvent = data.length > 0;
      data = [];
      return isEvent ? whole : undefined;
    }
    const colon = line.indexOf(':');
    if (line.slice(0, colon < 0 ? undefined : colon) !== 'data') return undefined;
    const value = colon < 0 ? '' : line.slice(colon + 1);
    data.push(value.startsWith(' ') ? value.slice(1) : value);
    return undefined;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      buffer += decoder.decode(value, { stream: !done });
      let from = 0;
      for (;;) {
        const found = /\r\n|\n|\r/g;
        found.lastIndex = Math.max(from, searched);
        const end = found.exec(buffer);
        // A line feed may follow the carriage return that ends this piece.
        if (end === null || (!done && end[0] === '\r' && end.index === buffer.length - 1)) break;
        const event = take(buffer.slice(from, end.index));
        from = end.index + end[0].length;
        if (event !== undefined) yield event;
      }
      buffer = buffer.slice(from);
      // A line that comes in many pieces is not searched again from its start; its last character may be half an ending.
      searched = Math.max(0, buffer.length - 1);
      if (!done) continue;
      for (const line of [buffer, '']) {
        const event = take(line);
        if (event !== undefined) yield event;
      }
      return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
