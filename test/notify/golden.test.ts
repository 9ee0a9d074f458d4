/**
 * The requests of every kind, held against `golden/<kind>.json`: what the vendor's documentation asks for, written down
 * to be read. A change here is a change of what people's services are sent. `KNELL_TEST_WRITE_GOLDEN=1` writes them; without
 * it a missing one fails.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ChannelKind, channelKinds } from '../../src/domain/accounts/project.ts';
import { channelAccepts, channelValueError } from '../../src/integrations/channel-value.ts';
import { createSenders, type SendableKind } from '../../src/notify/channels/all.ts';
import type { Outcome } from '../../src/notify/contract/channel.ts';
import type { HttpResponse, OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import {
  bodyOfSuccess,
  channelValues,
  noticeOf,
  pushAuthorization,
  slackBotValue,
  testSettings,
} from '../support/engine/notices.ts';
import { bodyText } from '../support/wire/push-browser.ts';

/** Sent in another way, and of `events` nothing about a check. */
const byMailOrHere: readonly ChannelKind[] = ['email', 'events', 'group', 'shell'];
const kinds = channelKinds.filter((kind): kind is SendableKind => !byMailOrHere.includes(kind));

const plain: HttpResponse = { status: 200, headers: {}, body: '[]' };
const taken: HttpResponse = { ...plain, body: '{"ok":true}' };
const successOf = (kind: ChannelKind): HttpResponse => ({ ...plain, body: bodyOfSuccess(kind) });

function sendersWith(answer: (request: OutgoingRequest) => HttpResponse, settings = testSettings) {
  const requests: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    requests.push(request);
    return answer(request);
  };
  return {
    requests,
    senders: createSenders({ send, settings, nowMs: Date.now, mail: null, shellMs: 1000, pushAuthorization }),
  };
}

const signal = new AbortController().signal;

/** A body as one reads it: JSON and forms taken apart. */
function readable({ body, ...request }: OutgoingRequest): unknown {
  const type = request.headers['Content-Type'];
  if (body === null) return request;
  if (type === 'application/x-www-form-urlencoded')
    return { ...request, form: Object.fromEntries(new URLSearchParams(bodyText(body))) };
  return { ...request, json: JSON.parse(bodyText(body)) };
}

test.each(channelKinds)('the value that the tests have for %s is one that is accepted', (kind) => {
  expect(channelValueError(kind, channelValues[kind])).toBeNull();
});

/** Also an integration of another value, under a name of its own. */
async function mustBeGolden(
  kind: SendableKind,
  name: string = kind,
  value = channelValues[kind],
): Promise<void> {
  const sent: Record<string, unknown> = {};
  for (const notificationKind of ['down', 'up', 'late'] as const) {
    if (!channelAccepts(kind, value, notificationKind === 'up' ? 'up' : 'down')) continue;
    const { requests, senders } = sendersWith(() => (name === kind ? successOf(kind) : taken));
    const notice = noticeOf(kind, notificationKind);
    const channel = { ...notice.channel, value };
    expect(await senders[kind]({ ...notice, channel }, signal)).toEqual({ kind: 'delivered' });
    sent[notificationKind] = requests.map(readable);
  }
  const file = fileURLToPath(new URL(`golden/${name}.json`, import.meta.url));
  if (process.env.KNELL_TEST_WRITE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(sent, null, 2)}\n`);
  expect(sent).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

test('slack sends what its methods document where it has a bot', () =>
  mustBeGolden('slack', 'slack-bot', slackBotValue));

test('slack sends by its webhook what Healthchecks has added, whose bot may not write', async () => {
  const { scope: _, ...added } = JSON.parse(slackBotValue);
  for (const scope of [undefined, 'incoming-webhook', 'chat:write.public'])
    await mustBeGolden('slack', 'slack', JSON.stringify({ ...added, scope }));
});

describe.each(kinds)('%s', (kind) => {
  test('sends what its vendor documents', () => mustBeGolden(kind));

  test('carries the delivery as idempotency key, and no line break in any header', async () => {
    const { requests, senders } = sendersWith(() => plain);
    const notice = noticeOf(kind, 'down');
    const config = { ...notice.check.config, name: 'a\r\nX-Evil: 1\u2028b', tags: 'c\nd' };
    await senders[kind]({ ...notice, check: { ...notice.check, config } }, signal);
    expect(requests.length).toBeGreaterThan(0);
    for (const { headers, url } of requests) {
      expect(headers['Idempotency-Key']).toBe(notice.deliveryId);
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\xff]*$/);
      expect(url).not.toMatch(/[\r\n]/);
    }
  });

  test('tries again after a 429, when that says', async () => {
    const { senders } = sendersWith(() => ({ status: 429, headers: { 'retry-after': '7' }, body: '' }));
    expect(await senders[kind](noticeOf(kind, 'down'), signal)).toEqual({
      kind: 'failed',
      error: 'status 429',
      retryAfterMs: 7000,
    });
  });

  test('says nothing of its value or of an account when it fails', async () => {
    const outcomes: Outcome[] = [];
    for (const status of [400, 401, 403, 500]) {
      const { senders } = sendersWith(() => ({ ...plain, status, body: channelValues[kind] }));
      outcomes.push(await senders[kind](noticeOf(kind, 'down'), signal));
    }
    expect(JSON.stringify(outcomes)).not.toMatch(/secret|token|555|AC1/);
  });
});

const needsSetting = { signal: 'KNELL_SIGNAL_URL', telegram: 'KNELL_TELEGRAM_TOKEN', sms: 'KNELL_TWILIO' };
test.each(Object.entries(needsSetting))('%s says that %s… is not set', async (kind, variable) => {
  const empty = { ...testSettings, signalUrl: '', telegramToken: '', twilioAccount: '' };
  const { requests, senders } = sendersWith(() => plain, empty);
  const outcome = await senders[kind as SendableKind](noticeOf(kind as SendableKind, 'down'), signal);
  expect(outcome).toMatchObject({ kind: 'refused', error: expect.stringContaining(variable) });
  expect(requests).toEqual([]);
});

test('github opens one issue and closes the same', async () => {
  const issues: { number: number; body: string; state: string }[] = [];
  const { requests, senders } = sendersWith(({ method, body, url }) => {
    if (method === 'POST') issues.push({ number: 12, body: JSON.parse(bodyText(body)).body, state: 'open' });
    if (method === 'PATCH' && url.endsWith('/12')) for (const issue of issues) issue.state = 'closed';
    return { ...plain, body: JSON.stringify(issues.filter(({ state }) => state === 'open')) };
  });
  for (const notificationKind of ['down', 'down', 'up', 'up'] as const)
    await senders.github(noticeOf('github', notificationKind), signal);
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'GET', 'PATCH', 'GET']);
  expect(issues).toMatchObject([{ state: 'closed' }]);
});
