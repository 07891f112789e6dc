import { expect, test } from '@playwright/test';
import { citationLink } from '../../src/cite/link.ts';
import { follow, read } from './marks.ts';
import { boundsOf, hasCorpus, passagesOf, serve } from './site.ts';

/**
 * Passages of a folder to follow, and of how many, in a share of them, the mark may be short of the passage. Those begin
 * or end with lines that their page has elsewhere too, word for word, as listings do: a directive points to a second
 * one by words beside it in its line alone. The mark then begins at the passage's first line of its own.
 */
const folders = hasCorpus
  ? [
      { folder: 'rust-book', passages: 80, mostShort: 0, mostWrong: 0 },
      { folder: 'eslint', passages: 80, mostShort: 2, mostWrong: 0 },
      { folder: 'umi-zh', passages: 40, mostShort: 1, mostWrong: 0 },
    ]
  : // The guides are rewritten time and again, and so are their passages.
    [{ folder: 'docs', passages: 200, mostShort: 3, mostWrong: 1 }];
/** Followed by one test, so that two run at a time until the end. */
const share = 20;
const shares = folders.flatMap((one) =>
  Array.from({ length: one.passages / share }, (_, at) => ({ ...one, from: at * share })),
);

for (const { folder, passages, mostShort, mostWrong, from } of shares) {
  test(`links to passages ${from + 1} to ${from + share} of ${folder} mark the passage and nothing else`, async ({
    page,
    context,
  }) => {
    const documents = passagesOf(folder, passages, from, from + share);
    expect(documents.flatMap(({ chunks }) => chunks)).toHaveLength(share);
    const { server, address } = await serve(documents);
    const eye = await context.newPage();
    const wrong: string[] = [];
    const short: string[] = [];
    try {
      for (const { uri, text, chunks } of documents) {
        await page.goto(address + uri);
        const bounds = chunks.map((chunk) => boundsOf(text, chunk));
        const { text: pageText, spans, ids } = await read(page, bounds);
        for (const [at, chunk] of chunks.entries()) {
          const link = citationLink(chunk, { baseUrl: address, pageText });
          if (chunk.slug !== undefined) expect(ids, chunk.id).toContain(chunk.slug);
          const span = spans[at]!;
          if (span.from === span.to) {
            // Of addresses for links a page shows nothing.
            expect(link, chunk.id).not.toContain(':~:');
            continue;
          }
          const { inside, outside } = await follow(page, eye, link, span);
          if (inside > 0.97 && outside < 0.03) continue;
          const list = inside > 0.8 && outside < 0.03 ? short : wrong;
          list.push(
            `${chunk.id}: ${inside} of it is marked, ${outside} of the mark is not of it: ${decodeURIComponent(link)}`,
          );
        }
      }
    } finally {
      server.close();
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostWrong);
    expect(short.length, short.join('\n')).toBeLessThanOrEqual(mostShort);
  });
}
