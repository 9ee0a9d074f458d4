/** A test notification says that it is one, whatever the kind: nobody is woken by it, and nobody believes that something is down. */
import { expect, test } from 'vitest';
import { channelKinds } from '../../src/domain/accounts/project.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { createSenders, type SendableKind } from '../../src/notify/channels/all.ts';
import { mailOf } from '../../src/notify/channels/email.ts';
import type { OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import { testNotice } from '../../src/notify/words/notice.ts';
import { noticeOf, pushAuthorization, testSettings } from '../support/engine/notices.ts';
import { bodyText } from '../support/wire/push-browser.ts';

const options = {
  store: {
    pings: () => [],
    body: () => null,
    changes: () => [],
    lastChange: () => null,
    runEndings: () => [],
    notifications: () => [],
    snoozeAudit: () => [],
  },
  ids: systemIds,
  baseUrl: () => 'https://knell.example.org',
  project: () => null,
  checkJson: () => '{}',
  checkCount: () => 1,
  checksDown: () => ({ count: 0, checks: [] }),
  maintenance: () => null,
  alertUrl: () => 'https://knell.example.org/alert/TOKEN',
  check: () => null,
  channel: () => null,
  incident: () => null,
  timeZone: 'UTC',
  nowMs: () => 0,
};
const sendable = channelKinds.filter(
  (kind): kind is SendableKind => !['group', 'email', 'shell'].includes(kind),
);
const directions = ['down', 'up'] as const;
const cases = sendable.flatMap((kind) => directions.map((direction) => [kind, direction] as const));

test.each(cases)('%s, tested with a notification of %s', async (kind, direction) => {
  const sent: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: '[]' };
  };
  const senders = createSenders({
    send,
    settings: testSettings,
    nowMs: () => 0,
    mail: null,
    shellMs: 1000,
    pushAuthorization,
  });
  const notice = testNotice(options, noticeOf(kind, 'down').channel, { kind: direction });
  await senders[kind](notice, new AbortController().signal);
  const text = sent
    .map(({ url, body }) => decodeURIComponent(`${url}\n${bodyText(body)}`.replaceAll('+', ' ')))
    .join('\n');
  expect(text).not.toMatch(/\bis (DOWN|UP)\b/);
  // What closes an incident has no title.
  const isClosing = direction === 'up' && ['github', 'pd', 'opsgenie'].includes(kind);
  if (!isClosing) expect(text).toMatch(/Test notification from Knell|\bTEST\b|\/up\/test\b/);
});

test('email, by its subject and its title', () => {
  const { subject, text } = mailOf(
    testNotice(options, noticeOf('email', 'down').channel),
    'https://knell.example.org/u',
  );
  expect(subject).toBe('TEST | Knell');
  expect(text).toMatch(/^Test notification\n\nThis is a test: nothing has happened\./);
});
