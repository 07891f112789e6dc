/**
 * What a block of Markdown is, the first word of its record. Import as a namespace: `import * as BlockKind from …`.
 * Offsets are UTF-16 code units of the text, a byte order mark counted.
 */

/** A heading of the document itself with `#`: a level, b and c title from and to; starts behind its indentation. */
export const Atx = 1;
/** A heading of the document itself that is underlined: as `Atx`. */
export const Setext = 2;
/** Lines of running text, link definitions among them, and the headings of lists and quotes. */
export const Paragraph = 3;
/** Fenced code with its fences: a and b info string from and to, c the start of its first content line, or its end. */
export const Fence = 4;
/** Code indented by four columns. */
export const Indented = 5;
/** An HTML block. */
export const Html = 6;
/** A table of GitHub's: a the end of its header row's line, b the start of its first body row's line, or its end. */
export const Table = 7;
/** A point: the outermost list item that begins on this line. */
export const Item = 8;
/** A thematic break. */
export const Break = 9;
/** Metadata between marks at the very start. */
export const FrontMatter = 10;
