/** The outages of what a check depends on, and when there is another one. */
import { expect, test } from 'vitest';
import { outagesIn, parentsDownAt, parentTurns } from '../../../src/domain/alerting/parents-past.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';

const changes: readonly StatusChange[] = [
  { atMs: 10, from: 'down', to: 'up', cause: 'success' },
  { atMs: 20, from: 'up', to: 'down', cause: 'timeout' },
  { atMs: 30, from: 'down', to: 'paused', cause: 'pause' },
  { atMs: 40, from: 'up', to: 'down', cause: 'fail' },
];

test('outages end with whatever ends them, and the first and the last may be open', () => {
  expect(outagesIn(changes, 'down')).toEqual([
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: 10 },
    { fromMs: 20, untilMs: 30 },
    { fromMs: 40, untilMs: Number.POSITIVE_INFINITY },
  ]);
  expect(outagesIn([], 'up')).toEqual([]);
});

test('a parent is down from the begin of its outage until its end, which are its turns', () => {
  const parents = [
    { name: 'db', outages: outagesIn(changes, 'down') },
    { name: 'disk', outages: [{ fromMs: 20, untilMs: 35 }] },
  ];
  expect([0, 10, 20, 30, 35, 40].map((atMs) => parentsDownAt(parents, atMs))).toEqual([
    ['db'],
    [],
    ['db', 'disk'],
    ['disk'],
    [],
    ['db'],
  ]);
  expect(parentTurns(parents)).toEqual([10, 20, 30, 35, 40]);
});
