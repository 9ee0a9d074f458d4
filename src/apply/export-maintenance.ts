/** Maintenance windows in the file that `knell export` prints: a part of `export`. Without those that were started by hand. */
import type { ConfiguredMaintenance } from '../domain/configuration/maintenance-settings.ts';

/** `nameOfCheck`: the slug of a check where it is the only one of its kind, else the id. */
export function maintenanceParts(
  windows: readonly ConfiguredMaintenance[],
  nameOfCheck: (id: string) => string,
): readonly Readonly<Record<string, unknown>>[] {
  const key = ({ name, id }: ConfiguredMaintenance): string => `${name}\n${id}`;
  return [...windows]
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((window) => {
      const { id, name, checks, tags, from, until, schedule, tz, duration, dates } = window;
      const isUnique = windows.filter((one) => one.name === name).length === 1;
      return {
        name,
        ...(isUnique ? {} : { id }),
        ...(checks.length === 0 ? {} : { checks: checks.map(nameOfCheck).sort() }),
        ...(tags.length === 0 ? {} : { tags }),
        ...(from === null ? {} : { from, until }),
        ...(schedule === '' ? {} : { schedule, ...(tz === 'UTC' ? {} : { tz }), duration }),
        ...(dates.length === 0 ? {} : { dates }),
        ...(window.counts_as_downtime ? { counts_as_downtime: true } : {}),
      };
    });
}
