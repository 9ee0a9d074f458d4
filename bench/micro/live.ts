/**
 * What open pages cost a ping: the note that its check was touched, which every ping makes, and the row that is rendered for
 * the pages, at most four times a second and check, which only a touched check has.
 */
import { Touches } from '../../src/http/web/live.ts';
import { rowJson } from '../../src/http/web/rows.ts';
import { upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

/** As many as a busy Knell hears pings of between two rounds of news. */
const checks = Array.from({ length: 10_000 }, (_, number) => upCheck(number));
const [first] = checks;

/** Its news go nowhere: what is timed is what the ping pays. */
function noted(listening: boolean): Touches {
  const touches = new Touches();
  touches.listen(listening);
  touches.tellBy(() => {});
  return touches;
}

const unheard = noted(false);
const heard = noted(true);
const told = noted(true);

function touchAll(touches: Touches): Touches {
  for (const check of checks) touches.touched(check);
  return touches;
}

function touchAgain(touches: Touches): Touches {
  if (first) for (let n = 0; n < checks.length; n++) touches.touched(first);
  return touches;
}

const times = checks.length;

export const liveTasks: readonly Task[] = [
  { name: 'touch, no page open', times, run: () => touchAll(unheard) },
  { name: 'touch, pages open, one check over and over', times, run: () => touchAgain(heard) },
  { name: 'touch and tell, pages open, 10,000 checks', times, run: () => touchAll(told).take(times) },
  { name: 'row of a page as JSON', run: () => first && rowJson(first) },
];
