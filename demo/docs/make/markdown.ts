import { existsSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { markdownHeadings } from '../../../src/split/markdown-headings.ts';
import type { Source, SourcePage } from './source.ts';

export interface RenderedPage {
  html: string;
  /** Sections below the page's title, for the contents. */
  sections: { id: string; title: string }[];
  /** Every anchor that the page has. */
  anchors: Set<string>;
  /** Files of the source's folder that it shows. */
  files: Set<string>;
}

interface Env {
  source: Source;
  page: RenderedPage;
  /** Levels that headings go up, so that those below the first are of the second. */
  lift: number;
  /** Anchors by line. */
  slugs: Map<number, string>;
  /** Line of the page's title, its first heading. */
  titleLine: number | undefined;
}

const md = new MarkdownIt({ html: true, linkify: false });
const { escapeHtml } = md.utils;
const textOf = (html: string): string => html.replace(/<[^>]*>/g, '');

/** Tags without attributes that an author may use; whatever else is HTML is left out and only its text stays. */
const allowed = /^<\/?(?:kbd|sup|sub|em|strong|code|br|i|b)>$/;
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

/**
 * Renders a page. Headings have the anchors that the index gives its passages, since both come from
 * `markdownHeadings`. Of raw HTML only a few plain tags, anchors, captions and descriptions of images get through.
 */
export function render(source: Source, { text, title, uri }: SourcePage): RenderedPage {
  const headings = markdownHeadings(text, { slugger: source.slugger });
  const page: RenderedPage = { html: '', sections: [], anchors: new Set(), files: new Set() };
  for (const { slug } of headings) page.anchors.add(slug);
  const lift = headings.length === 0 ? 0 : Math.min(...headings.map(({ level }) => level)) - 1;
  const slugs = new Map(headings.map(({ line, slug }) => [line, slug]));
  const titleLine = headings[0]?.line;
  const env: Env = { source, page, lift, slugs, titleLine };
  const body = md.render(text, env);
  page.html = titleLine === undefined ? `<h1>${escapeHtml(title)}</h1>\n${body}` : body;
  const missing = [...page.anchors].filter((anchor) => !page.html.includes(`id="${escapeHtml(anchor)}"`));
  if (missing.length > 0) throw new Error(`${uri} is rendered without the anchors ${missing.join(', ')}.`);
  return page;
}

md.core.ruler.push('places', (state) => {
  const { page, lift, slugs, titleLine } = state.env as Env;
  let level = 1;
  state.tokens.forEach((token, at) => {
    if (token.type === 'heading_close') token.tag = `h${level}`;
    if (token.type !== 'heading_open') return;
    const line = token.map![0] + 1;
    level = line === titleLine ? 1 : Math.max(2, Number(token.tag[1]) - lift);
    token.tag = `h${level}`;
    const isNested = token.level > 0;
    // Headings in quotes have no passage in the index, but authors link to them.
    const slug = isNested ? nestedSlug(state.tokens[at + 1]!.content, state.env) : slugs.get(line);
    if (slug === undefined) return;
    token.attrSet('id', slug);
    const title = textOf(md.renderer.render(state.tokens[at + 1]!.children ?? [], md.options, state.env));
    if (level === 2 && !isNested) page.sections.push({ id: slug, title });
  });
});

/** The anchor of a heading that is not of the index; none where another has it. */
function nestedSlug(title: string, { source, page }: Env): string | undefined {
  const slug = markdownHeadings(`# ${title}`, { slugger: source.slugger })[0]?.slug;
  if (slug === undefined || page.anchors.has(slug)) return undefined;
  page.anchors.add(slug);
  return slug;
}

/** A policy without 'unsafe-inline' has no style attributes. */
for (const name of ['th_open', 'td_open'] as const) {
  md.renderer.rules[name] = (tokens, at, options, _env, self) => {
    const token = tokens[at]!;
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = align === undefined ? null : [['class', `to-${align}`]];
    return self.renderToken(tokens, at, options);
  };
}

/** Links to other pages lead to them; those to what is not part of the site stay words. */
md.renderer.rules['link_open'] = (tokens, at, options, env: Env, self) => {
  const token = tokens[at]!;
  const href = String(token.attrGet('href') ?? '');
  const [, path, hash = ''] = /^([^#]*)(#.*)?$/.exec(href)!;
  const page = path!.replace(/\.(?:md|html)$/, '');
  if (/^https?:/i.test(href)) token.attrSet('rel', 'noreferrer');
  else if (env.source.pages.some(({ uri }) => uri === `${page}.md`))
    token.attrSet('href', `${page}.html${hash}`);
  else if (path !== '') token.attrs = null;
  return self.renderToken(tokens, at, options);
};

md.renderer.rules['image'] = (tokens, at, _options, env: Env) => {
  const token = tokens[at]!;
  return image(String(token.attrGet('src') ?? ''), token.content, env);
};

/** Shown where the file is there, else described. */
function image(src: string, alt: string, { source, page }: Env): string {
  if (
    /^[\w-]+(?:[./][\w-]+)*\.(?:png|svg|jpe?g|gif|webp)$/.test(src) &&
    existsSync(join(source.folder, src))
  ) {
    page.files.add(src);
    return `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" loading="lazy">`;
  }
  return alt === '' ? '' : `<span class="absent">Figure: ${escapeHtml(alt)}</span>`;
}

/** What the index takes for code is code; a listing that the book takes from a file elsewhere is named. */
md.renderer.rules['fence'] = (tokens, at) => {
  const { content, info } = tokens[at]!;
  const lines = content.trim().split('\n');
  const included = lines.map((line) => /^\s*\{\{#\w+ (?:\.\.\/)*([^:}]+)[^}]*\}\}$/.exec(line)?.[1]);
  if (lines.length > 0 && included.every((path) => path !== undefined)) {
    const paths = [...new Set(included)].map((path) => `<code>${escapeHtml(path)}</code>`);
    return `<p class="absent">Listing: ${paths.join(', ')}, not part of this copy.</p>\n`;
  }
  const language = /^\w+/.exec(info)?.[0];
  const attributes = language === undefined ? '' : ` class="language-${language}"`;
  // mdBook hides such lines of Rust.
  const shown = language === 'rust' ? content.replace(/^#(?: .*)?\n/gm, '') : content;
  return `<pre><code${attributes}>${escapeHtml(shown)}</code></pre>\n`;
};

const tag = (html: string, env: Env): string => {
  if (allowed.test(html)) return html;
  const id = attribute(html, 'id');
  if (/^<a\b/.test(html) && id !== undefined && /^[\w-]+$/.test(id) && !env.page.anchors.has(id)) {
    env.page.anchors.add(id);
    return `<span id="${id}"></span>`;
  }
  if (/^<img\b/.test(html)) return image(attribute(html, 'src') ?? '', attribute(html, 'alt') ?? '', env);
  return '';
};

md.renderer.rules['html_inline'] = (tokens: Token[], at, _options, env: Env) => tag(tokens[at]!.content, env);

md.renderer.rules['html_block'] = (tokens: Token[], at, _options, env: Env) => {
  const html = tokens[at]!.content.replace(/<!--[\s\S]*?-->/g, '');
  const listing = /^\s*<Listing\b([\s\S]*?)>\s*$/.exec(html)?.[1];
  if (listing !== undefined) {
    const number = attribute(listing, 'number');
    const caption = attribute(listing, 'caption') ?? attribute(listing, 'file-name');
    const parts = [
      number === undefined ? '' : `Listing ${escapeHtml(number)}`,
      caption === undefined ? '' : md.renderInline(caption, env),
    ].filter((part) => part !== '');
    return parts.length === 0 ? '' : `<p class="caption">${parts.join(': ')}</p>\n`;
  }
  const parts = html
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? tag(part, env) : escapeHtml(md.utils.unescapeAll(part))));
  const inner = parts.join('').trim();
  return inner === '' ? '' : `<p>${inner}</p>\n`;
};
