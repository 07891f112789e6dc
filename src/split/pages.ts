/** What joins pages to a text, in UTF-16 code units: `'\n\n'`. */
const pageGap = 2;

/**
 * Finds the 1-based page an offset lies on; the gap between two pages belongs to the first. Without pages
 * there is no answer, since a page is never guessed.
 */
export function pageFinder(pages: readonly string[] | undefined): (offset: number) => number | undefined {
  if (pages === undefined || pages.length === 0) return () => undefined;
  const starts: number[] = [];
  let start = 0;
  for (const page of pages) {
    starts.push(start);
    start += page.length + pageGap;
  }
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
