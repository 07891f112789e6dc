import { afterEach } from 'vitest';
import { type Index, openIndex } from '../../src/open-index.ts';
import type { OpenIndexOptions } from '../../src/open-index-options.ts';

export const guide = {
  uri: 'guide.md',
  title: 'Guide',
  metadata: { lang: 'en' },
  text: `# Refunds\n\n${'Refunds are issued within fourteen days. '.repeat(10)}\n\n# Zebras\n\n${'Zzz zebra zoo zigzag. '.repeat(20)}\n`,
};
export const notes = {
  uri: 'notes.md',
  text: `# Quokka\n\n${'Quick quokkas queue quietly. '.repeat(15)}`,
  metadata: { lang: 'la' },
};

let counter = 0;
const opened: Index[] = [];
export const freshName = () => `open-index-${Date.now()}-${counter++}`;

/** An index that is destroyed after the test. */
export async function open(options: OpenIndexOptions = {}): Promise<Index> {
  const index = await openIndex({ name: freshName(), ...options });
  opened.push(index);
  return index;
}

afterEach(async () => {
  for (const index of opened.splice(0)) await index.destroy();
});
