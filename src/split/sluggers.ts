/** Anchors of headings as the usual generators make them. Letter classes are the engine's: an anchor ranks nothing. */

/** Makes the anchor of a title; `seen` holds the anchors of the document so far, and how often each was asked for. */
export type Slugger = (title: string, seen: Map<string, number>) => string;
export type SluggerName = 'github' | 'vitepress' | 'docusaurus' | 'mdbook';

/**
 * What a reader sees of a title: the text of links and code, without marks. Enough for anchors; it knows no
 * reference links, and an underscore inside a word is a letter.
 */
export function plainTitle(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[A-Za-z][^>]*>/g, '')
    .replace(/(`+)([^`]+)\1/g, '$2')
    .replace(/(\*{1,3})([^*]+)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}_])(_{1,3})([^_]+)\2(?![\p{L}\p{N}_])/gu, '$1$3')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** `a`, `a-1`, `a-2` …, skipping what is taken, as github-slugger counts. */
function numbered(slug: string, seen: Map<string, number>): string {
  let unique = slug;
  while (seen.has(unique)) {
    const count = seen.get(slug)! + 1;
    seen.set(slug, count);
    unique = `${slug}-${count}`;
  }
  seen.set(unique, 0);
  return unique;
}

/** A character of its own: WebKit takes some that follow each other for one (bug 319651). */
const character = /[\ud800-\udbff][\udc00-\udfff]|[\s\S]/g;

const github: Slugger = (title, seen) =>
  numbered(
    plainTitle(title)
      .toLowerCase()
      .replace(character, (one) => (/[\p{Alphabetic}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]/u.test(one) ? one : ''))
      .replaceAll(' ', '-'),
    seen,
  );

/** @mdit-vue/shared, which VitePress uses. */
const vitepress: Slugger = (title, seen) =>
  numbered(
    plainTitle(title)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[\u0000-\u001f]/g, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/-{2,}/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
    seen,
  );

/** mdBook keeps letters, numbers, `_` and `-`, turns white space into `-` and lower-cases ASCII. */
const mdbook: Slugger = (title, seen) =>
  numbered(
    plainTitle(title)
      .trim()
      .replace(character, (one) => (/[\p{Alphabetic}\p{N}_\-\s]/u.test(one) ? one : ''))
      .replace(/\s/g, '-')
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    seen,
  );

export const sluggers: Record<SluggerName, Slugger> = { github, vitepress, docusaurus: github, mdbook };

/** `Title {#id}`, where the generator honours it: all but GitHub. */
export function customId(title: string, generator: SluggerName | undefined): { title: string; id?: string } {
  if (generator === 'github' || generator === undefined) return { title };
  const found = /^(.*?)[ \t]*\{#([\w-]+)\}$/s.exec(title);
  return found === null ? { title } : { title: found[1]!, id: found[2]! };
}
