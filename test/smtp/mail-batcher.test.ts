/** Mails that come together wait for each other, briefly; one that comes alone does not. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailBatcher } from '../../src/smtp/mail-batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a mail that comes alone is delivered at once', () => {
  const batcher = new MailBatcher(2);
  const delivered: string[] = [];
  batcher.start();
  batcher.complete(() => delivered.push('a'));
  expect(delivered).toEqual(['a']);
});

test('mails that come together are delivered when the last is complete or aborted', () => {
  const batcher = new MailBatcher(2);
  const delivered: string[] = [];
  for (const _ of 'abc') batcher.start();
  batcher.complete(() => delivered.push('a'));
  batcher.complete(() => delivered.push('b'));
  expect(delivered).toEqual([]);
  batcher.abort();
  expect(delivered).toEqual(['a', 'b']);
  vi.advanceTimersByTime(10);
  expect(delivered).toEqual(['a', 'b']);
});

test('no mail waits longer than the limit for one that does not come', () => {
  const batcher = new MailBatcher(2);
  const delivered: string[] = [];
  batcher.start();
  for (const name of 'ab') {
    batcher.start();
    batcher.complete(() => delivered.push(name));
    vi.advanceTimersByTime(1);
    expect(delivered).not.toContain(name);
    vi.advanceTimersByTime(1);
    expect(delivered).toContain(name);
  }
});
