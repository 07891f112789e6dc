// Run before each file of tests: `SHELFMARK_PROPERTY_SEED` gives every property the same cases each time.
import fc from 'fast-check';

declare const __PROPERTY_SEED__: number | undefined;

if (typeof __PROPERTY_SEED__ === 'number') fc.configureGlobal({ seed: __PROPERTY_SEED__ });
