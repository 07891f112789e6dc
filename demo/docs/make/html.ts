import type { RenderedPage } from './markdown.ts';
import type { Source, SourcePage } from './source.ts';

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`);

/** Where a page of the site is. */
export const addressOf = (uri: string): string => uri.replace(/\.md$/, '.html');

const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const arrow = { previous: 'Previous', next: 'Next' } as const;

/** Chapters with the pages below them. */
function chapters(pages: readonly SourcePage[]): SourcePage[][] {
  const all: SourcePage[][] = [];
  for (const page of pages) {
    if (page.depth === 0 || all.length === 0) all.push([page]);
    else all.at(-1)!.push(page);
  }
  return all;
}

const link = (page: SourcePage, isCurrent = false): string =>
  `<a href="${addressOf(page.uri)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(page.title)}</a>`;

/** The contents: every chapter, the pages of the one that is open, and the sections of the page. */
function contents(
  source: Source,
  current: SourcePage | undefined,
  rendered: RenderedPage | undefined,
): string {
  const sections = (rendered?.sections ?? []).map(
    ({ id, title }) => `<li><a href="#${escaped(id)}">${title}</a></li>`,
  );
  const item = (page: SourcePage, below = ''): string => {
    const isCurrent = page === current;
    const own = isCurrent && sections.length > 0 ? `<ul class="sections">${sections.join('')}</ul>` : '';
    return `<li>${link(page, isCurrent)}${own}${below}</li>`;
  };
  const list = chapters(source.pages).map(([first, ...rest]) => {
    const isOpen = first === current || rest.includes(current!);
    const below = isOpen && rest.length > 0 ? `<ul>${rest.map((page) => item(page)).join('')}</ul>` : '';
    return item(first!, below);
  });
  return `<ul>${list.join('\n')}</ul>`;
}

/** All pages, as the first page of the site. */
export function overview(source: Source): string {
  const list = chapters(source.pages).map(([first, ...rest]) => {
    const below =
      rest.length === 0 ? '' : `<ul>${rest.map((page) => `<li>${link(page)}</li>`).join('')}</ul>`;
    return `<li>${link(first!)}${below}</li>`;
  });
  return `<h1>${escaped(source.title)}</h1>\n<p class="lead">${escaped(source.lead)}</p>\n<ul class="overview">${list.join('\n')}</ul>`;
}

export interface Assets {
  script: string;
  style: string;
}

interface PageParts {
  title: string;
  main: string;
  page?: SourcePage;
  rendered?: RenderedPage;
}

/** A page of the site. Every address in it is relative, so that the site may lie in any folder. */
export function html(source: Source, assets: Assets, { title, main, page, rendered }: PageParts): string {
  const at = page === undefined ? -2 : source.pages.indexOf(page);
  const beside = ([way, place]: ['previous' | 'next', number]): string => {
    const other = at < 0 ? undefined : source.pages[place];
    if (other === undefined) return '';
    const rel = way === 'previous' ? 'prev' : 'next';
    return `<a class="${way}" rel="${rel}" href="${addressOf(other.uri)}"><span>${arrow[way]}</span> ${escaped(other.title)}</a>`;
  };
  const licences = source.licences.map(
    (name) => `<a href="${escaped(name)}">${escaped(name.replace(/^LICENCE\.|\.txt$/g, ''))}</a>`,
  );
  return `<!doctype html>
<html lang="en" data-base="./">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f1f3ef" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#111513" media="(prefers-color-scheme: dark)">
    <meta name="referrer" content="no-referrer">
    <link rel="manifest" href="manifest.webmanifest">
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="icon-192.png">
    <link rel="stylesheet" href="${assets.style}">
    <script type="module" src="${assets.script}"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the text</a>
    <header class="top">
      <button type="button" class="menu" popovertarget="contents">Contents</button>
      <a class="brand" href="index.html">${escaped(source.title)}</a>
      <shelfmark-search src="docs.shelf" base-url="./" placeholder="Search all ${source.pages.length} pages"></shelfmark-search>
    </header>
    <div class="frame">
      <nav id="contents" popover aria-label="Contents">
        <a class="home" href="index.html"${page === undefined ? ' aria-current="page"' : ''}>Contents</a>
        ${contents(source, page, rendered)}
      </nav>
      <main id="main" tabindex="-1">
        <article>
${main}
        </article>
        <nav class="beside" aria-label="Neighbouring pages">${beside(['previous', at - 1])}${beside(['next', at + 1])}</nav>
      </main>
    </div>
    <footer class="foot">
      <p id="offline" role="status"></p>
      <button type="button" id="update" hidden>Load the new version</button>
      ${licences.length === 0 ? '' : `<p class="licences">Licences: ${licences.join(' ')}</p>`}
    </footer>
  </body>
</html>
`;
}

/** The manifest of the app. */
export const manifest = (source: Source): string =>
  JSON.stringify(
    {
      name: source.title,
      short_name: source.title.length > 12 ? 'Docs' : source.title,
      description: source.lead,
      lang: 'en',
      id: './',
      start_url: './index.html',
      scope: './',
      display: 'standalone',
      background_color: '#f1f3ef',
      theme_color: '#0b6455',
      icons: [
        { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    null,
    2,
  );
