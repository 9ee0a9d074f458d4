/** The spelling of a time zone that somebody types. */

let zonesByPlainName: ReadonlyMap<string, string> | null = null;

/**
 * Returns what was typed as a time zone, in the spelling of the list: `Europe/Berlin` for `europe/berlin`, and for its city, `Berlin`;
 * else as it is.
 */
export function zoneTyped(text: string): string {
  zonesByPlainName ??= byPlainName(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return zonesByPlainName.get(text.trim().toLowerCase().replaceAll(' ', '_')) ?? text;
}

/** A city is written for its zone where no other has one of that name. */
function byPlainName(zones: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  const cities = zones.map((zone) => zone.toLowerCase().split('/').at(-1) ?? '');
  for (const [at, zone] of zones.entries()) {
    const city = cities[at] ?? '';
    if (cities.indexOf(city) === cities.lastIndexOf(city)) byName.set(city, zone);
  }
  for (const zone of zones) byName.set(zone.toLowerCase(), zone);
  return byName;
}
