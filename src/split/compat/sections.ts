import { trimEnd, trimStart } from '../../kernel/js.ts';
import type { AtxHeading } from '../../types.ts';
import type { PieceSizes } from '../size-options.ts';
import type { Span } from '../spans.ts';
import { mergeForward, pushOrFold, runtChars, type WeighedSpan } from './floors.ts';
import { packParagraphs, paragraphSpans } from './paragraphs.ts';

/** A heading with all that stands under it up to the next one, or what stands before the first. */
interface Section extends Span {
  /** End of the heading line. */
  bodyStart: number;
}

function sectionsOf(text: string, headings: readonly AtxHeading[]): Section[] {
  const sections: Section[] = [];
  const preambleEnd = headings[0]?.offset ?? text.length;
  if (preambleEnd > 0) sections.push({ start: 0, bodyStart: 0, end: preambleEnd });
  headings.forEach(({ offset, end, title }, index) => {
    sections.push({
      start: offset,
      bodyStart: end,
      end: headings[index + 1]?.offset ?? text.length,
      heading: title,
    });
  });
  return sections;
}

/** Length of a section's body without the white space around it; 0 for a bare heading. */
function bodyLength(text: string, { bodyStart, end }: Section): number {
  const bodyEnd = trimEnd(text, bodyStart, end);
  return bodyEnd - trimStart(text, bodyStart, bodyEnd);
}

/**
 * The spans of one section: itself where it fits, or where the floor will merge it away whole; else packed.
 * Of a section cut in several, no span is light: only whole sections wait for the next one.
 */
function spansOf(text: string, section: Section, sizes: PieceSizes): WeighedSpan[] {
  const { start, end, heading } = section;
  const weight = bodyLength(text, section);
  const isShort = weight === 0 || weight < sizes.minChars;
  if (isShort || end - start <= sizes.maxChars) return [{ start, end, heading, weight }];
  const packed: WeighedSpan[] = [];
  packParagraphs(text, start, end, section.bodyStart, sizes, (from, to) =>
    packed.push({ start: from, end: to, heading, weight: Number.POSITIVE_INFINITY }),
  );
  if (packed.length === 1) packed[0]!.weight = weight;
  return packed;
}

/**
 * The spans of a text by its headings. Short sections merge forward first, and only then are short spans
 * folded back into one of the same title, which is why a merged section's tail can stay alone. A text without
 * headings is split by paragraph, by that splitter's rules.
 */
export function sectionSpans(text: string, headings: readonly AtxHeading[], sizes: PieceSizes): Span[] {
  if (headings.length === 0) return paragraphSpans(text, sizes);
  const spans: WeighedSpan[] = [];
  for (const section of sectionsOf(text, headings)) {
    for (const span of spansOf(text, section, sizes)) spans.push(span);
  }
  const folded: WeighedSpan[] = [];
  for (const span of mergeForward(spans, sizes.minChars)) {
    pushOrFold(folded, span, sizes.minChars === 0 ? runtChars : sizes.minChars);
  }
  return folded;
}
