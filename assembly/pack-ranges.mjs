// How generated tables spell ranges of code points; src/kernel/ranges.ts reads them.
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Five bits a digit, least first, the sixth bit says that more follow. */
function number(value) {
  let text = '';
  do {
    const more = value >= 32 ? 32 : 0;
    text += digits[(value & 31) | more];
    value >>>= 5;
  } while (value > 0);
  return text;
}

/** The code points that `holds`, as gaps and lengths of ranges. Surrogates are in none. */
export function packRanges(holds) {
  let table = '';
  let last = 0;
  let start = -1;
  for (let point = 0; point <= 0x110000; point++) {
    const surrogate = point >= 0xd800 && point < 0xe000;
    const held = point < 0x110000 && !surrogate && holds(String.fromCodePoint(point), point);
    if (held && start < 0) start = point;
    if (!held && start >= 0) {
      table += number(start - last) + number(point - start);
      last = point;
      start = -1;
    }
  }
  return table;
}
