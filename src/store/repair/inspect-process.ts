/**
 * Entry point of the process that inspects a data directory: `inspect-process.js DIRECTORY` prints a line of JSON for each
 * part that it begins with, and one for what it found. Invariant: where the lines end, the process died.
 */
import { writeSync } from 'node:fs';
import type { EnvPart } from '../open/probe-env.ts';
import { inspect, type PartReport } from './inspect.ts';

export type InspectLine =
  | { readonly begin: EnvPart }
  | { readonly found: PartReport }
  | { readonly done: true };

const [dataDir = ''] = process.argv.slice(2);
// At once: what is buffered dies with the process.
const say = (line: InspectLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

await inspect(
  dataDir,
  (begin) => say({ begin }),
  (found) => say({ found }),
);
say({ done: true });
