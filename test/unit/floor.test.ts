import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { byHeading } from '../../src/split/by-heading.ts';

const question = 'When is a refund for a damaged order paid out?';
const answer = 'within nine working days';

const preamble =
  'A refund for a damaged order is paid out when it is due. This page says when a refund is paid out.';
const heading = `# Refunds for damaged orders: when is a refund paid out\n\n${preamble}\n\n`;

/** Says what the heading promises, in words of its own, at a length at which a few words count for little. */
const body = [
  'Take pictures of the parcel before you open it and of what you find inside, and send them with the number that stands on the label. A damaged box alone is enough to ask; nothing needs to be broken, and nobody will want to see a receipt for the wrapping.',
  `Our desk answers on the same day and pays out ${answer}, to the card or account that was charged. Gift cards get their value back at once. Where a bank needs longer than that, the desk will tell you so and name the day on which the sum left our account.`,
  'Parts of a delivery are worth their share of the total, postage included. Goods that can be repaired are collected free of charge; should the workshop need more than three weeks, you may choose the sum in place of the goods, and no reason has to be given for it at all.',
  'Shops that sell under our name follow the same rules. Write to them first, then to us; letters that reach us early are passed on and keep their date, so that no term is missed on the way between the two offices.',
].join('\n\n');

const documents = [
  { uri: 'refunds.md', text: `${heading}## What to do and what to expect\n\n${body}\n` },
  {
    uri: 'orders.md',
    text: '# Orders\n\nAn order is packed on the day after it comes in, and sent when it is paid.\n',
  },
  {
    uri: 'returns.md',
    text: '# Returns\n\nGoods in their box come back for free, out of any country we deliver to.\n',
  },
];

async function best(minChars: number | undefined) {
  const index = await openIndex({ persist: false, splitter: byHeading({ maxChars: 2000, minChars }) });
  await index.add(documents);
  return index.search(question, { topK: 3 });
}

describe('the floor of byHeading', () => {
  it('is what keeps a heading and its first sentence from outranking the section they open', async () => {
    expect(heading.length).toBeGreaterThanOrEqual(150);
    expect(heading.length).toBeLessThanOrEqual(180);
    expect(body.length).toBeGreaterThan(950);
    expect(body.length).toBeLessThan(1050);

    const without = await best(0);
    expect(without[0]!.text).toBe(heading.trimEnd());
    expect(without[0]!.text).not.toContain(answer);
    expect(without.findIndex(({ text }) => text.includes(answer))).toBeGreaterThan(0);

    const withFloor = await best(undefined);
    expect(withFloor[0]!.text).toContain(answer);
    expect(withFloor[0]!.text).toContain(preamble);
  });
});
