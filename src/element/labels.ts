/** Every text the element shows or says. Give some of them to `labels` for another language. */
export interface Labels {
  /** On the button; the content of the element takes its place. */
  button: string;
  /** Names the dialog and, where no placeholder is given, the field. */
  search: string;
  close: string;
  results: string;
  opening: string;
  /** Before anything is typed; `pages` is undefined where it is not known. */
  start: (pages: number | undefined) => string;
  count: (results: number, pages: number) => string;
  none: (query: string) => string;
  noneHint: string;
  failed: string;
  retry: string;
  /** While the model is looked through beside the words. */
  meaning: string;
  /** Megabytes; `total` is 0 while it is unknown. */
  download: (done: number, total: number) => string;
  split: (done: number, total: number) => string;
  embed: (done: number, total: number) => string;
  store: (done: number, total: number) => string;
  saved: string;
  ready: string;
  offline: string;
  wordsOnly: string;
  move: string;
  follow: string;
}

const of = (done: number, total: number): string => (total > 0 ? `${done} of ${total}` : `${done}`);
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const english: Labels = {
  button: 'Search',
  search: 'Search these pages',
  close: 'Close',
  results: 'Results',
  opening: 'Opening the index…',
  start: (pages) =>
    pages === 0
      ? 'There is nothing to search yet.'
      : `Ask in your own words, or by a word you remember${pages === undefined ? '' : ` of ${pages === 1 ? 'this page' : `these ${pages} pages`}`}.`,
  count: (results, pages) => `${counted(results, 'result')} on ${counted(pages, 'page')}`,
  none: (query) => `No results for “${query}”`,
  noneHint: 'Try other words, or fewer of them.',
  failed: 'The search could not be opened',
  retry: 'Try again',
  meaning: 'Looking by meaning…',
  download: (done, total) =>
    total > 0 ? `Fetching the model, ${done.toFixed(1)} of ${total.toFixed(1)} MB` : 'Fetching the model…',
  split: (done, total) => `Reading ${of(done, total)}`,
  embed: (done, total) => `Embedding ${of(done, total)}`,
  store: (done, total) => `Saving ${of(done, total)}`,
  saved: 'Saved',
  ready: 'Ready',
  offline: 'Ready offline',
  wordsOnly: 'By words alone: the model could not be loaded',
  move: 'move',
  follow: 'open',
};
