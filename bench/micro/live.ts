/**
 * What open pages cost a ping: the note that its check has changed, which every ping writes, and the row that is rendered
 * for the pages, at most four times a second and check, which only a changed check has.
 */
import { createTopics } from '../../src/engine/contract/events.ts';
import { ChangedChecks } from '../../src/http/web/live/live.ts';
import { rowJson } from '../../src/http/web/live/rows.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

/** As many as a busy Knell is pinged by between two updates of the pages. */
const checks = Array.from({ length: 10_000 }, (_, number) => upCheck(number));
const [first] = checks;
const reads = { lastChange: () => null, latestRuns: () => [], uptimes: () => [] };

/** As the engine publishes, with a subscriber or without. Nothing is rendered: what is timed is what the ping pays. */
function topic(changed: ChangedChecks | null) {
  const { checkChanged } = createTopics(silentLogger);
  if (changed) checkChanged.subscribe(changed.add);
  return checkChanged;
}

const changed = new ChangedChecks(() => {});
const silent = topic(null);
const subscribed = topic(new ChangedChecks(() => {}));
const taken = topic(changed);

function publishAll(to: typeof silent): void {
  for (const check of checks) to.publish(check);
}

function publishAgain(to: typeof silent): void {
  if (first) for (let n = 0; n < checks.length; n++) to.publish(first);
}

const times = checks.length;

export const liveTasks: readonly Task[] = [
  { name: 'change, no page open', times, run: () => publishAll(silent) },
  { name: 'change, pages open, one check over and over', times, run: () => publishAgain(subscribed) },
  {
    name: 'change and take, pages open, 10,000 checks',
    times,
    run: () => {
      publishAll(taken);
      return changed.take(times);
    },
  },
  { name: 'row of a page as JSON', run: () => first && rowJson(reads, first, 'owner', 0) },
];
