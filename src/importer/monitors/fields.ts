/** Fields of another program's JSON or YAML, of which nothing is certain. Throws nothing: what is of the wrong type is absent. */

export type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function plainIn(from: unknown, name: string): Plain {
  const value = isPlain(from) ? from[name] : undefined;
  return isPlain(value) ? value : {};
}

/** The objects of a list; anything else in it is passed over. */
export function listIn(from: unknown, name: string): readonly Plain[] {
  const value = isPlain(from) ? from[name] : undefined;
  return Array.isArray(value) ? value.filter(isPlain) : [];
}

export function textIn(from: Plain, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Null where it is no number, also not in a text. */
export function numberIn(from: Plain, name: string): number | null {
  const value = from[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Databases have 0 and 1. */
export function flagIn(from: Plain, name: string, whenAbsent: boolean): boolean {
  const value = from[name];
  return value === undefined || value === null
    ? whenAbsent
    : value === true || value === 1 || value === 'true';
}

export function textsIn(from: Plain, name: string): readonly string[] {
  const value = from[name];
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of `90s`, `1h30m`, `5 minutes`; null for anything else. */
export function secondsOf(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  if (
    parts.length === 0 ||
    parts
      .map(([whole]) => whole)
      .join('')
      .replace(/\s/g, '') !== text.replace(/\s/g, '')
  )
    return null;
  let seconds = 0;
  for (const [, count, unit = ''] of parts) {
    const known = /^(s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i.test(unit);
    if (!known) return null;
    seconds += Number(count) * (units[unit.charAt(0).toLowerCase()] ?? 0);
  }
  return seconds;
}
