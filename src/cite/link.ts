import { invalidOption } from '../errors.ts';
import { knownOptions, maybeBoolean } from '../options.ts';
import { chunkProvenance, passageText } from '../provenance.ts';
import { type DirectiveParts, endWords, longestExact, mostWords, partsOnPage, same } from './on-page.ts';
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

/**
 * The address of a passage on its page: `page#slug:~:text=…`, which browsers scroll to and mark. The text is that of
 * the rendered page: without the marks of Markdown, its first and last words where it is long or has several blocks,
 * with words before it where `pageText` has others like it. By the draft "URL Fragment Text Directives" of the WICG.
 *
 * The page is the passage's `metadata.url`, else its document's uri under `baseUrl`, or that uri itself where it is an
 * address and `baseUrl` is of the same host or not given. A document's uri is data: any other address is taken for a
 * path, so that no link runs anything, and `..` leads no higher than `baseUrl`.
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
  const directive =
    textFragment === false
      ? ''
      : directiveOf(renderedBlocks(passageText(passage), contextOf(passage)), pageText);
  const text = directive === '' ? '' : `:~:text=${directive}`;
  return anchor === '' && text === '' ? address! : `${address}#${anchor}${text}`;
}

const isWeb = (address: string): boolean => /^https?:\/\//i.test(address);

/** A hit has its uri beside its metadata, which the accessors do not read where there is any. */
function uriOf(passage: unknown): string | undefined {
  const uri = (passage as { docUri?: unknown } | null | undefined)?.docUri;
  return typeof uri === 'string' && uri !== '' ? uri : undefined;
}

/** A chunk or hit that begins inside of a fence or a table says so. */
function contextOf(passage: unknown): string | undefined {
  const context = (passage as { context?: unknown } | null | undefined)?.context;
  return typeof context === 'string' ? context : undefined;
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
  // A base that is a host alone has no folder to cut its last name from.
  const base = baseUrl
    .replace(/[?#].*$/s, '')
    .replace(/^((?:https?:)?\/\/[^/]+)$/i, '$1/')
    .replace(/[^/]*$/, '');
  if (own !== undefined && (baseUrl === '' || isUnder(own, base))) return own;
  // Two slashes would name another host, and a colon another scheme.
  const names = uri.replace(/^[\\/]+/, baseUrl === '' ? '/' : '').split('/');
  return base + (baseUrl === '' ? names : below(names)).map(encoded).join('/');
}

/** Whether an address lies on the host of a base; of one without a host nobody can say. */
function isUnder(address: string, base: string): boolean {
  const { origin, host } = new URL(address);
  if (isWeb(base)) return URL.canParse(base) && new URL(base).origin === origin;
  return /^\/\/[^/]/.test(base) && base.slice(2).split('/')[0]!.toLowerCase() === host;
}

/** The names of a path without those that climb: what is above the folder is none of the document's. */
function below(names: readonly string[]): string[] {
  const kept: string[] = [];
  for (const name of names) {
    if (name === '..') kept.pop();
    else if (name !== '.') kept.push(name);
  }
  return kept;
}

/** Percent-encoded; a lone surrogate has no bytes and becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );

/** What the directive's own syntax uses: `-`, and `,` and `&`, which are encoded already. */
const term = (text: string): string => encoded(text).replaceAll('-', '%2D');

const isWorded = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function directiveOf(all: readonly string[], pageText: string | undefined): string {
  const blocks = all.filter(isWorded);
  if (blocks.length === 0) return '';
  const parts = (pageText === undefined ? undefined : partsOnPage(blocks, pageText)) ?? partsOf(blocks);
  if (parts === undefined) return '';
  const { prefix, start, end, suffix } = parts;
  return [
    prefix === undefined ? [] : `${term(prefix)}-`,
    term(start),
    end === undefined ? [] : term(end),
    suffix === undefined ? [] : `-${term(suffix)}`,
  ]
    .flat()
    .join(',');
}

/** What to point to by the passage alone. */
function partsOf(blocks: readonly string[]): DirectiveParts | undefined {
  const first = blocks[0]!;
  const last = blocks.at(-1)!;
  if (blocks.length === 1 && first.length <= longestExact && !bracket.test(first)) return { start: first };

  const starts = [...sureStart(first).matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length);
  const tailText = sureEnd(last);
  const tailAt = last.length - tailText.length;
  const ends = [...tailText.matchAll(/\S+/g)].map(({ index }) => index + tailAt);
  // One long block must not begin and end with the same words; a single word of a megabyte has no two ends.
  const most = blocks.length === 1 ? Math.floor(starts.length / 2) : mostWords;
  const count = Math.min(endWords, most, starts.length);
  if (count === 0 || ends.length === 0) return first.length <= longestExact ? { start: first } : undefined;
  const start = first.slice(0, starts[count - 1]!);
  // Browsers mark up to the first place where the last words stand.
  const shown = same(blocks.join(' '));
  const tailOf = (words: number): string => last.slice(ends[ends.length - words]!);
  const isLast = (tail: string): boolean =>
    whole(shown, same(tail), start.length) === shown.length - tail.length;
  let tail = Math.min(endWords, most, ends.length);
  while (tail < Math.min(ends.length, most, mostWords) && !isLast(tailOf(tail))) tail++;
  return { start, end: tailOf(tail) };
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
