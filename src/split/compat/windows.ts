import { isSpace } from '../../kernel/js.ts';
import type { Span } from '../spans.ts';
import { pushOrFold, runtChars } from './floors.ts';

/** Where to cut instead of at `end`: the last white space of the window, or `end` where there is none. */
function wordEnd(text: string, start: number, end: number, wordWindow: number): number {
  const lowest = Math.max(start, end - wordWindow);
  for (let at = end; at > lowest; at--) if (isSpace(text.charCodeAt(at))) return at;
  return end;
}

/** Spans of `chars`, each ending at white space where the last `wordWindow` code units hold some. */
export function windowSpans(text: string, chars: number, wordWindow: number): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const full = start + chars;
    const end = full < text.length ? wordEnd(text, start, full, wordWindow) : text.length;
    pushOrFold(spans, { start, end }, runtChars);
    start = end;
  }
  return spans;
}
