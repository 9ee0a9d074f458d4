/** Which requests are known, against a plain set, and for how long. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownRequests } from '../../../src/cluster/requests/known-requests.ts';

const limits = { keptMs: 1000, blocksMax: 1000 };

test('an pending is known once it was added, and no other one is', () => {
  const client = fc.constantFrom(0, 7, 0xffffffff);
  const number = fc.oneof(fc.nat(100), fc.integer({ min: 4000, max: 4200 }), fc.nat(2 ** 40));
  fc.assert(
    fc.property(fc.array(fc.tuple(client, number)), fc.array(fc.tuple(client, number)), (added, others) => {
      const known = new KnownRequests(limits, 0);
      const model = new Set(added.map(String));
      for (const pending of added) known.add(...pending);
      for (const pending of [...added, ...others])
        expect(known.has(...pending)).toBe(model.has(String(pending)));
    }),
  );
});

test('it stays known for the time that it is kept, however often that is looked at, and is forgotten after twice that', () => {
  const known = new KnownRequests(limits, 0);
  known.age(900);
  known.add(1, 5);
  for (let ms = 1000; ms <= 1900; ms += 100) known.age(ms);
  expect(known.has(1, 5)).toBe(true);
  known.add(1, 6);
  for (let ms = 2000; ms <= 2900; ms += 100) known.age(ms);
  expect([known.has(1, 5), known.has(1, 6)]).toEqual([false, true]);
});

test('after a long time nothing is known any more', () => {
  const known = new KnownRequests(limits, 0);
  known.add(1, 5);
  known.age(5000);
  expect(known.has(1, 5)).toBe(false);
});

test('what is kept has a bound, and the newest are known even then', () => {
  const known = new KnownRequests({ keptMs: 1000, blocksMax: 3 }, 0);
  for (let client = 0; client < 100; client++) known.add(client, 1);
  const clients = Array.from({ length: 100 }, (_, client) => client).filter((client) => known.has(client, 1));
  expect(clients.length).toBeLessThanOrEqual(6);
  expect(clients.slice(-3)).toEqual([97, 98, 99]);
});
