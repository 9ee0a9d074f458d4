// Makes the built entry point executable, so that `npx knell` finds a program and not a text file.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/main.js', import.meta.url), 0o755);
