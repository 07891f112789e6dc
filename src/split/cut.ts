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
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);
