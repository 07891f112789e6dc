/** `shelfmark/provenance`: the two accessors under their reference names, and nothing else. */
export { chunkProvenance, passageText as chunkText } from './provenance.ts';
export type { Provenance } from './types.ts';
