/** Every limit of the commands, by the folder that uses them, with its unit and its reason. */
import { day } from '../../lib/units.ts';

// configuration

/** Checks of a page of `config show`: each is rendered whole, in one answer. */
export const checksPerPage = 1000;

// owner

/** Entries of a page of `audit list`, some 400 bytes each. */
export const entriesPerPage = 1000;
/** Entries of the audit log read in a turn: about 2 ms of decoding. */
export const entriesPerSlice = 300;
/** Entries looked at for a page. It ends after so many, though fewer are wanted: the next one goes on from there. */
export const lookedAtMax = 30_000;

// contract, configuration

/** Characters of a value, or of a step, that the log of changes shows. */
export const loggedCharsMax = 200;

// secrets

/** Bytes of memory that scrypt may take: twice what `scryptCost` needs. */
export const scryptMemoryBytesMax = 64 * 1024 * 1024;
/** Passwords that wait for their turn; those after them are asked to come back. */
export const passwordsWaitingMax = 16;
/** Milliseconds for which a session lasts. */
export const sessionMs = 30 * day;
/** Milliseconds for which the links work that set a password or confirm a new address. */
export const linkMs = day;
