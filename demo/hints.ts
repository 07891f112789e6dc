import { byId, h } from './dom.ts';
import type { Sample } from './samples.ts';

/** What stands where passages would: questions to try, or why there are none. */
export type Hint =
  | { kind: 'none' | 'questions'; sample?: Sample | undefined }
  | { kind: 'nothing' }
  | { kind: 'error'; text: string; asked: string };

export function showHint(hint: Hint, onAsk: (question: string) => void): void {
  const root = byId('hints');
  root.hidden = hint.kind === 'none';
  if (hint.kind !== 'none') byId('legend').hidden = true;
  root.replaceChildren(...content(hint, onAsk));
}

function content(hint: Hint, onAsk: (question: string) => void): Node[] {
  const asking = (label: string, question: string): HTMLElement => {
    const button = h('button', { type: 'button' }, label);
    button.addEventListener('click', () => onAsk(question));
    return button;
  };
  switch (hint.kind) {
    case 'none':
      return [];
    case 'questions': {
      const { questions = [] } = hint.sample ?? {};
      const lead =
        questions.length > 0
          ? 'For example'
          : 'Ask in your own words; they need not be the words of the text.';
      return [
        h('p', {}, lead),
        ...questions.map((question) => asking(question, question)),
        h(
          'ol',
          { class: 'steps' },
          h(
            'li',
            {},
            h('b', {}, 'Cut. '),
            'Each band in the margin is a chunk of the document, at its place.',
          ),
          h(
            'li',
            {},
            h('b', {}, 'Ask. '),
            'Your words and their meaning are compared with every chunk on the shelf.',
          ),
          h(
            'li',
            {},
            h('b', {}, 'Read. '),
            'The warmer a band, the better it answers. Open a passage and it is marked in the text.',
          ),
        ),
      ];
    }
    case 'nothing':
      return [
        h('h2', {}, 'Nothing on the shelf answers that'),
        h(
          'p',
          {},
          'None of its words stand in a document here, and the bundled model, which reads English, knows none of them.',
        ),
      ];
    case 'error':
      return [
        h('h2', {}, 'The question could not be answered'),
        h('p', { class: 'reason' }, hint.text),
        asking('Try again', hint.asked),
      ];
  }
}
