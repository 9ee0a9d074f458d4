/** What the next occurrence costs: remembered, sought, and from nothing. */
import { internSchedule, parseSchedule } from '../../src/schedule/schedule.ts';
import { benchMs } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const minuteMs = 60_000;
const kinds = [
  ['cron', '30 3 * * 1-5'],
  ['OnCalendar', 'Mon..Fri 3:30'],
] as const;
let fromMs = benchMs;

/** Another instant each time. */
function nextFromMs(): number {
  fromMs += 37 * minuteMs;
  return fromMs;
}

/** A schedule that remembers nothing of what it was asked. */
function uncached(expr: string) {
  const parsed = parseSchedule(expr, 'Europe/Riga');
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.schedule;
}

export const scheduleTasks: readonly Task[] = kinds.flatMap(([kind, expr]) => {
  const schedule = uncached(expr);
  return [
    { name: `${kind}: next, cached`, run: () => internSchedule(expr, 'Europe/Riga').next(benchMs) },
    { name: `${kind}: next, uncached`, run: () => schedule.next(nextFromMs()) },
    { name: `${kind}: parse and validate`, run: () => parseSchedule(expr, 'Europe/Riga') },
  ];
});
