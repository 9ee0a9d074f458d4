/** The number by which others see that retention may have dropped something. */
import { expect, test } from 'vitest';
import { defaultLimits as limits } from '../../../../src/store/disk/limits.ts';
import { FoldRunner } from '../../../../src/store/history/fold/fold-runner.ts';
import type { FromFold, ToFold } from '../../../../src/store/threads.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';

test('it is another one after each fold, and none during one, however often that is tried', async () => {
  const clock = new SimulatedClock(0);
  const sent: ToFold[] = [];
  let report: (message: FromFold) => void = () => {};
  const runner = new FoldRunner({
    start(receive) {
      report = receive;
      return { send: (message) => sent.push(message), stop: async () => {} };
    },
    scheduler: clock,
    limits,
    foldedSeq: 4,
    nowMs: () => clock.nowMs(),
    onFolded: () => {},
    onFull: () => {},
    onBroken: () => {},
  });
  const before = runner.version;
  expect(before).not.toBeNull();
  runner.durable(5, 10);
  expect(runner.version).toBe(before);
  await clock.advance(limits.foldDelayMs);
  expect(sent.map(({ type }) => type)).toEqual(['fold']);
  expect(runner.version).toBeNull();
  report({ type: 'full' });
  expect(runner.version).toBeNull();
  runner.durable(6, limits.foldBytesMin);
  report({ type: 'folded', seq: 5 });
  expect(runner.version).toBeNull();
  report({ type: 'folded', seq: 6 });
  expect(runner.version).not.toBeNull();
  expect(runner.version).not.toBe(before);
});
