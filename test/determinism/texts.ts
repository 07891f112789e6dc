import type { SplitterDocument } from '../../src/types.ts';

const guide = `# Résumé of the naïve façade

Preamble — with “quotes”, an ellipsis… and a soft\u00adhyphen.

## Installing \`shelf-mark\`

Run \`npm install shelfmark\`, then call openIndex({ persist: false }) or MemoryVectorStore.removeWhere(filter).
The option max_retry_count defaults to 3; fs.promises.readFile and HTTPServer2 are identifiers too.

### Crème brûlée, cre\u0300me bru\u0302le\u0301e

The same word composed (crème) and decomposed (cre\u0300me). STRASSE and Straße; İstanbul, ıstanbul and Istanbul.
The ﬁrst ﬂight of the Ǆ digraph; ＦＵＬＬＷＩＤＴＨ １２３; x² and ½; Ⅷ; 𝐛𝐨𝐥𝐝 letters; ΣΊΣΥΦΟΣ, Σίσυφος.

## Emoji 👩‍👩‍👧‍👦 and flags 🇨🇭

👍🏽 thumbs, ☕️ coffee, 1️⃣ keycap. A lone high \ud83d and a lone low \udc00 surrogate stay as they are.

## Empty

## Installing \`shelf-mark\`

A second section of the same title. Installing it twice installs it once.
`;

const chinese = `# 茶的历史

茶起源于中国，最早作为药用。唐代的陆羽写了《茶经》，是世界上第一部关于茶的专著。

## 绿茶与红茶

绿茶不发酵，红茶完全发酵。龙井茶产于杭州西湖，𠀀𠀁𠀂 是扩展区的汉字。水温八十度，冲泡两分钟。

## 日本の茶道

千利休は茶の湯を大成した。カタカナの言葉、ひらがなの言葉、ﾊﾝｶｸも。抹茶ラテを飲みます。

## 한국의 차

녹차와 보리차를 마십니다. 한국어 문장도 있습니다.
`;

const scripts = [
  'id;text',
  '1;Быстрая коричневая лиса, ЁЖИК и ёжик',
  '2;مرحبا بالعالم، الشَّاي ساخن',
  '3;नमस्ते दुनिया, चाय गरम है',
  '4;สวัสดีชาวโลก ชาร้อนมาก',
  '5;שלום עולם, תה חם',
  '6;Tiếng Việt: trà nóng, đường phố',
  '7;Ærøskøbing, Łódź, Þingvellir, smörgåsbord',
  '8;camelCaseName snake_case_name kebab-case-name dotted.path.name $scope.value2 v1.2.3-beta',
  '9;٣٤٥ and 345, ４５６ and 456',
  '10;a\u200bzero\u200cwidth\u200djoined\ufeffword',
  '',
  '11;the the the tea tea',
  '12;tea',
  '13;tea',
].join('\r\n');

/** A number from 0 up to 1 a call: whole numbers of 32 bits, which every engine multiplies alike. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Texts of made-up words, few of them common. */
export function madeUpTexts(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const syllables = ['ka', 'lo', 'mi', 'té', 'ru', '茶', 'zen', 'Qu', '_x', '9'];
  const words = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * 10)]).join(''),
  );
  return Array.from({ length: count }, () => {
    const length = Math.floor(random() * 40);
    return Array.from({ length }, () => words[Math.floor(random() * random() * random() * 300)]).join(' ');
  });
}

const long = madeUpTexts(120, 7)
  .map((text, at) => (at % 9 === 0 ? `\n## Part ${at} ${text.slice(0, 20)}\n\n${text}.` : `${text}.`))
  .join('\n');

/** Own texts, so that they change for no other reason. */
export const documents: readonly SplitterDocument[] = [
  { uri: 'guide.md', text: guide, title: 'Guide', metadata: { lang: 'en' } },
  { uri: '茶.md', text: chinese, metadata: { lang: 'zh' } },
  { uri: 'scripts.csv', text: scripts, metadata: { lang: 'many' } },
  { uri: 'bom.md', text: `\ufeff${guide.replaceAll('\n', '\r\n')}`, metadata: { lang: 'en' } },
  { uri: 'bytes.md', text: new TextEncoder().encode(chinese), metadata: { lang: 'zh' } },
  { uri: 'long.md', text: long, metadata: { lang: 'none' } },
];

export const queries: readonly string[] = [
  'installing shelfmark',
  'crème brûlée',
  'CREME BRULEE',
  'openIndex persist',
  'max retry count',
  'readFile promises',
  'strasse straße',
  'istanbul',
  'first flight',
  'fullwidth 123',
  '👩‍👩‍👧‍👦 emoji',
  'thumbs \ud83d lone',
  '茶',
  '绿茶 发酵',
  '龙井茶产于杭州',
  '𠀀𠀁',
  '茶道 カタカナ',
  '녹차',
  'ёжик',
  'शाय चाय',
  'ชาร้อน',
  'שלום',
  'trà nóng',
  'Łódź smorgasbord',
  'dotted.path.name',
  'tea',
  '345 ４５６',
  'kalomi té Qu',
  'zen instaling brulé',
  '…',
];

/** What the bundled model is asked: short texts whose nearness leaves no room for rounding. */
export const sentences: readonly string[] = [
  'Refunds are issued within 14 days',
  'The cat sat on the mat.',
  'Install the package with npm and import it.',
  'Our offices are closed on public holidays.',
  'Café crème, naïve façade, 茶 and 👍',
  'x',
  '…',
];
export const questions: readonly string[] = ['How do I get my money back?', 'a kitten', 'set up the library'];
