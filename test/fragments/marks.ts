import type { Page } from '@playwright/test';
import type { Bounds } from './site.ts';

/** What a followed link marks, held against where the passage's text lies. */
export interface Marks {
  /** Share of the passage's text that is marked, 0 to 1. */
  inside: number;
  /** Share of what is marked that is no text of the passage, 0 to 1; 0 where nothing is. */
  outside: number;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A passage's text on its page: from one character to another, white space not counted. */
export interface Span {
  from: number;
  to: number;
}

interface Read {
  text: string;
  spans: Span[];
  ids: string[];
}

/** What the page in the window shows, and where passages lie in it. Runs in the page. */
function readPage(passages: Bounds[]): Read {
  const bare = (root: Element): string => {
    for (const hidden of root.querySelectorAll('style, script, template')) hidden.remove();
    return root.textContent.replace(/\s+/g, '');
  };
  const whole = bare(document.body.cloneNode(true) as Element);
  const spans = passages.map(({ start, end }) => {
    const [from, to] = [start, end].map((html) => {
      const part = bare(new DOMParser().parseFromString(html, 'text/html').body);
      // A mark that nothing closes yet is text there, and none on the page.
      let same = 0;
      while (same < part.length && part[same] === whole[same]) same++;
      return same;
    });
    return { from: from!, to: to! };
  });
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  // biome-ignore lint/performance/useDomNodeTextContent: the text as it is shown is what the option takes
  return { text: document.body.innerText, spans, ids };
}

/** The text of the page in the window, where passages lie in it, and its anchors. */
export const read = (page: Page, passages: Bounds[]): Promise<Read> => page.evaluate(readPage, passages);

/** Client rectangles of a passage: of its words, and of all there is from the first to the last. Runs in the page. */
function boxesOf({ from, to }: Span): { words: Box[]; all: Box[] } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const [words, all]: [Box[], Box[]] = [[], []];
  const add = (node: Node, start: number, end: number, to: Box[]): void => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    for (const { x, y, width, height } of range.getClientRects()) to.push({ x, y, width, height });
  };
  let at = 0;
  for (let node = walker.nextNode(); node !== null && at < to; node = walker.nextNode()) {
    if (/^(?:style|script)$/i.test(node.parentElement!.tagName)) continue;
    const { data } = node as Text;
    let [first, last] = [-1, -1];
    for (const { 0: word, index } of data.matchAll(/\S+/g)) {
      const start = index + Math.max(0, from - at);
      const end = index + Math.min(word.length, to - at);
      at += word.length;
      if (start >= end) continue;
      add(node, start, end, words);
      if (first < 0) first = start;
      last = end;
    }
    if (first >= 0) add(node, first, last, all);
  }
  return { words, all };
}

/** Counts the pixels of a picture that are marked, in some boxes and out of them. Runs in a page of its own. */
async function count({ picture, words, all }: { picture: string; words: Box[]; all: Box[] }) {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  /** 1 in a word for certain, 2 at its edge or between words. */
  const place = new Uint8Array(width * height);
  for (const [boxes, grow, value] of [
    [all, 1, 2],
    [words, -1, 1],
  ] as const) {
    for (const box of boxes) {
      const [left, right] = [Math.floor(box.x - grow), Math.ceil(box.x + box.width + grow)];
      const [top, bottom] = [Math.floor(box.y - grow), Math.ceil(box.y + box.height + grow)];
      for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
        if (right > left)
          place.fill(value, y * width + Math.max(0, left), y * width + Math.min(width, Math.max(0, right)));
    }
  }
  let [text, marked, inside, outside] = [0, 0, 0, 0];
  for (let at = 0; at < place.length; at++) {
    const isMarked = data[at * 4] === 255 && data[at * 4 + 1] === 0 && data[at * 4 + 2] === 255;
    if (place[at] === 1) text++;
    if (!isMarked) continue;
    marked++;
    if (place[at] === 1) inside++;
    if (place[at] === 0) outside++;
  }
  return { marked, inside: text === 0 ? 0 : inside / text, outside: marked === 0 ? 0 : outside / marked };
}

/** Pictures without a mark, each of a new frame, after which there will be none. */
const patience = 8;

/**
 * Follows a link and answers what it marks.
 *
 * @param eye a page to look at pictures in
 */
export async function follow(page: Page, eye: Page, link: string, span: Span): Promise<Marks> {
  const devtools = await page.context().newCDPSession(page);
  await page.goto('about:blank');
  await page.goto(link, { waitUntil: 'load' });
  for (let look = 0; ; look++) {
    const before = await page.evaluate(() => scrollY);
    const { data: picture } = await devtools.send('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
    });
    const [after, boxes] = [await page.evaluate(() => scrollY), await page.evaluate(boxesOf, span)];
    if (before !== after) continue;
    const { marked, inside, outside } = await eye.evaluate(count, { picture, ...boxes });
    if (marked === 0 && look < patience) continue;
    await devtools.detach();
    return { inside, outside };
  }
}
