import { installIn } from '../install.mjs';

/** What is measured against is no part of the library, so it is installed here, and only when it is wanted. */
export const installRivals = () => installIn(import.meta.dirname, { flags: ['--omit=optional'] });
