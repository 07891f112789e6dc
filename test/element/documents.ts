import toolLibrary from '../../demo/samples/tool-library.md?raw';
import type { SplitterDocument } from '../../src/index.ts';

/** A small site, for tests and pictures. */
export const site: SplitterDocument[] = [
  { uri: 'handbook.md', title: 'The Harbour Tool Library', text: toolLibrary },
  {
    uri: 'workshop/sharpening.md',
    title: 'Sharpening evenings',
    text: `# Sharpening evenings

## What to bring

Bring chisels, plane irons, kitchen knives and scissors. **Saws** are sharpened by the mill, not by us; leave them at the desk with a tag.

## Which stone first

Begin with the coarse stone only where an edge is chipped. Most tools need nothing but the *fine* stone and ten minutes of patience, see [the table of grits](grits.md#table).

| Stone | Grit | For |
| --- | --- | --- |
| coarse | 400 | chipped edges |
| fine | 3000 | everything else |

## What it costs

Nothing for members. Guests pay one coin for each tool, which buys new stones; the money goes into the tin by the door.
`,
  },
  {
    uri: 'workshop/machines.md',
    title: 'The big machines',
    text: `# The big machines

## Before you borrow one

Somebody shows you how to start it and, more important, how to stop it. The deposit is returned when the machine comes back clean.

## If a machine stops

Switch it off at the wall. Do not open it. Ring the desk and we come and look; you owe nothing for a machine that simply gave up.
`,
  },
  {
    uri: 'volunteers.md',
    title: 'Volunteers',
    text: `# Volunteers

Two people keep the desk on every open day, one who knows the tools and one who knows the members.

## Money at the desk

Count the tin at noon and at closing. A refund of a fee is written into the blue book with the member's number, the amount and your initials.

## \`--dry-run\` & other switches

Use \`List<String>\` in the stock program only where the box says so; the manual explains the rest.
`,
  },
];
