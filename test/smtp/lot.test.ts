/** Mails that come at once wait for each other, a little; one alone does not. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lot } from '../../src/smtp/lot.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a mail that comes alone is handed on at once', () => {
  const lot = new Lot(2);
  const handedOn: string[] = [];
  lot.begin();
  lot.arrive(() => handedOn.push('a'));
  expect(handedOn).toEqual(['a']);
});

test('mails that come together are handed on when the last has arrived, or has vanished', () => {
  const lot = new Lot(2);
  const handedOn: string[] = [];
  for (const _ of 'abc') lot.begin();
  lot.arrive(() => handedOn.push('a'));
  lot.arrive(() => handedOn.push('b'));
  expect(handedOn).toEqual([]);
  lot.vanish();
  expect(handedOn).toEqual(['a', 'b']);
  vi.advanceTimersByTime(10);
  expect(handedOn).toEqual(['a', 'b']);
});

test('no mail waits longer than the limit for one that does not come', () => {
  const lot = new Lot(2);
  const handedOn: string[] = [];
  lot.begin();
  for (const name of 'ab') {
    lot.begin();
    lot.arrive(() => handedOn.push(name));
    vi.advanceTimersByTime(1);
    expect(handedOn).not.toContain(name);
    vi.advanceTimersByTime(1);
    expect(handedOn).toContain(name);
  }
});
