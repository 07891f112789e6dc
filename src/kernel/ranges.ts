const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads the ranges a generated table holds: a gap and a length each, five bits a digit, least first. Half-open. */
export function* rangesOf(table: string): Generator<[from: number, to: number]> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    let shift = 0;
    let digit: number;
    do {
      digit = digits.indexOf(table[at++]!);
      value |= (digit & 31) << shift;
      shift += 5;
    } while (digit & 32);
    return value;
  };
  let point = 0;
  while (at < table.length) {
    const from = point + number();
    point = from + number();
    yield [from, point];
  }
}
