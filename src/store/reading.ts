import type { ChunkRecord } from '../types.ts';

/**
 * What both legs read of a chunk: the document's title, where the chunk stands, what it needs beside it, and
 * its text, joined by line feeds. Files leave out the hashes of it (src/store/file-derived.ts), so that it is part of
 * their format.
 */
export function readingOf(
  head: Pick<ChunkRecord, 'title' | 'heading' | 'headingPath' | 'context'>,
  text: string,
): string {
  const path = head.headingPath ?? (head.heading === undefined ? [] : [head.heading]);
  return [head.title, ...path, head.context, text]
    .filter((part) => part !== undefined && part !== '')
    .join('\n');
}
