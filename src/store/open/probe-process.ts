/**
 * Entry point of a process that reads every row of an LMDB environment and ends with status 0: `probe-process.js DIRECTORY`.
 * A process, since damage can end it by a signal. Invariant: it writes nothing.
 */
import { readEveryRow } from '../disk/lmdb-env.ts';

const [path = ''] = process.argv.slice(2);
await readEveryRow(path);
