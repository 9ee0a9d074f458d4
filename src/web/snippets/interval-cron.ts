/** This file says in cron's way when a job runs that a check expects in an interval. Pure. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Equal steps that cron can say, longest first. At 2:15 the jobs of others are rare. */
const steps: readonly (readonly [seconds: number, cron: string])[] = [
  [28 * day, '15 2 1 * *'],
  [7 * day, '15 2 * * 1'],
  [day, '15 2 * * *'],
  ...[12, 8, 6, 4, 3, 2].map((hours) => [hours * hour, `0 */${hours} * * *`] as const),
  [hour, '0 * * * *'],
  ...[30, 20, 15, 12, 10, 6, 5, 4, 3, 2].map(
    (minutes) => [minutes * minute, `*/${minutes} * * * *`] as const,
  ),
];

/**
 * Returns an expression as frequent as the check expects, or the next more frequent one if cron cannot say that: then no ping is
 * missing.
 */
export function cronOfInterval(seconds: number): string {
  return steps.find(([length]) => length <= seconds)?.[1] ?? '* * * * *';
}
