// Formats the times that `knell schedule` prints. It computes no occurrences.
// Invariant: every column has a fixed width up to the year 9999, the last one excepted.

/** UTC as ISO 8601 time in whole seconds: 2026-03-29T01:00:00Z. */
export function utcTime(instantMs: number): string {
  return `${withoutFraction(instantMs)}Z`;
}

/** A distance in its two largest units: `in 3 h 5 min` or `2 d ago`. */
export function relativeTime(distanceMs: number): string {
  const seconds = Math.round(Math.abs(distanceMs) / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const largest = parts.findIndex(([count]) => count > 0);
  if (largest < 0) return 'now';
  const shown = parts.slice(largest, largest + 2).filter(([count]) => count > 0);
  const text = shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
  return distanceMs < 0 ? `${text} ago` : `in ${text}`;
}

function withoutFraction(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19);
}
