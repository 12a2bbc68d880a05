// Serves the example page until it is interrupted. Run `make web` first.
import {site} from './site.mjs';

console.log(`Open ${(await site()).page} in a browser; press Ctrl-C to stop.`);
