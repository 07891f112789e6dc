import inventory from './samples/inventory.csv?raw';
import tea from './samples/tea.md?raw';
import handbook from './samples/tool-library.md?raw';

export interface Sample {
  uri: string;
  title: string;
  note: string;
  text: string;
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
      'How long can I keep a drill?',
      'What happens if I break something?',
      'Can I get my money back when I leave?',
      'Where is the first aid box?',
    ],
  },
  {
    uri: 'inventory.csv',
    title: 'An inventory',
    note: 'A spreadsheet, cut as records',
    text: inventory,
    questions: ['Something to cut branches', 'Which machines need a deposit?', 'cleaning a boat'],
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
