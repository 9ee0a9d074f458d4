/**
 * What every kind sends of an incident as a whole, from its first message to its last, held against `golden/incidents/<kind>.json`.
 * `KNELL_TEST_WRITE_GOLDEN=1` writes them; without it a missing one fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ChannelKind, channelKinds, defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { noAlertState } from '../../src/domain/check/alert-state.ts';
import { channelAccepts } from '../../src/integrations/channel-value.ts';
import { asIncidentId } from '../../src/lib/ids.ts';
import { createSenders, type SendableKind } from '../../src/notify/channels/all.ts';
import { mailOf } from '../../src/notify/channels/email.ts';
import type { IncidentNotice, Notice } from '../../src/notify/contract/channel.ts';
import type { OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import {
  bodyOfSuccess,
  channelValues,
  noticeOf,
  pushAuthorization,
  slackBotValue,
  testSettings,
} from '../support/engine/notices.ts';
import { bodyText } from '../support/wire/push-browser.ts';

const minute = 60_000;
const { atMs } = noticeOf('slack', 'down');
const openedMs = atMs - 2 * minute;
const db = {
  name: 'db <1> & *x*',
  url: 'https://knell.example.org/project/1/checks/2',
  sinceMs: openedMs,
  why: 'failed',
};
const web = {
  name: 'web',
  url: 'https://knell.example.org/project/1/checks/3',
  sinceMs: openedMs + minute,
  why: 'no ping',
};
const mail = {
  name: 'mail',
  url: 'https://knell.example.org/project/1/checks/4',
  sinceMs: atMs,
  why: 'depends on another',
};

const whole: IncidentNotice = {
  id: asIncidentId('55555555-5555-4555-8555-555555555555'),
  name: db.name,
  down: [db, web, mail],
  ...{ downCount: 3, wentDown: 3, up: [], upCount: 0, total: 3 },
  openedMs,
  isReminder: false,
  ...{ held: 0, message: null },
};

const updated = { id: '1234', isUpdated: true };
const before = { id: '1234', isUpdated: false };
const stages: Readonly<Record<string, Partial<IncidentNotice>>> = {
  opened: {},
  joined: { wentDown: 1, message: updated },
  partlyUp: {
    ...{ down: [web], downCount: 1, wentDown: 0, up: [db.name, mail.name], upCount: 2 },
    message: updated,
  },
  reminder: { isReminder: true, wentDown: 0, message: before },
  escalated: {},
  tenThousand: { downCount: 10_000, wentDown: 10_000, total: 10_000 },
  resolved: { down: [], downCount: 0, wentDown: 0, up: [web.name], upCount: 1, message: before },
};

function about(kind: ChannelKind, stage: string): Notice {
  const incident = { ...whole, ...stages[stage] };
  const notice = noticeOf(kind, stage === 'resolved' ? 'up' : 'down', {
    incident,
    checkUrl: 'https://knell.example.org/project/1/incidents/5',
    downtimeMs: stage === 'resolved' ? atMs - openedMs : null,
  });
  const settings = { ...defaultChannelSettings, collectS: 60, escalateS: stage === 'escalated' ? 900 : 0 };
  return { ...notice, channel: { ...notice.channel, settings } };
}

/** A check that goes up and down all the time: the last that is sent of it until it is steady. */
function unstable(kind: ChannelKind): Notice {
  const notice = noticeOf(kind, 'down', { incident: undefined });
  const config = { ...notice.check.config, unstableChanges: 4, unstableWindowS: 1800 };
  const changesMs = [5, 4, 3, 2, 1].map((before) => atMs - before * minute);
  return { ...notice, check: { ...notice.check, config, alerting: { ...noAlertState, changesMs } } };
}

const signal = new AbortController().signal;

function readable({ body, headers, ...request }: OutgoingRequest): unknown {
  if (body === null) return request;
  if (headers['Content-Type'] === 'application/x-www-form-urlencoded')
    return { ...request, form: Object.fromEntries(new URLSearchParams(bodyText(body))) };
  return { ...request, json: JSON.parse(bodyText(body)) };
}

async function sentBy(
  kind: SendableKind,
  notice: Notice,
  body = bodyOfSuccess(kind),
): Promise<readonly OutgoingRequest[]> {
  const requests: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    requests.push(request);
    return { status: 200, headers: {}, body };
  };
  const senders = createSenders({
    send,
    settings: testSettings,
    nowMs: Date.now,
    mail: null,
    shellMs: 1000,
    pushAuthorization,
  });
  expect(await senders[kind](notice, signal)).toMatchObject({ kind: 'delivered' });
  return requests;
}

function held(kind: string, sent: unknown): void {
  const file = fileURLToPath(new URL(`golden/incidents/${kind}.json`, import.meta.url));
  if (process.env.KNELL_TEST_WRITE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(sent, null, 2)}\n`);
  expect(sent).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

/** Sent in another way, and of `events` nothing about a check. */
const byMailOrHere: readonly ChannelKind[] = ['email', 'events', 'group', 'shell'];
const kinds = channelKinds.filter((kind): kind is SendableKind => !byMailOrHere.includes(kind));

describe.each(kinds)('%s', (kind) => {
  test('is sent an incident stage by stage', async () => {
    const sent: Record<string, unknown> = {};
    for (const stage of Object.keys(stages)) {
      if (!channelAccepts(kind, channelValues[kind], stage === 'resolved' ? 'up' : 'down')) continue;
      sent[stage] = (await sentBy(kind, about(kind, stage))).map(readable);
    }
    if (channelAccepts(kind, channelValues[kind], 'down'))
      sent.unstable = (await sentBy(kind, unstable(kind))).map(readable);
    held(kind, sent);
  });

  test('knows it by one key from its first message to its last, and never by that of a check', async () => {
    const key = whole.id.replaceAll('-', '');
    const [checkKey] = keysIn(
      await sentBy(kind, noticeOf(kind, 'down', { checkUrl: 'https://knell.example.org' })),
    );
    if (checkKey === undefined) return;
    for (const stage of ['opened', 'partlyUp', 'escalated'])
      expect(keysIn(await sentBy(kind, about(kind, stage)))).toContain(key);
    // GitHub's issue is found by it, and here is none.
    if (kind !== 'github' && channelAccepts(kind, channelValues[kind], 'up'))
      expect(keysIn(await sentBy(kind, about(kind, 'resolved')))).toContain(key);
  });
});

test('slack: an incident stage by stage where it has a bot, in one message', async () => {
  const sent: Record<string, unknown> = {};
  for (const stage of Object.keys(stages)) {
    const notice = about('slack', stage);
    const byBot = { ...notice, channel: { ...notice.channel, value: slackBotValue } };
    const requests = await sentBy('slack', byBot, '{"ok":true,"ts":"1700000000.000100"}');
    sent[stage] = requests.map(readable);
  }
  held('slack-bot', sent);
});

/** What looks like a unique key, of a check or of an incident. */
function keysIn(requests: readonly OutgoingRequest[]): readonly string[] {
  return requests.flatMap(
    ({ url, body }) => `${url} ${body}`.match(/\b(?:[0-9a-f]{40}|[0-9a-f]{32})\b/g) ?? [],
  );
}

test('email: an incident stage by stage, in one thread', () => {
  const mails = Object.keys(stages).map(
    (stage) => [stage, mailOf(about('email', stage), 'https://x.example/u')] as const,
  );
  expect(new Set(mails.map(([, { thread }]) => thread))).toEqual(new Set([whole.id]));
  mails.push(['unstable', mailOf(unstable('email'), 'https://x.example/u')]);
  held(
    'email',
    Object.fromEntries(
      mails.map(([stage, { subject, text }]) => [stage, { subject, text: text.split('\n') }]),
    ),
  );
});
