/** Words of a ping's address and its query that mean the same in Knell's own addresses and in those of other services. */
import { hostCharsMax } from '../../domain/limits.ts';

/** A ping key or a slug, in any case. */
export const word = /^[-a-zA-Z0-9_]+$/;
const hostName = new RegExp(`^[A-Za-z0-9._-]{1,${hostCharsMax}}$`);

/** A name that is none is left out: a check that names no hosts has always taken any query. */
export function hostOf(name: string | null): string {
  return name !== null && hostName.test(name) ? name : '';
}

/** Of a parameter that is given several times the last one counts, as in the management API. */
export function lastOf(query: URLSearchParams, name: string): string | null {
  return query.getAll(name).at(-1) ?? null;
}
