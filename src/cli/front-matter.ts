import type { Splitter, SplitterDocument } from '../types.ts';

/** Metadata at the very start of a page, between two lines of `---` (YAML) or `+++` (TOML). */
const block = /^(---|\+\+\+)[ \t]*\r?\n(?:[\s\S]*?\r?\n)??\1[ \t]*(?:\r?\n|$)/;

/** Length of a page's front matter, 0 where it has none. */
export const frontMatterLength = (text: string): number => block.exec(text)?.[0].length ?? 0;

/** The `title` of a page's front matter: a value on its own line, quoted or not. Nested ones are not looked at. */
export function frontMatterTitle(text: string): string | undefined {
  const matter = text.slice(0, frontMatterLength(text));
  const line = /^title[ \t]*[:=][ \t]*(\S.*)$/m.exec(matter)?.[1]?.trim();
  if (line === undefined) return undefined;
  const quoted = /^(["'])(.*?)\1[ \t]*(?:#.*)?$/.exec(line);
  if (quoted?.[1] === "'") return titled(quoted[2]!.replaceAll("''", "'"));
  if (quoted !== null) return titled(unescaped(quoted[2]!));
  // What goes on over lines, or refers to something, takes a parser of YAML.
  if (/^[|>&*!{[]/.test(line)) return undefined;
  return titled(line.replace(/[ \t]+#.*$/, ''));
}

const titled = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/**
 * Cuts documents as another splitter does, but for their front matter, which is in no piece. Blanks stand in its
 * place, so that offsets and lines are those of the document.
 */
export function withoutFrontMatter(splitter: Splitter): Splitter {
  return {
    id: `withoutFrontMatter(${splitter.id})`,
    name: splitter.name,
    split(document: SplitterDocument) {
      const text = document.text as string;
      const length = isMarkdown(document.uri) ? frontMatterLength(text) : 0;
      if (length === 0) return splitter.split(document);
      const blank = text.slice(0, length).replace(/[^\r\n]/g, ' ');
      return splitter.split({ ...document, text: blank + text.slice(length) });
    },
  };
}

const isMarkdown = (uri: string): boolean => /\.(md|markdown|mdx)$/i.test(uri);
