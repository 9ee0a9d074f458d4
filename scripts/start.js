// npm start: builds if a source has changed, then is the server. One process: another one would take a tenth of a second to
// start, and would have to pass the signals on.
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './build.js';

buildIfChanged();
const main = new URL('../dist/main.js', import.meta.url);
process.argv.splice(1, 1, fileURLToPath(main), 'serve');
await import(main.href);
