/** What is compared: our splitter and its rivals, each giving pieces with what it claims of them. */
import { type ByHeadingOptions, byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import type { Splitter } from '../../src/types.ts';
import { allRivals, type RivalPiece, type RivalSplitter } from '../bench/splitters.ts';

export interface Arm
  extends Pick<RivalSplitter, 'name' | 'settings' | 'pieces' | 'limited' | 'overlap' | 'cutsAt'> {
  own: boolean;
  /** The same with every section in pieces of its own, where there is a setting for that. */
  sections?: RivalSplitter['pieces'];
}

const cutBy =
  (splitter: Splitter) =>
  (text: string): RivalPiece[] =>
    splitter
      .split({ uri: 'document', text })
      .map(({ text: piece, charStart, charEnd, heading, headingPath }) => ({
        text: piece,
        start: charStart,
        end: charEnd,
        ...(heading === undefined ? {} : { heading }),
        ...(headingPath === undefined ? {} : { path: headingPath }),
      }));

const own = (name: string, settings: string, options: ByHeadingOptions): Arm => ({
  name: `shelfmark ${name}`,
  settings,
  own: true,
  limited: options.maxChars !== Number.POSITIVE_INFINITY,
  overlap: options.overlapChars ?? 150,
  pieces: cutBy(byHeading(options)),
  sections: cutBy(byHeading({ ...options, minChars: 0, overlapChars: 0 })),
});

/** The first is ours as it comes; it and the one without a limit are held against the others. */
export async function allArms(): Promise<Arm[]> {
  return [
    own('byHeading', 'as it comes: maxChars 1000, overlapChars 150, minChars 250', {}),
    own('byHeading, no overlap', 'overlapChars 0', { overlapChars: 0 }),
    own('byHeading, no floor', 'minChars 0', { minChars: 0 }),
    own('byHeading, no limit', 'maxChars Infinity', { maxChars: Number.POSITIVE_INFINITY }),
    {
      name: 'shelfmark byParagraph',
      settings: 'as it comes',
      own: true,
      limited: true,
      overlap: 150,
      pieces: cutBy(byParagraph()),
    },
    ...(await allRivals()).map((rival) => ({ ...rival, own: false })),
  ];
}
