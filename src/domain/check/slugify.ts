/**
 * A slug from a name, as v1 and v2 of the API and `knell check create` make it (in v3 the client gives the slug itself).
 * Invariant: what comes out would be taken as a slug too.
 */
import { slugLengthMax } from '../limits.ts';

/**
 * Makes a slug as Django's slugify does: accents off, what is still not ASCII away, runs of blanks and hyphens one hyphen. Cut,
 * since a ligature can become several letters.
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\P{ASCII}/gu, '')
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/[-\s]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, slugLengthMax);
}
