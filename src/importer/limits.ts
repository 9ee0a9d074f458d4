/** Every limit of the import, with its unit and its reason. */
import { MB } from '../lib/units.ts';

/** Bytes of a line of a dump. A body of 100 kB has 140 kB in base64. */
export const lineBytesMax = 16 * MB;
/** Bytes of a dump that are read at a time. */
export const partBytes = MB;
/** Pings that are taken over of a check: the newest that any plan lists. */
export const pingsKeptMax = 1000;
/** Names in the list of what was left out; beyond them it is counted. */
export const leftOutNamedMax = 20;

/** Monitors of a file of another program: as many checks as one plan of changes can be read. */
export const foreignItemsMax = 5000;
/** Code points of a note that becomes a description: a runbook fits. */
export const foreignTextCharsMax = 10_000;
/** Code points of all tags of a monitor: what a check has. */
export const foreignTagCharsMax = 500;
