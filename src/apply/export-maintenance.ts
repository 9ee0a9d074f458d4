/**
 * Maintenance windows in the file that `knell export` prints: a part of `export`. Without those that were started by hand, and quiet
 * hours whose integrations were all deleted: they do nothing, and could not be read back.
 */
import type { ConfiguredMaintenance } from '../domain/configuration/maintenance-settings.ts';

interface Names {
  /** The slug of a check where it is the only one of its kind, else the id. */
  nameOfCheck(id: string): string;
  /** Likewise of an integration; null where there is none. */
  nameOfIntegration(id: string): string | null;
}

export function maintenanceParts(
  windows: readonly ConfiguredMaintenance[],
  { nameOfCheck, nameOfIntegration }: Names,
): readonly Readonly<Record<string, unknown>>[] {
  const key = ({ name, id }: ConfiguredMaintenance): string => `${name}\n${id}`;
  const isOfNobody = ({ integrations }: ConfiguredMaintenance): boolean =>
    integrations.length > 0 && integrations.every((id) => nameOfIntegration(id) === null);
  return windows
    .filter((window) => !isOfNobody(window))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((window) => {
      const { id, name, checks, tags, integrations, from, until, schedule, tz, duration, dates } = window;
      const isUnique = windows.filter((one) => one.name === name).length === 1;
      return {
        name,
        ...(isUnique ? {} : { id }),
        ...(checks.length === 0 ? {} : { checks: checks.map(nameOfCheck).sort() }),
        ...(tags.length === 0 ? {} : { tags }),
        ...(integrations.length === 0
          ? {}
          : { integrations: integrations.map((one) => nameOfIntegration(one) ?? one).sort() }),
        ...(from === null ? {} : { from, until }),
        ...(schedule === '' ? {} : { schedule, ...(tz === 'UTC' ? {} : { tz }), duration }),
        ...(dates.length === 0 ? {} : { dates }),
        ...(window.counts_as_downtime ? { counts_as_downtime: true } : {}),
      };
    });
}
