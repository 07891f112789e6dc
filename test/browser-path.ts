export { chromiumArgs, chromiumLaunch } from './browser-path.mjs';
