/**
 * Checks are snoozed and acknowledged, and both are undone: what is asked of Knell, with what it does to the model. Every
 * choice is the world's.
 * Invariant: a request touches the engine as a client does, and nothing else.
 */
import { KnellError } from '../../src/lib/errors.ts';
import { hour, minute, second } from '../../src/lib/units.ts';
import type { Model } from './model.ts';
import type { ModelCheck } from './model-check.ts';
import type { Asked, World } from './world.ts';

const authors = ['Ada', 'Bo'];

/** A change by the owner, answered by how it ended. */
export function askChange(
  world: World,
  label: string,
  apply: Asked['apply'],
  run: () => Promise<unknown>,
): void {
  world.ask(label, apply, (answer) => {
    run().then(
      () => answer('ok'),
      (error: unknown) => answer(error instanceof KnellError ? error.code : String(error)),
    );
  });
}

/** Of any check, rather of one that is down. */
export function askSnooze(world: World): void {
  const { random, model, names, knell, nowMs } = world;
  const all = [...model.checks.keys()];
  const down = all.filter((name) => model.checks.get(name)?.status === 'down');
  const from = down.length > 0 && random.chance(0.6) ? down : all;
  if (from.length === 0) return;
  const name = random.pick(from);
  const id = names.check(name);
  const { change } = knell.engine;
  const by = random.pick(authors);
  const untilMs = nowMs + second + random.below(random.chance(0.1) ? 3 * hour : 6 * minute);
  const what = random.weighted({ snooze: 6, unsnooze: 2, acknowledge: 4, unacknowledge: 1 });
  const stepped = (at: Model, effect: (check: ModelCheck) => void): string =>
    at.step(name, effect) ? 'ok' : 'not-found';
  const apply: Readonly<Record<typeof what, Asked['apply']>> = {
    snooze: (at, certainMs) => stepped(at, (one) => one.snoozeUntil({ untilMs, by }, nowMs, certainMs)),
    unsnooze: (at) => stepped(at, (one) => one.unsnooze(nowMs)),
    acknowledge(at, certainMs) {
      const found = stepped(at, (one) => one.applyDueDeadlines(nowMs));
      if (found === 'ok' && at.checks.get(name)?.status !== 'down') return 'conflict';
      return stepped(at, (one) => one.acknowledge(by, nowMs, certainMs));
    },
    unacknowledge: (at) => stepped(at, (one) => one.unacknowledge(nowMs)),
  };
  const run: Readonly<Record<typeof what, () => Promise<unknown>>> = {
    snooze: () => change.snoozeCheck(id, { untilMs, by }, nowMs),
    unsnooze: () => change.unsnoozeCheck(id, nowMs),
    acknowledge: () => change.acknowledgeCheck(id, by, nowMs),
    unacknowledge: () => change.unacknowledgeCheck(id, nowMs),
  };
  askChange(world, `${what} ${name} until ${untilMs - nowMs} on`, apply[what], run[what]);
}
