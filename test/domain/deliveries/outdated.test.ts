/** Which notifications that were given up are no longer true, by a check's changes: a table, one letter for each step. */
import { describe, expect, test } from 'vitest';
import type { Status } from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { type CheckByNow, outageEnd, outdatedOf } from '../../../src/domain/deliveries/outdated.ts';
import { deliveryOf } from '../../support/store/store-facts.ts';

const statuses: Readonly<Record<string, Status>> = { d: 'down', u: 'up', g: 'grace', p: 'paused' };

/** `dud`: it went down, came up, went down; a change each second, the first at 1000. */
function changesOf(steps: string): readonly StatusChange[] {
  let from: Status = 'up';
  return [...steps].map((step, at) => {
    const change = { atMs: 1000 * (at + 1), from, to: statuses[step] ?? 'new', cause: 'timeout' } as const;
    from = change.to;
    return change;
  });
}

function checkOf(steps: string): CheckByNow {
  const changes = changesOf(steps);
  return {
    status: changes.at(-1)?.to ?? 'new',
    changesFrom: (atMs) => changes.filter((one) => one.atMs >= atMs).toReversed(),
  };
}

/** `dead`: the numbers of the changes of which the delivery was given up; `waiting` likewise. Returns those left out. */
function leftOut(steps: string, dead: string, waiting = '', more: Partial<Delivery> = {}): string {
  const changes = changesOf(steps);
  const of = (state: Delivery['state']) => (number: string) => {
    const change = changes[Number(number) - 1];
    if (!change) throw new Error('no such change');
    return deliveryOf(Number(number), { change, state, attempts: 1, ...more });
  };
  const all = [...[...dead].map(of('dead')), ...[...waiting].map(of('waiting'))];
  return outdatedOf(all, checkOf(steps))
    .map(({ change }) => String(change.atMs / 1000))
    .join('');
}

test.each([
  ['an outage that lasts is true', 'd', '1', '', ''],
  ['one that is over is not', 'du', '1', '', '1'],
  ['nor one that ended in a pause', 'dp', '1', '', '1'],
  ['with its end it is', 'du', '12', '', ''],
  ['also where its end waits', 'du', '1', '2', ''],
  ['the end of another one does not help it', 'dudu', '14', '', '1'],
  ['of two outages the second is true, if it lasts', 'dud', '13', '', '1'],
  ['only an end is true while the check is up', 'du', '2', '', ''],
  ['and not once it is down again, which was delivered', 'dud', '2', '', '2'],
  ['neither is the outage before it then', 'dud', '12', '', '12'],
  ['all three are, one after the other', 'dud', '123', '', ''],
  ['also where the last waits', 'dud', '12', '3', ''],
  ['all of several outages with their ends', 'dudu', '1234', '', ''],
  ['what waits is never left out', 'du', '', '1', ''],
  ['that it is late is not true once it is up', 'gu', '1', '', '1'],
  ['and is while it is late', 'g', '1', '', ''],
])('%s', (_, steps, dead, waiting, left) => {
  expect(leftOut(steps, dead, waiting)).toBe(left);
});

describe('of other kinds', () => {
  test('a reminder of an outage that is over is of no use, whatever follows it', () => {
    expect(leftOut('du', '1', '2', { reminder: true })).toBe('1');
  });

  test('what has happened to a run stays true', () => {
    const warned = { atMs: 1000, from: 'up', to: 'up', cause: 'warn' } as const;
    expect(outdatedOf([deliveryOf(1, { change: warned, state: 'dead' })], checkOf('d'))).toEqual([]);
  });
});

test('the end of an outage is its first, and says whether it has been up since', () => {
  const [first] = changesOf('d');
  if (!first) throw new Error('it went down');
  expect(outageEnd(first, checkOf('d'))).toBeNull();
  expect(outageEnd(first, checkOf('dd'))).toBeNull();
  expect(outageEnd(first, checkOf('du'))).toEqual({ atMs: 2000, againMs: null, isUpSince: true });
  expect(outageEnd(first, checkOf('dugu'))).toEqual({ atMs: 2000, againMs: null, isUpSince: true });
  expect(outageEnd(first, checkOf('dudu'))).toEqual({ atMs: 2000, againMs: 3000, isUpSince: false });
  expect(outageEnd(first, checkOf('dpu'))).toEqual({ atMs: 2000, againMs: null, isUpSince: false });
});
