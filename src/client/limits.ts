/** Every limit of the client, with its unit and its reason. Invariant: nobody sets them. */
import { kB, minute, second } from '../lib/units.ts';

/** Further tries of a ping that may be asked for: a job waits for them. */
export const retriesMax = 10;
/** Milliseconds of one try that may be asked for: a job waits for it. */
export const tryMsMax = minute;
/** Milliseconds of a server's `Retry-After`. Jobs cannot wait for longer: then the ping is tried earlier, and may be refused again. */
export const retryAfterMsMax = 5 * second;
/** Characters of a server's own words in an error: they have to fit into its line. */
export const reasonCharsMax = 100;
/** Bytes of a job's output, or of a ping's standard input, that are sent: so many Knell keeps of a ping's body. */
export const outputBytesMax = 100 * kB;
/** Milliseconds after the end of a command within which its last output may arrive. */
export const drainMs = second / 2;
/**
 * Milliseconds from start to start of a command that runs again and again. More often is no use to anybody, and 24 days are the
 * longest that a timer of Node waits.
 */
export const everyMsMin = second;
export const everyMsMax = 2 ** 31;

/** Redirects that a request follows. */
export const redirectsMax = 5;
/** Bytes of an answer. The largest one of the API, ten thousand checks, has some 10 MB. */
export const responseBytesMax = 200_000_000;
/** Milliseconds for an answer of the management API. */
export const managementMs = 30 * second;
/** Checks that are named where a word may mean each of them; beyond that they are counted. */
export const candidatesNamedMax = 5;
