/** Anchors of headings as the usual generators make them. Letter classes are the engine's: an anchor ranks nothing. */
import { invalidOption } from '../errors.ts';
import { plainTitle } from './plain-title.ts';

/** Makes the anchor of a title; `seen` holds the anchors of the document so far, and how often each was asked for. */
export interface Slugger {
  (title: string, seen: Map<string, number>): string;
  /** Names it, and its version, in the ids of splitters; `'custom'` where there is none. */
  readonly id?: string;
}
export type SluggerName = 'github' | 'vitepress' | 'docusaurus' | 'mdbook';

/** `a`, `a-1`, `a-2` …, skipping what is taken, as github-slugger counts. */
function numbered(slug: string, seen: Map<string, number>): string {
  let count = seen.get(slug);
  let unique = slug;
  if (count !== undefined) {
    do unique = `${slug}-${++count}`;
    while (seen.has(unique));
    seen.set(slug, count);
  }
  seen.set(unique, 0);
  return unique;
}

/** A character beyond ASCII, by itself: WebKit takes some that follow each other for one (bug 319651). */
const character = /[\ud800-\udbff][\udc00-\udfff]|[^\0-\x7f]/g;
/** A title that is nothing but words: most are. */
const bare = /^[A-Za-z0-9 -]*$/;
/** No marks but plain code spans, whose backticks no anchor keeps: what a reader sees need not be found out. */
const codeAlone = /^(?:[^\\`*_~<&[\r\n]|`[^`\s](?:[^`\r\n]*[^`\s])?`(?!`))*$/;
/** Without the ASCII that `unkept` tells and the characters beyond that are none of `kept`. */
const lettersOf = (text: string, unkept: RegExp, kept: RegExp): string =>
  text.replace(unkept, '').replace(character, (one) => (kept.test(one) ? one : ''));

const githubSlug = (text: string): string =>
  lettersOf(
    text.toLowerCase(),
    /[^\w\- \x80-\uffff]/g,
    /[\p{Alphabetic}\p{M}\p{Nd}\p{Nl}\p{Pc}]/u,
  ).replaceAll(' ', '-');

const github: Slugger = (title, seen) => {
  if (bare.test(title)) return numbered(title.toLowerCase().replaceAll(' ', '-'), seen);
  return numbered(githubSlug(codeAlone.test(title) ? title : plainTitle(title)), seen);
};

/** github-slugger on the text with what stands for images. */
const docusaurus: Slugger = (title, seen) => numbered(githubSlug(plainTitle(title, true)), seen);

/** @mdit-vue/shared, which VitePress uses. */
const vitepress: Slugger = (title, seen) =>
  numbered(
    plainTitle(title, true)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[\u0000-\u001f]/g, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/-{2,}/g, '-')
      .replace(/^-|-$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
    seen,
  );

/** mdBook keeps letters, numbers, `_` and `-`, turns white space into `-` and lower-cases ASCII. */
const mdbook: Slugger = (title, seen) => {
  const letters = lettersOf(plainTitle(title).trim(), /[^\w\-\s\x80-\uffff]/g, /[\p{Alphabetic}\p{N}\s]/u);
  return numbered(
    letters.replace(/\s/g, '-').replace(/[A-Z]+/g, (some) => some.toLowerCase()),
    seen,
  );
};

export const sluggers: Record<SluggerName, Slugger> = { github, vitepress, docusaurus, mdbook };

/** A heading's title without the anchor its author gave it, and its anchor. */
export interface Anchored {
  title: string;
  slug: string;
}

/** Makes the anchors of one document, heading by heading in its order: they are numbered over all of it. */
export function anchorsOf(slugger: SluggerName | Slugger): (title: string) => Anchored {
  const seen = new Map<string, number>();
  if (typeof slugger === 'function') {
    return (title) => {
      const slug: unknown = slugger(title, seen);
      if (typeof slug === 'string') return { title, slug };
      throw invalidOption('The answer of slugger', slug, 'a string');
    };
  }
  const slugOf = sluggers[slugger];
  if (slugger === 'github') return (title) => ({ title, slug: slugOf(title, seen) });
  return (given) => {
    const { title, id } = customId(given, slugger);
    // VitePress alone counts such an anchor among those that are taken.
    if (id !== undefined && slugger === 'vitepress') seen.set(id, 0);
    return { title, slug: id ?? slugOf(title, seen) };
  };
}

/**
 * `Title {#id}`, where the generator honours it: all but GitHub. Docusaurus takes anything between the braces for the
 * id; VitePress and mdBook take attributes: `{#id .class key=value}`.
 */
export function customId(given: string, generator: SluggerName | undefined): { title: string; id?: string } {
  const open = given.lastIndexOf('{');
  if (open < 0 || !given.endsWith('}') || generator === 'github' || generator === undefined)
    return { title: given };
  const inner = given.slice(open + 1, -1).trim();
  let end = open;
  let id: string | undefined;
  if (generator === 'docusaurus') {
    if (/^#[^}]+$/.test(inner)) id = inner.slice(1).trim();
    // MDX has the brace escaped.
    if (given[end - 1] === '\\') end--;
  } else if (!/[{}]/.test(inner)) {
    const attributes = inner.split(/\s+/);
    if (attributes.every((one) => /^(?:[#.][^\s#.=]+|[\w:-]+=\S+)$/.test(one))) {
      id = attributes.find((one) => one[0] === '#')?.slice(1);
      if (id === undefined) return { title: given.slice(0, open).trimEnd() };
    }
  }
  if (id === undefined || id === '') return { title: given };
  return { title: given.slice(0, end).trimEnd(), id };
}
