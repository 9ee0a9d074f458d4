/** The order in which outputs are gone through, against sorting all of them, while pings come in and go. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PingOutput } from '../../../../src/domain/check/ping.ts';
import { OutputWalk, type WalkPlace } from '../../../../src/http/api/search/output-walk.ts';
import { asCheckId, type CheckId } from '../../../../src/lib/ids.ts';

/** Logs of checks in memory, oldest first. */
class Logs {
  readonly logs = new Map<CheckId, PingOutput[]>();

  add(check: number, atMs: number): void {
    const id = asCheckId(`check-${check}`);
    const log = this.logs.get(id) ?? [];
    this.logs.set(id, log);
    log.push({ n: (log.at(-1)?.n ?? 0) + 1, atMs, signal: 'success', scheme: 'http', bodyBytes: 1 });
  }

  outputs(id: CheckId, below: number, limit: number): readonly PingOutput[] {
    const log = (this.logs.get(id) ?? []).filter(({ n }) => n < below);
    return log.reverse().slice(0, limit);
  }

  get ids(): readonly CheckId[] {
    return [...this.logs.keys()];
  }

  /** What the walk should give: the time of an output is not after that of those with higher numbers. */
  sorted(): readonly string[] {
    const all = [...this.logs].flatMap(([id, log]) => {
      let atMs = Number.POSITIVE_INFINITY;
      return log.toReversed().map((one) => {
        atMs = Math.min(atMs, one.atMs);
        return { id, n: one.n, atMs };
      });
    });
    all.sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : b.n - a.n));
    return all.map(({ id, n }) => `${id} ${n}`);
  }
}

function take(walk: OutputWalk, count: number): string[] {
  while (walk.placeNext());
  const taken: string[] = [];
  for (let step = walk.peek(); step && taken.length < count; step = walk.peek()) {
    taken.push(`${step.id} ${step.n}`);
    walk.pass();
  }
  return taken;
}

const pings = fc.array(fc.tuple(fc.nat(3), fc.nat(20)), { maxLength: 200 });

test('all outputs come in order, in any parts, with the walk and without it, whichever pings come in between', () => {
  fc.assert(
    fc.property(pings, fc.array(fc.tuple(fc.nat(30), fc.boolean())), (before, parts) => {
      const logs = new Logs();
      // The clock of a check is set back now and then.
      for (const [check, atMs] of before) logs.add(check, atMs);
      const expected = logs.sorted();
      let walk = new OutputWalk(logs, logs.ids, { after: null, untilMs: Number.POSITIVE_INFINITY });
      const taken: string[] = [];
      let newest = 100;
      for (const [count, isLost] of [...parts, [1000, true] as const]) {
        const part = take(walk, count);
        taken.push(...part);
        const place: WalkPlace | null = walk.place;
        for (const check of [0, 1, 2, 3])
          if (logs.logs.has(asCheckId(`check-${check}`)) && place) logs.add(check, newest++);
        if (isLost && place)
          walk = new OutputWalk(logs, logs.ids, { after: place, untilMs: Number.POSITIVE_INFINITY });
        else walk.trim();
      }
      taken.push(...take(walk, 1000));
      expect(taken).toEqual(expected);
    }),
  );
});

test('an output that is dropped meanwhile is left out, and the walk goes on behind it', () => {
  const logs = new Logs();
  for (let at = 1; at <= 5; at++) logs.add(0, at);
  const walk = new OutputWalk(logs, logs.ids, { after: null, untilMs: Number.POSITIVE_INFINITY });
  expect(take(walk, 2)).toEqual(['check-0 5', 'check-0 4']);
  walk.trim();
  logs.logs.get(asCheckId('check-0'))?.splice(2, 1);
  expect(take(walk, 9)).toEqual(['check-0 2', 'check-0 1']);
});

test('outputs from an instant on are left out', () => {
  const logs = new Logs();
  for (let at = 1; at <= 2000; at++) logs.add(at % 2, at);
  const walk = new OutputWalk(logs, logs.ids, { after: null, untilMs: 4 });
  expect(take(walk, 9)).toEqual(['check-1 2', 'check-0 1', 'check-1 1']);
});
