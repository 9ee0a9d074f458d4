/** Outages out of status changes, of one check and of several that people see as one. */
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { joinedOutages, outagesOf } from '../../../src/domain/check/outages.ts';
import type { Status } from '../../../src/domain/check/status.ts';

const change = (atMs: number, from: Status, to: Status): StatusChange => ({ atMs, from, to, cause: 'fail' });
const up = { isDown: false, sinceMs: 0 };

describe('the outages of a check', () => {
  test('go from down to whatever is not down, the grace time is none', () => {
    const changes = [
      change(1, 'up', 'grace'),
      change(2, 'grace', 'down'),
      change(5, 'down', 'up'),
      change(7, 'up', 'down'),
      change(9, 'down', 'paused'),
      change(10, 'paused', 'new'),
    ];
    expect(outagesOf(changes, up)).toEqual([
      { fromMs: 2, untilMs: 5 },
      { fromMs: 7, untilMs: 9 },
    ]);
  });

  test('begin before what is known, where the first change ends one', () => {
    expect(outagesOf([change(5, 'down', 'up')], { isDown: false, sinceMs: 3 })).toEqual([
      { fromMs: 3, untilMs: 5 },
    ]);
    expect(outagesOf([change(5, 'down', 'up')], { isDown: false, sinceMs: null })).toEqual([]);
    expect(outagesOf([], { isDown: true, sinceMs: 3 })).toEqual([{ fromMs: 3, untilMs: null }]);
  });

  test('have no end while it is down', () => {
    expect(outagesOf([change(5, 'up', 'down')], { isDown: true, sinceMs: 0 })).toEqual([
      { fromMs: 5, untilMs: null },
    ]);
  });
});

test('those of several checks are joined where they overlap or touch', () => {
  const outages = [
    { fromMs: 20, untilMs: null },
    { fromMs: 1, untilMs: 4 },
    { fromMs: 2, untilMs: 3 },
    { fromMs: 4, untilMs: 6 },
    { fromMs: 8, untilMs: 9 },
    { fromMs: 30, untilMs: 40 },
  ];
  expect(joinedOutages(outages)).toEqual([
    { fromMs: 1, untilMs: 6 },
    { fromMs: 8, untilMs: 9 },
    { fromMs: 20, untilMs: null },
  ]);
});

test('joined, they are cut by maintenance only where the one that ended last is', () => {
  const cut = { fromMs: 1, untilMs: 4, isCut: true };
  expect(joinedOutages([cut, { fromMs: 2, untilMs: 6 }])).toEqual([{ fromMs: 1, untilMs: 6 }]);
  expect(joinedOutages([cut, { fromMs: 2, untilMs: 3 }])).toEqual([cut]);
  expect(joinedOutages([{ fromMs: 0, untilMs: 2 }, cut])).toEqual([{ ...cut, fromMs: 0 }]);
});
