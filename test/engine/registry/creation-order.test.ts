import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CreationOrder } from '../../../src/engine/registry/creation-order.ts';
import { t0 } from '../../support/engine/checks.ts';

const step = fc.record({
  handle: fc.integer({ min: 0, max: 60 }),
  instant: fc.double({ min: 0, max: 100, noNaN: true }),
  looks: fc.boolean(),
});

test('gives handles by their instants, whatever is added and removed in which order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const order = new CreationOrder();
      const instants = new Map<number, number>();
      for (const { handle, instant, looks } of steps) {
        const before = instants.get(handle);
        if (before !== undefined) {
          order.remove(handle, before);
          instants.delete(handle);
        } else if (![...instants.values()].includes(instant)) {
          order.add(handle, instant);
          instants.set(handle, instant);
        }
        expect(order.size).toBe(instants.size);
        if (looks) expect([...order]).toEqual(sorted(instants));
        expect(order.has(instant)).toBe([...instants.values()].includes(instant));
      }
      expect([...order]).toEqual(sorted(instants));
    }),
  );
});

function sorted(instants: ReadonlyMap<number, number>): number[] {
  return [...instants].sort(([, a], [, b]) => a - b).map(([handle]) => handle);
}

test('a list that is read while checks come and go gives each once, and all that stay', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.infiniteStream(fc.nat(3)), (steps, turns) => {
      const order = new CreationOrder();
      for (let handle = 0; handle < 40; handle++) order.add(handle, 10 * handle);
      const gone = new Set<number>();
      const seen: number[] = [];
      const reading = order[Symbol.iterator]();
      let next = 1000;
      for (const { handle } of steps) {
        const [turn = 0] = turns.take(1);
        if (turn === 0 && handle < 40 && !gone.has(handle)) {
          order.remove(handle, 10 * handle);
          gone.add(handle);
        } else if (turn === 1) order.add(next, 10 * next++);
        else if (turn === 2) order.add(next++, next * 0.01);
        const { value, done } = reading.next();
        if (!done) seen.push(value);
      }
      for (let one = reading.next(); !one.done; one = reading.next()) seen.push(one.value);
      expect(new Set(seen).size).toBe(seen.length);
      for (let handle = 0; handle < 40; handle++)
        if (!gone.has(handle)) expect(seen, `${handle}`).toContain(handle);
    }),
  );
});

test('a long list that came in any order is in that of its instants, equal ones as they came', () => {
  const order = new CreationOrder();
  const instants = Array.from({ length: 20_000 }, (_, at) => t0 + ((at * 7919) % 9_973) + (at % 3) / 1000);
  for (const [handle, instant] of instants.entries()) order.add(handle, instant);
  const expected = instants.map((instant, handle) => ({ instant, handle }));
  expected.sort((a, b) => a.instant - b.instant || a.handle - b.handle);
  expect([...order]).toEqual(expected.map(({ handle }) => handle));
});

test('equal instants are taken too', () => {
  const order = new CreationOrder();
  for (const handle of [3, 1, 2]) order.add(handle, 5);
  order.add(4, 1);
  expect([...order]).toEqual([4, 3, 1, 2]);
  order.remove(1, 5);
  expect([...order]).toEqual([4, 3, 2]);
});
