import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.ts';

/** What no reader of a page reads, or reads on every page. */
const skipped = new Set(
  'title script style template noscript svg math nav aside footer iframe object button select textarea dialog'.split(
    ' ',
  ),
);
const headings = new Set('h1 h2 h3 h4 h5 h6'.split(' '));
/** Where a line ends. */
const blocks = new Set(
  'p div section article main header figure figcaption address details summary dl dt dd ul ol table hr form fieldset center body'.split(
    ' ',
  ),
);
/** Elements that never have an end tag. */
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Links to the heading they stand in, which generators add to it. */
const permalink = /^[¶§#🔗\s]*$/u;

/**
 * A page of HTML as Markdown, by its headings: those with another `id` than GitHub would give them carry it as `{#id}`.
 * Read is the first `<main>` or, where there is none, `<article>`, else all of the body; left out are navigation,
 * asides, footers, scripts, what is `hidden`, images, and the addresses of links. Headings, paragraphs, lists, quotes, tables and code stay what
 * they are.
 */
export function htmlToMarkdown(html: string): { text: string; title: string | undefined } {
  const out = new MarkdownWriter();
  const regions: Record<'main' | 'article', { from: number; to?: number } | undefined> = {
    main: undefined,
    article: undefined,
  };
  /** Open elements that are of use when they end; one that skips has the others wait. */
  const open: { name: string; region?: 'main' | 'article'; link?: number }[] = [];
  let skipping = 0;
  let title = '';
  let inTitle = false;
  let sectionId: string | undefined;

  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title' && skipping === 0 && title === '') inTitle = true;
      if (skipping > 0 || skips(name, attributes)) {
        if (!empty.has(name)) skipping++;
        return;
      }
      const element: (typeof open)[number] = { name };
      const { role, id } = attributes;
      const region = name === 'main' || role === 'main' ? 'main' : name === 'article' ? name : undefined;
      if (headings.has(name)) {
        out.heading(Number(name[1]), id ?? sectionId);
        sectionId = undefined;
      } else if (name === 'pre') out.pre();
      else if (name === 'code') out.code(attributes['class']);
      else if (name === 'br') out.lineBreak();
      else if (name === 'ul' || name === 'ol') out.list(name === 'ol', attributes['start']);
      else if (name === 'li') out.item();
      else if (name === 'blockquote') out.quote();
      else if (name === 'table') out.table();
      else if (name === 'tr') out.row();
      else if (name === 'td' || name === 'th') out.cell();
      else if (name === 'a' && attributes['href']?.startsWith('#')) element.link = out.mark;
      else if (blocks.has(name)) out.flush();
      if (id !== undefined && (name === 'section' || name === 'div')) sectionId = id;
      if (region !== undefined && regions[region] === undefined) {
        out.flush();
        regions[region] = { from: out.length };
        element.region = region;
      }
      open.push(element);
    },
    ontext(text) {
      if (inTitle) title += text;
      if (skipping > 0) return;
      out.text(text);
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (skipping > 0) {
        if (!empty.has(name)) skipping--;
        return;
      }
      const element = open.pop();
      if (headings.has(name)) out.endHeading();
      else if (name === 'pre') out.endPre();
      else if (name === 'code') out.endCode();
      else if (name === 'ul' || name === 'ol') out.endList();
      else if (name === 'li') out.endItem();
      else if (name === 'blockquote') out.endQuote();
      else if (name === 'table') out.endTable();
      else if (element?.link !== undefined) out.forgetFrom(element.link, permalink);
      else if (blocks.has(name)) out.flush();
      if (element?.region !== undefined) {
        out.flush();
        regions[element.region]!.to = out.length;
      }
    },
  });
  parser.write(html);
  parser.end();
  const region = regions.main ?? regions.article;
  const text = out.finish(region?.from, region?.to);
  const named = title.replace(/\s+/g, ' ').trim();
  return { text, title: named === '' ? undefined : named };
}

const skips = (name: string, attributes: Record<string, string>): boolean =>
  skipped.has(name) ||
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  attributes['role'] === 'navigation';
