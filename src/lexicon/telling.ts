/** Words of English questions that tell nothing of what is asked about. */
const functionWords = new Set(
  (
    'a about an and any are as at be been but by can could did do does for from get gets give gives got had has have how i if in into is it its ' +
    'make makes me much my no not of on or our should so take takes tell that the their them then there these they this to was we were ' +
    'what when where which who whom whose why will with would you your'
  ).split(' '),
);
const asksForNumber =
  /\b(?:how (?:long|many|much|old|far|often|big|large|soon|late)|when|what (?:time|date|year))\b/i;

/** The same in Chinese, which has no spaces around them: pairs of characters reach over their ends. */
const askingInChinese = /为什么|怎么样?|怎样|如何|什么|哪些|哪个|哪里|多少|吗|呢/g;

/** What of a question asks for a number, such as "how long"; undefined where nothing does. */
export const askingForNumber = (question: string): string | undefined => asksForNumber.exec(question)?.[0];

/**
 * The words of a question that say what it is about; all of them where none does. Words of other languages are all taken
 * to say something.
 *
 * @param tokensOf The tokens of a text, as whoever asks reads them
 */
export function tellingWords(question: string, tokensOf: (text: string) => string[]): string[] {
  const all = [...new Set(tokensOf(question.replace(askingInChinese, ' ')))];
  const asking = new Set(tokensOf(askingForNumber(question) ?? ''));
  const telling = all.filter((token) => !functionWords.has(token) && !asking.has(token));
  if (telling.length > 0) return telling;
  return all.length > 0 ? all : [...new Set(tokensOf(question))];
}
