/**
 * Instants as the API writes them: ISO 8601 with the offset `+00:00` (specification, "Resources").
 * Invariant: whole seconds, cut and not rounded, except in a ping's date, which always has six fraction digits.
 */

/** `2024-01-02T03:04:05+00:00`. Put together by hand: a list of checks has two of them in each, toISOString is slow. */
export function isoSeconds(atMs: number): string {
  const date = new Date(atMs);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return (
    `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T` +
    `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}+00:00`
  );
}

/** `2024-01-02T03:04:05.678000+00:00`. */
export function isoMicroseconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 23)}000+00:00`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
