/**
 * Words of questions that tell nothing of what is asked about, without marks on letters, as words are read by default:
 * English, German, French, Spanish, Italian, Portuguese and Dutch, but for those that say something in English.
 */
const functionWords = new Set(
  (
    'a about an and any are as at be been but by can could did do does for from get gets give gives got had has have how i if in into is it its ' +
    'make makes me much my no not of on or our should so take takes tell that the their them then there these they this to was we were ' +
    'what when where which who whom whose why will with would you your ' +
    'wie wo wann warum wieso wer wen wem welche welcher welches welchen ich wir ihr sie es mein meine meinen kann konnen muss mussen soll sollen ' +
    'darf der die das den dem des ein eine einen einem einer und oder ist sind wird werden hat haben nicht fur von mit auf bei zu zum zur im ' +
    'lange viel viele ' +
    'ou quand pourquoi quel quelle quels quelles qui que quoi est ce je il elle nous vous mon ma mes le la les un une des du de et sont ' +
    'peut puis faut dans avec sur pour combien ' +
    'como cuando donde por cual cuales quien cuanto cuanta cuantos cuantas el los las una unos y o es son puedo se mi su del al en con para ' +
    'come quando dove perche quale quali chi cosa lo gli e sono posso mio di della per si quanto quanti ' +
    'onde porque qual quais quem os um uma sao meu da na em ' +
    'hoe wanneer waar waarom welke wat het een zijn ik mijn van met op voor te hoeveel'
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
