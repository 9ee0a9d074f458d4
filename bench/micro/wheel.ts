/** What watching deadlines costs. */
import { TimerWheel } from '../../src/wheel/timer-wheel.ts';
import type { Task } from '../harness/micro.ts';

const handles = 10_000;
const dayMs = 86_400_000;
const wheel = new TimerWheel(0);
for (let handle = 0; handle < handles; handle++) wheel.arm(handle, dayMs + handle);
let later = dayMs;
let handle = 0;

/** Arms ten thousand handles within `spanMs` and lets the time come. */
function armAndFire(spanMs: number): number {
  const own = new TimerWheel(0);
  for (let at = 0; at < handles; at++) own.arm(at, 1 + (at * spanMs) / handles);
  let fired = 0;
  own.advance(spanMs + 1, () => fired++, { moves: Number.MAX_SAFE_INTEGER, perDue: 1 });
  return fired;
}

export const wheelTasks: readonly Task[] = [
  {
    name: 'put a deadline off',
    run: () => {
      handle = (handle + 1) % handles;
      wheel.arm(handle, later++);
    },
  },
  { name: 'earliest of 10,000', run: () => wheel.earliest() },
  { name: 'arm and fire within a second', run: () => armAndFire(1000), times: handles },
  { name: 'arm, cascade and fire within a day', run: () => armAndFire(dayMs), times: handles },
];
