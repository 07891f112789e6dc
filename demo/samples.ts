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
      'Can I get my money back when I leave?',
      'Can somebody fix my toaster?',
      'Where is the first aid box?',
    ],
  },
  {
    uri: 'inventory.csv',
    title: 'An inventory',
    note: 'A spreadsheet, cut by rows',
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
    questions: ['茶汤太苦怎么办', '绿茶用多少度的水', '紫砂壶怎么清洗'],
  },
];

export const sampleOf = (uri: string | undefined): Sample | undefined =>
  samples.find((sample) => sample.uri === uri);
