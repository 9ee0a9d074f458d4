/**
 * Which time zone names are accepted, and under which name they are kept.
 * It does not ask Intl, which takes `europe/riga`, and turns Europe/Kyiv back into Europe/Kiev.
 * Invariant: a name that comes out of canonicalTimeZone goes in again unchanged.
 */
import { presentNames, retiredNames } from './time-zone-names.ts';

const canonicalNames = buildNames();

/**
 * The name under which an IANA zone is kept: `Europe/Riga` and `Europe/Belfast` → themselves, `Europe/Kiev` → `Europe/Kyiv`,
 * anything else → null. Exact: case and blanks count. The same names are replaced as in Healthchecks, by the same ones.
 */
export function canonicalTimeZone(name: string): string | null {
  return canonicalNames.get(name) ?? null;
}

/** Every present name, in alphabetical order within its region. */
export function presentTimeZones(): string[] {
  return [...new Set(canonicalNames.values())];
}

/** Every retired name. */
export function retiredTimeZones(): string[] {
  return [...canonicalNames].filter(([name, present]) => name !== present).map(([name]) => name);
}

function buildNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [region, cities] of Object.entries(presentNames)) {
    for (const city of cities.trim().split(/\s+/)) {
      const name = region === '' ? city : `${region}/${city}`;
      names.set(name, name);
    }
  }
  for (const [present, retired] of Object.entries(retiredNames)) {
    for (const name of retired.split(' ')) names.set(name, present);
  }
  return names;
}
