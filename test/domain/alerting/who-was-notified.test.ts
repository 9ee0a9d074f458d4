/** What is said of a moment in the past, by cases: each out of what the logs have, and nothing else. */
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/domain/accounts/audit.ts';
import {
  type ChannelSettings,
  defaultChannelSettings,
} from '../../../src/domain/accounts/channel-settings.ts';
import type { Channel } from '../../../src/domain/accounts/project.ts';
import { type PastFacts, whoWasNotified } from '../../../src/domain/alerting/who-was-notified.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { SentNotification } from '../../../src/domain/deliveries/sent-notification.ts';
import { asChannelId } from '../../../src/lib/ids.ts';
import { hour, minute, second } from '../../../src/lib/units.ts';
import { noticeOf } from '../../support/engine/notices.ts';
import { checkOf, deliveryOf, uuidOf } from '../../support/store/store-facts.ts';

const downMs = Date.UTC(2026, 4, 4, 2);
const down: StatusChange = { atMs: downMs, from: 'up', to: 'down', cause: 'timeout' };
const up: StatusChange = { atMs: downMs + hour, from: 'down', to: 'up', cause: 'success' };
const idOf = (number: number) => asChannelId(uuidOf(0xcc, number));
const ops = channelOf(1, 'ops');

function channelOf(number: number, name: string, settings: Partial<ChannelSettings> = {}): Channel {
  const { channel } = noticeOf('slack', 'down');
  return { ...channel, id: idOf(number), name, settings: { ...defaultChannelSettings, ...settings } };
}

function entry(facts: Partial<SentNotification>): SentNotification {
  return {
    ...{ deliveryId: deliveryOf(1).id, atMs: downMs + second, kind: 'down', changedAtMs: downMs },
    ...{ channelId: idOf(1), channelName: 'ops', channelKind: 'slack' },
    ...{ outcome: 'delivered', attempts: 1, error: '' },
    ...facts,
  };
}

/** About all integrations, as the engine writes it. */
const heldFromAll = (error: string): SentNotification =>
  entry({
    ...{ channelId: asChannelId('00000000-0000-0000-0000-000000000000'), channelName: '', channelKind: '' },
    ...{ outcome: 'held', attempts: 0, error },
  });

function audited(facts: Partial<AuditEntry>): AuditEntry {
  return {
    ...{ id: uuidOf(0xa0, 1), atMs: downMs + 2 * hour, action: 'changed', subject: 'integration' },
    ...{ subjectId: idOf(1), name: 'ops', projectId: '', projectName: '', fields: [], detail: '' },
    ...{ actor: { kind: 'member', id: '', name: 'ann', address: '' } },
    ...facts,
  } as AuditEntry;
}

function factsOf(facts: Partial<PastFacts> = {}): PastFacts {
  return {
    ...{ atMs: downMs + minute, nowMs: downMs + 24 * hour, check: { ...checkOf(1), createdAtMs: 0 } },
    ...{
      change: down,
      next: up,
      downBefore: null,
      sentDown: [],
      keptFromMs: downMs - 100 * hour,
      channels: [ops],
    },
    ...{ assigned: new Set([1, 2].map(idOf)), sent: [], snoozes: [], acknowledged: null, incident: null },
    ...{ waiting: [], audit: { entries: [], isWhole: true } },
    ...facts,
  };
}

const only = (facts: Partial<PastFacts>): { readonly outcome: string; readonly text: string } => {
  const { recipients } = whoWasNotified(factsOf(facts));
  expect(recipients.length).toBe(1);
  const [{ outcome, text } = { outcome: '', text: '' }] = recipients;
  return { outcome, text };
};
const textOf = (facts: Partial<PastFacts>): string => only(facts).text;

describe('of an integration that the log has', () => {
  const quiet = entry({
    outcome: 'held',
    attempts: 0,
    error: 'quiet hours “night”, until 2026-05-04 06:00 UTC',
  });
  const failed = entry({ outcome: 'failed', attempts: 12, error: 'status 500' });
  test.each<[string, readonly SentNotification[], string, string]>([
    ['delivered', [entry({})], 'delivered', 'Delivered at 2026-05-04 02:00:01 UTC.'],
    [
      'delivered late',
      [entry({ attempts: 3 })],
      'delivered',
      'Delivered at 2026-05-04 02:00:01 UTC, at attempt 3.',
    ],
    [
      'reminded',
      [entry({}), entry({ atMs: downMs + hour }), entry({ atMs: downMs + 2 * hour })],
      'delivered',
      'Delivered at 2026-05-04 02:00:01 UTC. Reminded 2 times, last at 2026-05-04 04:00:00 UTC.',
    ],
    [
      'held by its quiet hours, then delivered',
      [quiet, entry({ atMs: downMs + 4 * hour })],
      'delivered',
      'Held back at 2026-05-04 02:00:01 UTC: quiet hours “night”, until 2026-05-04 06:00 UTC. Delivered at 2026-05-04 06:00:00 UTC.',
    ],
    ['given up', [failed], 'failed', 'Given up at 2026-05-04 02:00:01 UTC after 12 attempts: status 500.'],
    [
      'given up, then retried by hand',
      [failed, entry({ atMs: downMs + hour, attempts: 13 })],
      'delivered',
      'Given up at 2026-05-04 02:00:01 UTC after 12 attempts: status 500. Delivered at 2026-05-04 03:00:00 UTC, at attempt 13.',
    ],
    [
      'superseded',
      [entry({ outcome: 'superseded', attempts: 0, error: 'the check was up before this was sent' })],
      'superseded',
      'Not sent: the check was up before this was sent (2026-05-04 02:00:01 UTC).',
    ],
  ])('%s', (_, sent, outcome, text) => {
    expect(only({ sent })).toEqual({ outcome, text });
  });

  test('that was deleted since, by its name then', () => {
    const { recipients, text } = whoWasNotified(factsOf({ channels: [], sent: [entry({})] }));
    expect(recipients).toMatchObject([{ name: 'ops', kind: 'slack', outcome: 'delivered' }]);
    expect(text).toBe(
      'At 2026-05-04 02:01:00 UTC it was down, since 2026-05-04 02:00:00 UTC. One integration was notified of that.',
    );
  });

  test('within the minute of the change, which is said once', () => {
    const facts = factsOf({ sent: [entry({})] });
    const { text } = whoWasNotified({ ...facts, atMs: (facts.change?.atMs ?? 0) + 5000 });
    expect(text).toBe('At 2026-05-04 02:00:05 UTC it was down. One integration was notified of that.');
  });

  test('waits still', () => {
    const waiting = [{ ...deliveryOf(1), channelId: idOf(1), change: down, attempts: 0, notBeforeMs: 0 }];
    expect(only({ waiting })).toEqual({ outcome: 'waiting', text: 'Waits to be sent.' });
    const failing = waiting.map((one) => ({
      ...one,
      attempts: 2,
      error: 'status 500',
      notBeforeMs: up.atMs,
    }));
    expect(textOf({ waiting: failing })).toBe(
      '2 attempts have failed: status 500. It is tried again, not before 2026-05-04 03:00:00 UTC.',
    );
    expect(whoWasNotified(factsOf({ waiting })).text).toMatch(/Nobody was notified of that; 1 waits\.$/);
  });
});

describe('of an integration that no log has', () => {
  const set = (settings: Partial<ChannelSettings>) => [channelOf(1, 'ops', settings)];
  test.each<[string, Partial<PastFacts>, string]>([
    ['turned off', { channels: set({ disabled: true }) }, 'Not notified: it was turned off.'],
    [
      'of other tags',
      { channels: set({ tags: 'db web' }) },
      'Not notified: it was only for checks tagged db or web.',
    ],
    [
      'of other events',
      { channels: set({ events: 'hung missed' }) },
      'Not notified: it was only for hung, missed.',
    ],
    [
      'unconfirmed',
      { channels: set({ unverified: true }) },
      'Not notified: it was without a confirmed address.',
    ],
    ['not assigned', { assigned: new Set() }, 'Not notified: it was not assigned to the check.'],
    [
      'created later',
      { channels: [{ ...ops, createdAtMs: up.atMs }] },
      'Not notified: it was created later, at 2026-05-04 03:00:00 UTC.',
    ],
    [
      'for which nothing speaks',
      {},
      'No log says why not: by its settings of that time it was to be notified.',
    ],
    [
      'up again, where it had been sent that it was down',
      { change: up, downBefore: down, sentDown: [entry({})] },
      'No log says why not: by its settings of that time it was to be notified.',
    ],
    [
      'up again, where that it was down was kept back',
      { change: up, downBefore: down, sentDown: [heldFromAll('in maintenance: moving')] },
      'Not notified: it had not been sent that the check was down.',
    ],
    [
      'and of its settings then neither',
      { audit: { entries: [], isWhole: false } },
      'No log says why not: by its settings of now it would be notified, and those of that time are not known any more.',
    ],
    [
      'turned off now, and what was then is not known',
      { channels: set({ disabled: true }), audit: { entries: [], isWhole: false } },
      'Not notified, if all was set as now: it is turned off. What was set then is not known any more.',
    ],
    [
      'held back with all others, until it was up',
      { sent: [heldFromAll('in maintenance: moving')] },
      'Not sent: it was held back, and the check was up at 2026-05-04 03:00:00 UTC.',
    ],
    [
      'snoozed, until it was up',
      { snoozes: [{ fromMs: downMs - hour, untilMs: downMs + 2 * hour, by: 'ann' }] },
      'Not sent: the check was snoozed by ann from 2026-05-04 01:00:00 UTC to 2026-05-04 04:00:00 UTC, and it was up at 2026-05-04 03:00:00 UTC.',
    ],
  ])('%s', (_, facts, text) => {
    expect(only(facts)).toEqual({ outcome: 'none', text });
  });

  test('held back still', () => {
    const hold = { atMs: downMs, reason: 'maintenance', about: 'moving', untilMs: up.atMs } as const;
    const check = {
      ...checkOf(1),
      createdAtMs: 0,
      hold: { ...hold, wasDown: false, downAtMs: 0, withheld: [] },
    };
    expect(textOf({ check, next: null, sent: [heldFromAll('in maintenance: moving')] })).toBe(
      'Held back still: in maintenance: moving.',
    );
  });

  test('up: what it was not notified of that went down', () => {
    const chosen = { channels: [channelOf(1, 'ops', { events: 'hung up' })], change: up, next: null };
    expect(textOf({ ...chosen, downBefore: down })).toBe('Not notified: it was only for hung, up.');
  });
});

describe('settings of that time', () => {
  const changed = (field: string, before: string) =>
    audited({ fields: [field], changes: [{ field, before, after: '' }] });
  test('are those before what was changed since', () => {
    expect(textOf({ audit: { entries: [changed('disabled', 'true')], isWhole: true } })).toBe(
      'Not notified: it was turned off.',
    );
    const entries = [changed('tags', 'web'), changed('tags', 'db')];
    expect(textOf({ audit: { entries, isWhole: true } })).toBe(
      'Not notified: it was only for checks tagged db.',
    );
  });

  test('are not known where the audit log has no value, or only its beginning', () => {
    const unknown = /those of that time are not known any more\.$/;
    expect(textOf({ audit: { entries: [audited({ fields: ['url'] })], isWhole: true } })).toMatch(unknown);
    expect(textOf({ audit: { entries: [audited({ fields: ['name'] })], isWhole: true } })).not.toMatch(
      unknown,
    );
    const long = { audit: { entries: [changed('time_zone', 'Europe/…')], isWhole: true } };
    expect(textOf(long)).toMatch(unknown);
  });

  test('of the check: its tags are known, and that its integrations were changed', () => {
    const check = { subject: 'check' as const, subjectId: checkOf(1).id };
    const tagged = audited({
      ...check,
      fields: ['tags'],
      changes: [{ field: 'tags', before: 'web', after: 'db' }],
    });
    const channels = [channelOf(1, 'ops', { tags: 'db' })];
    expect(textOf({ channels, audit: { entries: [tagged], isWhole: true } })).toBe(
      'Not notified: it was only for checks tagged db.',
    );
    const entries = [audited({ ...check, fields: ['channels'] })];
    expect(textOf({ audit: { entries, isWhole: true } })).toBe(
      'No log says why not. It may not have been assigned to the check: that was changed at 2026-05-04 04:00:00 UTC.',
    );
    expect(textOf({ assigned: new Set(), audit: { entries, isWhole: true } })).toBe(
      'Not assigned to the check now. Whether it was then is not known: that was changed at 2026-05-04 04:00:00 UTC.',
    );
    const other = [audited({ action: 'assigned', subjectId: idOf(2) })];
    expect(textOf({ audit: { entries: other, isWhole: true } })).toMatch(/by its settings of that time/);
  });
});

describe('the moment itself', () => {
  test.each<[string, Partial<PastFacts>, string]>([
    [
      'before the check',
      { check: { ...checkOf(1), createdAtMs: up.atMs } },
      'There was no such check: it was created at 2026-05-04 03:00:00 UTC.',
    ],
    [
      'before the kept history',
      { keptFromMs: up.atMs },
      'That is not known any more: the history is kept from 2026-05-04 03:00:00 UTC on.',
    ],
    [
      'without a change before it that is kept',
      { change: null, next: { ...up, from: 'paused' } },
      'At 2026-05-04 02:01:00 UTC it was paused, since before 2026-04-29 22:00:00 UTC, from when on the history is kept. What was sent before is not kept, or there was nothing to send.',
    ],
    [
      'of a pause',
      { change: { ...down, to: 'paused', cause: 'pause' } },
      'At 2026-05-04 02:01:00 UTC it was paused, since 2026-05-04 02:00:00 UTC. Nobody is notified that a check is paused.',
    ],
    [
      'of the first ping',
      { change: { ...up, atMs: downMs, from: 'new' } },
      'At 2026-05-04 02:01:00 UTC it was up, since 2026-05-04 02:00:00 UTC. Nobody is notified that a check is up which was not down before.',
    ],
  ])('%s', (_, facts, text) => {
    expect(whoWasNotified(factsOf(facts))).toMatchObject({ text, recipients: [] });
  });

  test('has what was said of all integrations: held back, snoozed, acknowledged', () => {
    const { notes } = whoWasNotified(
      factsOf({
        sent: [heldFromAll('in maintenance: moving'), entry({ atMs: downMs + 10 * minute })],
        snoozes: [
          { fromMs: downMs + 20 * minute, untilMs: downMs + 30 * minute, by: '' },
          { fromMs: up.atMs + hour, untilMs: up.atMs + 2 * hour, by: 'bob' },
        ],
        acknowledged: { atMs: downMs + 15 * minute, by: 'ann' },
      }),
    );
    expect(notes.map(({ text }) => text)).toEqual([
      'Held back at 2026-05-04 02:00:01 UTC: in maintenance: moving.',
      'Acknowledged by ann at 2026-05-04 02:15:00 UTC: no reminders after that.',
      'The check was snoozed from 2026-05-04 02:20:00 UTC to 2026-05-04 02:30:00 UTC: nothing was sent meanwhile.',
    ]);
  });
});
