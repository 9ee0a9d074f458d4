/** When a job runs that a check expects in an interval, in cron's way. Pure. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** What cron can say of equal steps, longest first. At 2:15 others' jobs are rare. */
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

/** As often as is expected; where cron cannot say that, the next more often: then no ping is missing. */
export function cronOfInterval(seconds: number): string {
  return steps.find(([length]) => length <= seconds)?.[1] ?? '* * * * *';
}
