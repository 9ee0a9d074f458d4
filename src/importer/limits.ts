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

/** Monitors of a file of another program, and each other list of it: as many checks as one plan of changes can be read. */
export const foreignItemsMax = 5000;
/** Characters of a reason that are shown: some are made of what the file says, which may be anything. */
export const foreignReasonCharsMax = 200;
