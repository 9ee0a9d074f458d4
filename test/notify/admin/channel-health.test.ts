/** What attempts say about their integration: its last error, a new value, its end. */
import { describe, expect, test } from 'vitest';
import {
  type Channel,
  type ChannelSettings,
  defaultChannelSettings,
} from '../../../src/domain/accounts/project.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { hour } from '../../../src/lib/units.ts';
import { limits } from '../../../src/limits.ts';
import { ChannelHealth } from '../../../src/notify/admin/channel-health.ts';
import type { Outcome } from '../../../src/notify/contract/channel.ts';
import type { ChannelChange } from '../../../src/notify/contract/notify.ts';
import { pauseMs } from '../../../src/notify/contract/retry.ts';
import { noticeOf } from '../../support/engine/notices.ts';

const { missingAttemptsMin } = limits.notify;
const nowMs = 1_700_000_000_000;

function scene({ durable = true } = {}) {
  const edits: ChannelChange[] = [];
  const disabled: string[] = [];
  const health = new ChannelHealth({
    logger: silentLogger,
    missingAttemptsMin,
    nowMs: () => nowMs,
    editChannel: async (_, edit) => {
      edits.push(edit);
      if (!durable) throw new Error('the disk is full');
    },
    disabled: ({ id }) => disabled.push(id),
  });
  return { edits, disabled, health };
}

function channelWith(settings: Partial<ChannelSettings> = {}, value?: string): Channel {
  const { channel } = noticeOf('gotify', 'down');
  return { ...channel, ...(value ? { value } : {}), settings: { ...defaultChannelSettings, ...settings } };
}

const first = { attempts: 0, error: '' };
const gone: Outcome = { kind: 'refused', error: 'status 410', status: 410, gone: true };
const missing: Outcome = { kind: 'failed', error: 'status 404', missing: true };
const disabling = (reason: string, lastError: string): ChannelChange => ({
  settings: {
    disabled: true,
    disabledReason: reason,
    lastError,
    failingSinceMs: nowMs,
    announcePending: true,
  },
});

test('a failure is its last error, a success clears it, and neither is written twice', () => {
  const { edits, health } = scene();
  const failed = (error: string): Outcome => ({ kind: 'failed', error });
  const failing = channelWith({ lastError: 'status 500', failingSinceMs: nowMs - 1000 });
  health.ended(channelWith(), first, failed('status 500'));
  health.ended(failing, first, failed('status 500'));
  health.ended(failing, first, failed('status 503'));
  health.ended(failing, first, { kind: 'delivered' });
  health.ended(channelWith(), first, { kind: 'delivered' });
  // It was turned off and on.
  health.ended(channelWith({ failingSinceMs: nowMs - 1000 }), first, { kind: 'delivered' });
  expect(edits).toEqual([
    { settings: { lastError: 'status 500', failingSinceMs: nowMs } },
    // Since the first one.
    { settings: { lastError: 'status 503', failingSinceMs: nowMs - 1000 } },
    { settings: { lastError: '', failingSinceMs: 0 } },
    { settings: { lastError: '', failingSinceMs: 0 } },
  ]);
});

describe('proof that it is gone', () => {
  test('disables it in one record, and is passed on once that is durable', async () => {
    const { edits, disabled, health } = scene();
    health.ended(channelWith(), first, gone);
    expect(edits).toEqual([disabling('it is gone for good (status 410)', 'status 410')]);
    expect(disabled).toEqual([]);
    await new Promise(setImmediate);
    expect(disabled).toEqual([channelWith().id]);
  });

  test('is not passed on if the disk is full', async () => {
    const { disabled, health } = scene({ durable: false });
    health.ended(channelWith(), first, gone);
    await new Promise(setImmediate);
    expect(disabled).toEqual([]);
  });

  test('changes nothing of one that is disabled already, by its owner or for a hundred checks before', () => {
    const { edits, health } = scene();
    health.ended(channelWith({ disabled: true }), first, gone);
    health.ended(channelWith({ disabled: true }), first, { kind: 'refused', error: 'it was disabled' });
    expect(edits).toEqual([]);
  });

  test('is not any refusal', () => {
    const { edits, health } = scene();
    health.ended(channelWith(), first, { kind: 'refused', error: 'status 403', status: 403 });
    expect(edits).toEqual([{ settings: { lastError: 'status 403', failingSinceMs: nowMs } }]);
  });
});

describe('a plain 404', () => {
  const last = { attempts: missingAttemptsMin - 1, error: 'status 404' };

  test('disables it only after attempts that take about an hour', () => {
    const { edits, health } = scene();
    for (let attempts = 0; attempts < missingAttemptsMin - 1; attempts++)
      health.ended(channelWith(), { attempts, error: 'status 404' }, missing);
    expect(edits.every(({ settings }) => settings?.disabled === undefined)).toBe(true);
    health.ended(channelWith(), last, missing);
    expect(edits.at(-1)).toEqual(disabling('nothing was there for over an hour (status 404)', 'status 404'));
    let tookMs = 0;
    for (let attempts = 1; attempts < missingAttemptsMin; attempts++)
      tookMs += pauseMs(attempts, limits.notify.dispatch.retry, 0.5);
    expect(tookMs).toBeGreaterThan(hour);
  });

  test('does not when the attempt before failed otherwise, or it comes from a server of this Knell', () => {
    const { edits, health } = scene();
    health.ended(channelWith(), { ...last, error: 'status 502' }, missing);
    health.ended(channelWith(), last, { kind: 'failed', error: 'status 404' });
    expect(edits.some(({ settings }) => settings?.disabled)).toBe(false);
  });
});

describe('a new value', () => {
  const moved: Outcome = { kind: 'delivered', newValue: { before: '{"id":1}', after: '{"id":2}' } };

  test('is kept, whatever else the attempt said', () => {
    const { edits, health } = scene();
    health.ended(channelWith({}, '{"id":1}'), first, moved);
    health.ended(channelWith({}, '{"id":1}'), first, { ...moved, kind: 'failed', error: 'status 502' });
    expect(edits).toEqual([
      { value: '{"id":2}' },
      { value: '{"id":2}', settings: { lastError: 'status 502', failingSinceMs: nowMs } },
    ]);
  });

  test('does not undo what the owner changed meanwhile, nor is it written twice', () => {
    const { edits, health } = scene();
    health.ended(channelWith({}, '{"id":7}'), first, moved);
    health.ended(channelWith({}, '{"id":2}'), first, moved);
    expect(edits).toEqual([]);
  });
});
