/** How long a run of the API took, as exactly as its log has it: the API itself rounds to hundredths of a second. Pure. */

interface RunTimes {
  /** Times are ISO 8601. */
  readonly started: string | null;
  readonly ended: string | null;
  readonly late_end: string | null;
  /** Seconds. */
  readonly duration: number | null;
}

/** Returns milliseconds from its start to its end, also to a late one; null where one of them is not known. */
export function tookMs({ started, ended, late_end, duration }: RunTimes): number | null {
  const end = late_end ?? ended;
  if (duration === null || started === null || end === null) return null;
  return Math.max(0, Date.parse(end) - Date.parse(started));
}
