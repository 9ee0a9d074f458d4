/** Every limit of the schedules, with its unit and its reason. The years of a calendar are beside the code that goes by them. */
import { day } from '../lib/units.ts';

/** Code points of an expression, as in Healthchecks. */
export const expressionLengthMax = 100;
/** Years after the start of a search after which cron gives up. */
export const cronYearsMax = 50;
/**
 * Schedules of a generation, of which two are kept, at about 1 kB each. Beyond them the oldest untouched ones are parsed anew, at
 * some 10 µs.
 */
export const schedulesPerGenerationMax = 32_768;
/** Six-day parts of a zone that are kept: 67 years, about 250 kB. A client that asks for far years must not fill the memory. */
export const zonePartsMax = 4_096;
/** How far before an occurrence a skipped reading is looked for: a month, in six steps of 2 to 20 µs. */
export const skippedLookBackMs = 32 * day;
