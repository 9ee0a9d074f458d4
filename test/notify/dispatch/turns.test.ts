import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { turnsPerCollection } from '../../../src/notify/contract/limits.ts';
import { Turns } from '../../../src/notify/dispatch/turns.ts';
import { youngCollections } from '../../support/young-collections.ts';

/** How many of the items each turn took, of which one takes `itemMs`. */
async function perTurn(items: number, itemsMax: number, itemMs: number): Promise<readonly number[]> {
  let nowMs = 1000;
  const turns = new Turns({ elapsedMs: () => nowMs }, itemsMax);
  const taken = [0];
  for (let item = 0; item < items; item++) {
    if (turns.isOver()) {
      await turns.next();
      taken.push(0);
    }
    nowMs += itemMs;
    taken[taken.length - 1] = (taken.at(-1) ?? 0) + 1;
  }
  return taken;
}

describe('turns', () => {
  test('end after a number of items where no time passes', async () => {
    expect(await perTurn(10, 4, 0)).toEqual([4, 4, 2]);
    expect(await perTurn(4, 4, 0)).toEqual([4]);
    expect(await perTurn(3, 1, 0)).toEqual([1, 1, 1]);
  });

  test('end a millisecond after they began', async () => {
    expect(await perTurn(5, 100, 0.5)).toEqual([2, 2, 1]);
    expect(await perTurn(3, 100, 7)).toEqual([1, 1, 1]);
  });

  test('have one item at least, however late they begin', () => {
    let nowMs = 0;
    const turns = new Turns({ elapsedMs: () => nowMs }, 100);
    nowMs = 50;
    expect([turns.isOver(), turns.isOver()]).toEqual([false, true]);
  });

  test('collect young garbage after so many, so that none of its collections takes long', async () => {
    expect(await youngCollections(() => perTurn(turnsPerCollection, 1, 0))).toBe(0);
    expect(await youngCollections(() => perTurn(3 * turnsPerCollection + 1, 1, 0))).toBe(3);
  });

  test('let timers run in between', async () => {
    let fired = 0;
    const timer = setInterval(() => fired++, 1);
    const turns = new Turns(systemClock, 1_000_000);
    const endMs = performance.now() + 5000;
    while (fired <= 5 && performance.now() < endMs) if (turns.isOver()) await turns.next();
    clearInterval(timer);
    expect(fired).toBeGreaterThan(5);
  });
});
