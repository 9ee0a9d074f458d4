import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { inOrder } from '../../../src/notify/dispatch/channel-queue.ts';
import { checkOf, deliveryOf } from '../../support/store/store-facts.ts';

const change = (atMs: number, to: 'down' | 'up'): StatusChange => ({
  ...{ atMs, to, from: to === 'down' ? 'up' : 'down', cause: to === 'down' ? 'timeout' : 'success' },
});
const onCheck = (number: number, atMs: number, to: 'down' | 'up') =>
  deliveryOf(atMs, { checkId: checkOf(number).id, change: change(atMs, to), sinceMs: atMs });

describe('what waits at a start is taken', () => {
  test('oldest first, whichever check it is of', () => {
    const all = [onCheck(1, 30, 'down'), onCheck(2, 10, 'down'), onCheck(3, 20, 'up')];
    expect(inOrder(all, () => null).map(({ sinceMs }) => sinceMs)).toEqual([10, 20, 30]);
  });

  test('so that the end of an outage is last, though the check is down anew and nobody is to know yet', () => {
    const [down, up] = [onCheck(1, 10, 'down'), onCheck(1, 20, 'up')];
    for (const all of [
      [up, down],
      [down, up],
    ])
      expect(inOrder(all, () => change(30, 'down'))).toEqual([down, up]);
  });

  test('so that the latest change of a check is last, though the clock was set back before it', () => {
    const [down, up, other] = [onCheck(1, 50, 'down'), onCheck(1, 20, 'up'), onCheck(2, 30, 'down')];
    const lastChangeOf = (id: string) => (id === checkOf(1).id ? up.change : other.change);
    for (const all of [
      [up, other, down],
      [down, up, other],
      [other, down, up],
    ])
      expect(inOrder(all, lastChangeOf)).toEqual([other, down, up]);
  });
});
