/** The spelling of a time zone that somebody types. */

let zonesByPlainName: ReadonlyMap<string, string> | null = null;

/** Returns what was typed as a time zone, in the spelling of the list: `Europe/Berlin` for `europe/berlin`; else as it is. */
export function zoneTyped(text: string): string {
  zonesByPlainName ??= new Map(
    ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone.toLowerCase(), zone]),
  );
  return zonesByPlainName.get(text.trim().toLowerCase().replaceAll(' ', '_')) ?? text;
}
