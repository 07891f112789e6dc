/** Counts lines up to offsets that rise from call to call; 1-based. LF, CR and CRLF end a line. */
export function lineCounter(text: string): (offset: number) => number {
  return text.includes('\r') ? byCharacter(text) : byLineFeed(text);
}

/** Many times faster, and what most texts are. */
function byLineFeed(text: string): (offset: number) => number {
  let line = 1;
  let feed = text.indexOf('\n');
  return (offset) => {
    while (feed >= 0 && feed < offset) {
      line++;
      feed = text.indexOf('\n', feed + 1);
    }
    return line;
  };
}

function byCharacter(text: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) line++;
    }
    return line;
  };
}

/** Finds the next of one character from offsets on that rise from call to call; the text's end where there is none. */
export function finder(text: string, character: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(character, from);
    if (found < 0) found = text.length;
    return found;
  };
}

/**
 * Lines of offsets that rise from call to call, 1-based. A line start at or before the offset may be given with its
 * line (0 where that isn't known), from which it counts on.
 */
export function lineFinder(text: string): (offset: number, start: number, known: number) => number {
  const nextFeed = finder(text, '\n');
  const nextReturn = finder(text, '\r');
  let line = 1;
  let counted = 0;
  return (offset, start, known) => {
    if (known > 0 && start > counted && start <= offset) {
      line = known;
      counted = start;
    }
    for (;;) {
      const end = Math.min(nextFeed(counted), nextReturn(counted));
      if (end >= offset) return line;
      line++;
      counted = end + (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a ? 2 : 1);
    }
  };
}

/** Of quotes and list items, at the start of a line. */
export const containerMarks = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)+/;
