/**
 * What is odd about the steps of a cron expression: one that is larger than its field is allowed, and names only its first value.
 * Invariant: pure; of an expression that is not valid, nothing is said.
 */

/** In the order of an expression. `max`: the last value; of weekdays 7 is Sunday again. */
const fields = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'weekday', min: 0, max: 6 },
] as const;

const stepped = /^(?:\*|(\d+)(?:-(\d+))?)\/(\d+)$/;

/** Returns `*\/99 is only minute 0`, for each field that is nothing but such a step; empty for none. */
export function largeStepWords(expression: string): string {
  const items = expression.trim().split(/\s+/);
  if (items.length !== fields.length) return '';
  return fields
    .flatMap(({ name, min, max }, at) => {
      const item = items[at] ?? '';
      const [whole, from, to, by] = stepped.exec(item) ?? [];
      if (whole === undefined) return [];
      const first = from === undefined ? min : Number(from);
      const last = to === undefined ? max : Number(to);
      if (first > last || Number(by) <= last - first) return [];
      return [`${item} is only ${name} ${first}`];
    })
    .join('; ');
}
