import { isSpace, trimEnd, trimStart } from '../kernel/js.ts';

const isHigh = (code: number): boolean => (code & 0xfc00) === 0xd800;
const isLow = (code: number): boolean => (code & 0xfc00) === 0xdc00;

/** True where a cut at `at` would fall inside a surrogate pair. */
export const splitsPair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));

/**
 * Where to cut instead of at `at`, so that no surrogate pair is split: beside the pair, before it if that is
 * still after `from`, else behind it.
 */
export const besidePair = (text: string, at: number, from: number): number =>
  !splitsPair(text, at) ? at : at - 1 > from ? at - 1 : at + 1;

/** True where a surrogate stands alone somewhere: such a text is damaged already, and cuts follow the reference. */
export const hasLoneSurrogate = (text: string): boolean =>
  // Many times faster, where the engine has it.
  !((text as { isWellFormed?(): boolean }).isWellFormed?.() ?? !loneSurrogate.test(text));

/** Not by code points: WebKit takes a first half before U+FC00 and above for a pair. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/;

const ZWJ = 0x200d;

/** True where `at` lies inside what a reader sees as one character: a pair, CRLF, or a base with its marks. */
function insideCluster(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (splitsPair(text, at)) return true;
  if (before === 0x0d && after === 0x0a) return true;
  if (before === ZWJ || after === ZWJ) return true;
  if ((after >= 0x300 && after <= 0x36f) || (after >= 0xfe00 && after <= 0xfe0f)) return true;
  // Skin tones, U+1F3FB to U+1F3FF.
  const low = text.charCodeAt(at + 1);
  return after === 0xd83c && low >= 0xdffb && low <= 0xdfff;
}

const isSentenceEnd = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  // 。！？｡ end a sentence by themselves; . ! ? need white space behind them.
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff61) return true;
  return (code === 0x2e || code === 0x21 || code === 0x3f) && isSpace(text.charCodeAt(at + 1));
};

/** The last offset in (low, high] at which `holds`, or -1. */
function lastWhere(low: number, high: number, holds: (at: number) => boolean): number {
  for (let at = high; at > low; at--) if (holds(at)) return at;
  return -1;
}

/**
 * Cuts a text into spans of at most `size` code units: behind a line break or a sentence in the second half of
 * the window, else behind a word, else between what a reader sees as characters. White space at a cut belongs to
 * neither side. A single cluster longer than `size` makes a longer span.
 */
export function cutProse(text: string, size: number): [from: number, to: number][] {
  const spans: [number, number][] = [];
  const last = trimEnd(text, 0, text.length);
  let start = trimStart(text, 0, last);
  while (start < last) {
    const end = last - start <= size ? last : cutPoint(text, start, size, last);
    const to = trimEnd(text, start, end);
    spans.push([start, to]);
    start = trimStart(text, end, last);
  }
  return spans;
}

function cutPoint(text: string, start: number, size: number, last: number): number {
  const high = start + size;
  const half = start + (size >> 1);
  const line = lastWhere(half, high, (at) => text.charCodeAt(at - 1) === 0x0a);
  if (line > 0) return line;
  const sentence = lastWhere(half, high, (at) => isSentenceEnd(text, at - 1));
  if (sentence > 0) return sentence;
  const word = lastWhere(start, high, (at) => isSpace(text.charCodeAt(at)) && !insideCluster(text, at));
  if (word > 0) return word;
  const cluster = lastWhere(start, high, (at) => !insideCluster(text, at));
  if (cluster > 0) return cluster;
  let at = high + 1;
  while (at < last && insideCluster(text, at)) at++;
  return at;
}
