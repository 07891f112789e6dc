// What `npm run size` measures, and the table of it in docs/sizes.md.

/**
 * Limits in kB (1,000 bytes), optional peers left out. `goal` is what the design asks for and is not reached yet:
 * the limit then keeps what there is from growing.
 */
export const apps = [
  { what: 'byHeading', code: "import { byHeading } from 'shelfmark';", limit: 22.5, goal: 12 },
  { what: 'markdownHeadings', code: "import { markdownHeadings } from 'shelfmark';", limit: 12.5 },
  { what: 'chunkText', code: "import { chunkText } from 'shelfmark';", limit: 6.5 },
  { what: 'openIndex', code: "import { openIndex } from 'shelfmark';", limit: 39, goal: 28 },
  {
    what: 'formatContext, verifyQuotes',
    code: "import { formatContext, parseCitations, verifyQuotes } from 'shelfmark';",
    limit: 7,
  },
  { what: 'everything', code: "import * as shelfmark from 'shelfmark';", limit: 96 },
  {
    what: 'transformersEmbedder',
    code: "import { transformersEmbedder } from 'shelfmark/transformers';",
    limit: 10,
  },
  // At once; the rest of the library is fetched when the dialog first opens.
  { what: 'element', code: "import 'shelfmark/element';", limit: 12.5, goal: 10 },
  { what: 'connectIndex', code: "import { connectIndex } from 'shelfmark/worker';", limit: 4 },
  { what: 'serveIndex', code: "import { serveIndex } from 'shelfmark/worker';", limit: 39.5 },
  { what: 'answer', code: "import { answer } from 'shelfmark/answer';", limit: 23.5 },
  { what: 'ChromaVectorStore', code: "import { ChromaVectorStore } from 'shelfmark/chroma';", limit: 10 },
  { what: 'provenance', code: "import * as provenance from 'shelfmark/provenance';", limit: 1 },
];

const figure = (kB) => (kB === undefined ? '' : kB.toFixed(1));

/** The table of docs/sizes.md: a row an app, in kB. */
export const sizeTable = (measured) =>
  [
    '| an app that has | at once | on demand | limit | goal |',
    '|---|---|---|---|---|',
    ...apps.map(({ what, code, limit, goal }) => {
      const { atOnce, later } = measured.get(what);
      return `| ${what}: \`${code}\` | ${figure(atOnce)} | ${figure(later)} | ${limit} | ${goal ?? ''} |`;
    }),
  ].join('\n');

/** The table between the page's two marks. */
export const markedTable = /(?<=<!-- sizes -->\n)[\s\S]*?(?=\n<!-- \/sizes -->)/;
