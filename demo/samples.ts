import inventory from './samples/inventory.csv?raw';
import tea from './samples/tea.md?raw';
import handbook from './samples/tool-library.md?raw';
import { type SplitSettings, settingsFor } from './split-settings.ts';

export interface Sample {
  uri: string;
  title: string;
  note: string;
  text: string;
  /** How it is cut, where its name alone would not say. */
  split?: SplitSettings;
  questions: readonly string[];
  /** Said in place of questions. */
  caveat?: string;
}

/** Our own texts, so that there is something to ask at once. */
export const samples: readonly Sample[] = [
  {
    uri: 'tool-library.md',
    title: 'A handbook',
    note: 'Markdown, cut by heading',
    text: handbook,
    questions: [
      'What happens if I break something?',
      'Can I get a refund?',
      'Can somebody fix my toaster?',
      'What does it cost to be a member?',
    ],
  },
  {
    uri: 'inventory.csv',
    title: 'An inventory',
    note: 'A spreadsheet, cut as records',
    text: inventory,
    split: { ...settingsFor('inventory.csv'), maxChars: 240 },
    questions: [
      'cleaning a boat',
      'plates and glasses for a party',
      'jam and preserves',
      'sewing and fabric',
    ],
  },
  {
    uri: 'tea.md',
    title: '一壶茶的笔记',
    note: 'A page in Chinese',
    text: tea,
    questions: [],
    caveat:
      'The bundled model knows English words only: this page can be read and cut here, but not yet asked.',
  },
];

export const sampleOf = (uri: string | undefined): Sample | undefined =>
  samples.find((sample) => sample.uri === uri);
