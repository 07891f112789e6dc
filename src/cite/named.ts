import { characterOf } from '../split/plain-title.ts';

/** Names that authors of prose write; of more than two thousand in HTML the others are for formulas and for machines. */
const names =
  'mdash—ndash–hellip…horbar―shy\u00adensp\u2002emsp\u2003thinsp\u2009zwnj\u200czwj\u200d' +
  'lsquo‘rsquo’sbquo‚ldquo“rdquo”bdquo„laquo«raquo»lsaquo‹rsaquo›prime′Prime″' +
  'larr←uarr↑rarr→darr↓harr↔lArr⇐rArr⇒hArr⇔' +
  'copy©reg®trade™sect§para¶middot·bull•dagger†Dagger‡deg°micro\u00b5ordf\u00aaordm\u00ba' +
  'times×divide÷plusmn±minus−ne≠le≤ge≥asymp≈infin∞radic√sum∑frac12½frac14¼frac34¾sup1\u00b9sup2²sup3³permil‰' +
  'cent¢pound£yen¥euro€iexcl¡iquest¿szlig\u00dfaelig\u00e6AElig\u00c6oelig\u0153OElig\u0152oslash\u00f8Oslash\u00d8eth\u00f0ETH\u00d0thorn\u00feTHORN\u00de' +
  'gacuteǵcheck✓cross✗star☆starf★hearts♥lbrace{rbrace}lbrack[rbrack]lpar(rpar)excl!quest?num#percnt%ast*plus+comma,period.sol/colon:semi;commat@bsol\\Hat^lowbar_grave`vert|verbar|dollar$equals=Tab\tNewLine\n';

/** Marks that are added to a letter: `&eacute;`. */
const marks: Record<string, string> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
  caron: '\u030c',
};

let known: Map<string, string> | undefined;

/** What `&name;` or `&#number;` stands for; undefined for a name that few write. */
export function shownCharacter(reference: string): string | undefined {
  known ??= new Map(
    Array.from(names.matchAll(/([A-Za-z]+\d*)([^A-Za-z\d])/g), ([, name, shown]) => [name!, shown!]),
  );
  const [, letter = '', mark = ''] = /^([A-Za-z])(\w+)$/.exec(reference) ?? [];
  const accented = Object.hasOwn(marks, mark) ? (letter + marks[mark]).normalize('NFC') : '';
  // Of those that Unicode has as one character, these have names in HTML.
  const isNamed = accented.length === 1 && accented < '\u0180';
  return characterOf(reference) ?? known.get(reference) ?? (isNamed ? accented : undefined);
}
