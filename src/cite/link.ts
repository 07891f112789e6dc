import { invalidOption } from '../errors.ts';
import { knownOptions, maybeBoolean } from '../options.ts';
import { chunkProvenance, passageText } from '../provenance.ts';
import { renderedBlocks } from './rendered.ts';
import { whole } from './words.ts';

export interface CitationLinkOptions {
  /**
   * Where the documents' pages lie, `https://example.com/docs/` or `/docs/`. Without it a document's uri is the address
   * of its page.
   */
  baseUrl?: string | undefined;
  /** The text of the page as it is shown, so that the fragment points to this passage and to no other like it. */
  pageText?: string | undefined;
  /** Adds `:~:text=…`. Default true. */
  textFragment?: boolean | undefined;
}

const optionNames = { baseUrl: true, pageText: true, textFragment: true } as const;

/** Longer texts are given by their first and last words. In UTF-16 code units. */
const longestExact = 300;
/** Words at either end, before more are needed to be unique. */
const endWords = 5;
/** Words at most, to be unique. */
const mostWords = 40;

/**
 * The address of a passage on its page: `page#slug:~:text=…`, which browsers scroll to and mark. The text is that of
 * the rendered page: without the marks of Markdown, its first and last words where it is long or has several blocks,
 * with words before it where `pageText` has others like it. By the draft "URL Fragment Text Directives" of the WICG.
 *
 * The page is the passage's `metadata.url`, else its document's uri under `baseUrl`. A document's uri is data: one
 * with another scheme than http or https is taken for a path, so that no link runs anything.
 *
 * @param passage a hit, chunk, document or message
 * @throws ShelfmarkError `INVALID_OPTION`
 */
export function citationLink(passage: unknown, options: CitationLinkOptions = {}): string {
  const { baseUrl = '', pageText, textFragment } = knownOptions(options, optionNames);
  maybeBoolean('textFragment', textFragment);
  if (typeof baseUrl !== 'string' || (/^[\s\0-\x1f]*[a-z][a-z\d+.-]*:/i.test(baseUrl) && !isWeb(baseUrl))) {
    throw invalidOption('baseUrl', baseUrl, 'the address of a folder, of http or https or relative');
  }
  if (pageText !== undefined && typeof pageText !== 'string') {
    throw invalidOption('pageText', pageText, 'the text of the page, or leave it out');
  }
  const { metadata, slug } = (passage ?? {}) as { metadata?: { url?: unknown }; slug?: unknown };
  const { docUri = '' } = chunkProvenance(passage);
  const url = metadata?.url;
  const page = webAddress(url) ?? addressOf(uriOf(passage) ?? docUri, baseUrl);
  const [address, hash = ''] = page.split(/#(.*)/s);
  const anchor = typeof slug === 'string' && slug !== '' ? encoded(slug) : hash.replace(/:~:.*$/s, '');
  const directive = textFragment === false ? '' : directiveOf(renderedBlocks(passageText(passage)), pageText);
  const text = directive === '' ? '' : `:~:text=${directive}`;
  return anchor === '' && text === '' ? address! : `${address}#${anchor}${text}`;
}

const isWeb = (address: string): boolean => /^https?:\/\//i.test(address);

/** A hit has its uri beside its metadata, which the accessors do not read where there is any. */
function uriOf(passage: unknown): string | undefined {
  const uri = (passage as { docUri?: unknown } | null | undefined)?.docUri;
  return typeof uri === 'string' && uri !== '' ? uri : undefined;
}

/** An address of the web with what could end an attribute percent-encoded; undefined for anything else. */
function webAddress(address: unknown): string | undefined {
  if (typeof address !== 'string' || !isWeb(address)) return undefined;
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

function addressOf(uri: string, baseUrl: string): string {
  const own = webAddress(uri);
  if (own !== undefined) return own;
  // Two slashes would name another host, and a colon another scheme.
  const path = uri
    .replace(/^[\\/]+/, baseUrl === '' ? '/' : '')
    .split('/')
    .map(encoded)
    .join('/');
  // A base that is a host alone has no folder to cut its last name from.
  const base = baseUrl.replace(/[?#].*$/s, '').replace(/^((?:https?:)?\/\/[^/]+)$/i, '$1/');
  return base.replace(/[^/]*$/, '') + path;
}

/** Percent-encoded; a lone surrogate has no bytes and becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );

/** What the directive's own syntax uses: `-`, and `,` and `&`, which are encoded already. */
const term = (text: string): string => encoded(text).replaceAll('-', '%2D');

const isWorded = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const same = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

function directiveOf(all: readonly string[], pageText: string | undefined): string {
  const blocks = all.filter(isWorded);
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return '';
  const page = pageText === undefined ? undefined : pageOf(same(pageText), blocks);
  const isSure = !bracket.test(first);
  if (blocks.length === 1 && first.length <= longestExact && isSure) return before(first, page) + term(first);

  const starts = [...sureStart(first).matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length);
  const tailText = sureEnd(last);
  const tailAt = last.length - tailText.length;
  const ends = [...tailText.matchAll(/\S+/g)].map(({ index }) => index + tailAt);
  // One long block must not begin and end with the same words; a single word of a megabyte has no two ends.
  const most = blocks.length === 1 ? Math.floor(starts.length / 2) : mostWords;
  let count = Math.min(endWords, most, starts.length);
  if (count === 0 || ends.length === 0)
    return first.length <= longestExact ? before(first, page) + term(first) : '';
  const startOf = (words: number): string => first.slice(0, starts[words - 1]!);
  while (count < Math.min(starts.length, most, mostWords) && !isFirst(startOf(count), page)) count++;
  const start = startOf(count);
  // Browsers mark up to the first place where the last words stand.
  const shown = same(blocks.join(' '));
  const tailOf = (words: number): string => last.slice(ends[ends.length - words]!);
  const isLast = (tail: string): boolean =>
    whole(shown, same(tail), start.length) === shown.length - tail.length;
  let tail = Math.min(endWords, most, ends.length);
  while (tail < Math.min(ends.length, most, mostWords) && !isLast(tailOf(tail))) tail++;
  return `${before(start, page)}${term(start)},${term(tailOf(tail))}`;
}

/** Brackets that are left may be a link's, whose label is defined elsewhere, or shown. */
const bracket = /[[\]]/;
/** Whole words before the first bracket, and behind the last one. */
const sureStart = (text: string): string => {
  const at = text.search(bracket);
  return at < 0 ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ', at)));
};
const sureEnd = (text: string): string => {
  const at = Math.max(text.lastIndexOf('['), text.lastIndexOf(']'));
  const from = at < 0 ? 0 : text.indexOf(' ', at);
  return from < 0 ? '' : text.slice(from);
};

/** A page's text as it is compared, and where the passage begins in it. */
interface Page {
  text: string;
  at: number;
}

/** What pages put behind a title, a mark to link to it for example, in UTF-16 code units. */
const anchorChars = 24;

/** Titles come up again: the passage is where its second block follows the first. */
function pageOf(text: string, [first, second = '']: readonly string[]): Page | undefined {
  const [start, next] = [same(first!), same(second).slice(0, 40)];
  const place = whole(text, start, 0);
  for (let at = place; at >= 0 && next !== ''; at = whole(text, start, at + 1)) {
    const end = at + start.length;
    if (text.slice(end, end + next.length + anchorChars).includes(next)) return { text, at };
  }
  return place < 0 ? undefined : { text, at: place };
}

const isFirst = (start: string, page: Page | undefined): boolean =>
  page === undefined || whole(page.text, same(start), 0) === page.at;

/** `prefix-,` where the page has the text earlier as well: the words in front of it, as many as are needed. */
function before(text: string, page: Page | undefined): string {
  if (page === undefined || isFirst(text, page)) return '';
  const front = page.text.slice(Math.max(0, page.at - 300), page.at).trimEnd();
  const words = [...front.matchAll(/\S+/g)].map(({ index }) => index).reverse();
  for (const from of words.slice(0, mostWords)) {
    const prefix = front.slice(from);
    const at = whole(page.text, `${prefix} ${same(text)}`, 0);
    if (at === page.at - prefix.length - 1) return `${term(prefix)}-,`;
  }
  return '';
}
