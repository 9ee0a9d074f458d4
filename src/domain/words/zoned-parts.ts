/**
 * The parts of an instant, as a clock on the wall of a time zone shows them: what all messages write times from.
 * Invariant: never throws: an alert that cannot be written is worse than one in UTC, which says that it is.
 */

/** English names, numbers without leading zeros for the day, with them for the time of day. */
export interface ZonedParts {
  /** `Wed`. */
  readonly weekday: string;
  readonly day: string;
  /** `Nov`. */
  readonly month: string;
  readonly year: string;
  /** `00` to `23`. */
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  /** ` UTC` if this machine does not know the zone, else empty: for behind the time. */
  readonly suffix: string;
  /** Offset of the clock from UTC then: `UTC+3`, `UTC-4:30`, `UTC`. */
  readonly offset: string;
}

/** `zone`: an IANA name. */
export function zonedParts(atMs: number, zone: string): ZonedParts {
  const { format, suffix } = formatOf(zone);
  const found: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(atMs)) found[type] = value;
  const { weekday = '', day = '', month = '', year = '', hour = '', minute = '', second = '' } = found;
  const offset = (found.timeZoneName ?? '').replace('GMT', 'UTC').replace(/[+-]0$/, '');
  return { weekday, day, month, year, hour, minute, second, suffix, offset };
}

interface ZoneFormat {
  readonly format: Intl.DateTimeFormat;
  readonly suffix: string;
}

/** A format takes longer to create than to use. As many as there are zones in use. */
const formats = new Map<string, ZoneFormat>();

function formatOf(zone: string): ZoneFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = newFormat(zone);
  const created = format ? { format, suffix: '' } : { format: utcFormat, suffix: ' UTC' };
  formats.set(zone, created);
  return created;
}

const shape = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'shortOffset',
} as const;
const utcFormat = new Intl.DateTimeFormat('en-US', { ...shape, timeZone: 'UTC' });

/** Null for a zone that Node's own rules do not have. */
function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { ...shape, timeZone });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
