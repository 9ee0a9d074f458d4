/**
 * Instants as the API writes them: ISO 8601 with the offset `+00:00` (specification, "Resources").
 * Invariant: whole seconds, cut and not rounded, except in a ping's date, which always has six fraction digits.
 */

/** `2024-01-02T03:04:05+00:00`. */
export function isoSeconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}+00:00`;
}

/** `2024-01-02T03:04:05.678000+00:00`. */
export function isoMicroseconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 23)}000+00:00`;
}
