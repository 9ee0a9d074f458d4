/**
 * What the answers of vendors mean, kind by kind: which end a notification, which end an integration, and which are tried
 * again.
 */

import { describe, expect, test } from 'vitest';
import { channelAccepts, channelValueError } from '../../src/integrations/channel-value.ts';
import { createSenders, type SendableKind } from '../../src/notify/channels/all.ts';
import type { Outcome } from '../../src/notify/contract/channel.ts';
import type { HttpResponse, OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import {
  channelValues,
  noticeOf,
  pushAuthorization,
  slackBotValue,
  testSettings,
} from '../support/engine/notices.ts';
import { bodyText } from '../support/wire/push-browser.ts';

const signal = new AbortController().signal;
const ok: HttpResponse = { status: 200, headers: {}, body: '{}' };

type Answering = (request: OutgoingRequest, nth: number) => HttpResponse;

function sendersOver(send: (request: OutgoingRequest) => Promise<HttpResponse>) {
  return createSenders({
    send,
    settings: testSettings,
    nowMs: Date.now,
    mail: null,
    shellMs: 1000,
    pushAuthorization,
  });
}

async function sent(
  kind: SendableKind,
  answer: Answering,
  value = channelValues[kind],
  notificationKind: 'down' | 'up' = 'down',
) {
  const requests: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => answer(request, requests.push(request));
  const senders = sendersOver(send);
  const notice = noticeOf(kind, notificationKind);
  const outcome = await senders[kind]({ ...notice, channel: { ...notice.channel, value } }, signal);
  return { outcome, requests };
}

const answered = async (kind: SendableKind, status: number, body: unknown): Promise<Outcome> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await sent(kind, () => ({ status, headers: {}, body: text }))).outcome;
};

describe('an integration is gone', () => {
  test.each<[SendableKind, number, unknown]>([
    ['slack', 404, 'no_service'],
    ['slack', 400, 'invalid_token'],
    ['slack', 410, 'channel_is_archived'],
    ['slack', 403, 'action_prohibited'],
    ['discord', 404, { message: 'Unknown Webhook', code: 10015 }],
    ['telegram', 400, { ok: false, description: 'Bad Request: chat not found' }],
    ['telegram', 403, { ok: false, description: 'Forbidden: bot was kicked from the supergroup chat' }],
    ['telegram', 403, { ok: false, description: 'Forbidden: bot was blocked by the user' }],
    ['telegram', 403, { ok: false, description: 'Forbidden: user is deactivated' }],
    ['googlechat', 404, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['msteamsw', 404, { error: { code: 'WorkflowNotFound' } }],
    ['matrix', 403, { errcode: 'M_FORBIDDEN', error: 'not in room' }],
    ['victorops', 404, ''],
    ['po', 400, { user: 'invalid', errors: ['user identifier is invalid'], status: 0 }],
    ['pushbullet', 401, { error: { code: 'invalid_access_token' } }],
    ['sms', 400, { code: 21211, message: "The 'To' number is not a valid phone number." }],
    ['sms', 400, { code: 21610 }],
    ['sms', 400, { code: 21614 }],
    ['whatsapp', 400, { code: 21211 }],
    ['call', 400, { code: 21211 }],
    ['trello', 401, 'invalid token'],
    ['github', 410, { message: 'Issues are disabled for this repo' }],
    ['signal', 400, { error: 'Failed to send message: Unregistered user' }],
    ['pd', 400, { errors: ['Service key is the wrong length (should be 32 characters)'] }],
    ...(['gotify', 'ntfy', 'mattermost', 'webhook', 'rocketchat', 'zulip'] as const).map(
      (kind): [SendableKind, number, unknown] => [kind, 410, ''],
    ),
  ])('%s after %i %o', async (kind, status, body) => {
    expect(await answered(kind, status, body)).toEqual({
      kind: 'refused',
      error: `status ${status}`,
      status,
      gone: true,
    });
  });
});

describe('only the notification is given up', () => {
  test.each<[SendableKind, number, unknown]>([
    ['slack', 403, 'team_disabled'],
    ['gotify', 401, { errorCode: 401 }],
    ['opsgenie', 422, {}],
    ['trello', 401, 'invalid key'],
    ['github', 404, { message: 'Not Found' }],
    ['pd', 400, { errors: ["Length of 'summary' can't be more than 1024 characters"] }],
  ])('%s after %i %o', async (kind, status, body) => {
    expect(await answered(kind, status, body)).toEqual({
      kind: 'refused',
      error: `status ${status}`,
      status,
    });
  });
});

describe('it is tried again', () => {
  test.each<[SendableKind, number, unknown]>([
    ['telegram', 400, { ok: false, description: 'Bad Request: message thread not found' }],
    // The bot's token: a setting of this Knell.
    ['telegram', 404, { ok: false, description: 'Not Found' }],
    ['telegram', 401, { ok: false, description: 'Unauthorized' }],
    ['matrix', 401, { errcode: 'M_UNKNOWN_TOKEN' }],
    ['sms', 400, { code: 21612, message: 'The number +49212112345 cannot be reached from +1212112121' }],
    ['sms', 404, { code: 20404, message: 'The requested resource was not found' }],
    ['po', 400, { token: 'invalid', status: 0 }],
    ['slack', 500, 'rollup_error'],
    ['pushsafer', 200, { status: 0, error: 'invalid private key' }],
    ['pushsafer', 200, 'no JSON'],
  ])('%s after %i %o', async (kind, status, body) => {
    expect(await answered(kind, status, body)).toEqual({ kind: 'failed', error: `status ${status}` });
  });

  test.each<SendableKind>(['gotify', 'ntfy', 'mattermost', 'webhook', 'discord', 'slack', 'alertmanager'])(
    '%s after a plain 404, with a note that nothing was there',
    async (kind) => {
      expect(await answered(kind, 404, 'not found')).toEqual({
        kind: 'failed',
        error: 'status 404',
        missing: true,
      });
    },
  );

  test.each<[SendableKind, unknown, number]>([
    ['discord', { retry_after: 0.5 }, 500],
    ['telegram', { parameters: { retry_after: 34 } }, 34_000],
    ['matrix', { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 1500 }, 1500],
    ['zulip', { code: 'RATE_LIMIT_HIT', 'retry-after': 28 }, 28_000],
  ])('%s after the pause that it names: %o', async (kind, body, retryAfterMs) => {
    expect(await answered(kind, 429, body)).toEqual({ kind: 'failed', error: 'status 429', retryAfterMs });
  });
});

describe('telegram', () => {
  const moved = {
    status: 400,
    headers: {},
    body: JSON.stringify({
      ok: false,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1_009_876_543_210 },
    }),
  };
  const before = channelValues.telegram;
  const after = JSON.stringify({ ...JSON.parse(before), id: -1_009_876_543_210 });

  test('sends again to the supergroup that a group has become, and gives its id', async () => {
    const { outcome, requests } = await sent('telegram', (_, nth) => (nth === 1 ? moved : ok));
    expect(outcome).toEqual({ kind: 'delivered', newValue: { before, after } });
    expect(requests.map(({ body }) => JSON.parse(bodyText(body)).chat_id)).toEqual([
      -100123, -1_009_876_543_210,
    ]);
  });

  test('gives the new id even if the second attempt fails', async () => {
    const { outcome } = await sent('telegram', (_, nth) => (nth === 1 ? moved : { ...ok, status: 502 }));
    expect(outcome).toEqual({ kind: 'failed', error: 'status 502', newValue: { before, after } });
  });
});

describe('slack with a bot', () => {
  const said = (error: string): HttpResponse => ({
    ...{ status: 200, headers: {} },
    body: JSON.stringify({ ok: false, error }),
  });
  const bySlack = (error: string, hook: HttpResponse = { ...ok, body: 'ok' }) =>
    sent('slack', ({ url }) => (url.includes('/services/') ? hook : said(error)), slackBotValue);
  const pathsOf = (requests: readonly OutgoingRequest[]): readonly string[] =>
    requests.map(({ url }) => new URL(url).pathname);

  test.each(['token_revoked', 'account_inactive', 'is_archived'])('is gone after %s', async (error) => {
    const { outcome, requests } = await bySlack(error);
    expect(outcome).toEqual({ kind: 'refused', error: `status 200: ${error}`, status: 200, gone: true });
    expect(pathsOf(requests)).toEqual(['/api/chat.postMessage']);
  });

  test.each(['not_in_channel', 'channel_not_found', 'missing_scope', 'invalid_auth', 'token_expired'])(
    'writes by the webhook after %s',
    async (error) => {
      const { outcome, requests } = await bySlack(error);
      expect(outcome).toEqual({ kind: 'delivered' });
      expect(pathsOf(requests)).toEqual(['/api/chat.postMessage', '/services/T/B/secret']);
      expect(requests[1]?.headers.Authorization).toBeUndefined();
    },
  );

  test('is gone where its webhook is', async () => {
    const { outcome } = await bySlack('channel_not_found', { ...ok, status: 404, body: 'no_service' });
    expect(outcome).toEqual({ kind: 'refused', error: 'status 404', status: 404, gone: true });
  });

  test.each(['ratelimited', 'internal_error', 'service_unavailable', 'a_new_word'])(
    'is tried again after %s',
    async (error) => {
      const { outcome, requests } = await bySlack(error);
      expect(outcome).toEqual({ kind: 'failed', error: `status 200: ${error}` });
      expect(requests).toHaveLength(1);
    },
  );

  test.each(['', 'xoxb-secret', 'Not a word', 7, null, 'x'.repeat(100)])(
    'says no more than the status where the answer has no word: %o',
    async (error) => {
      const body = JSON.stringify({ ok: false, error });
      const { outcome } = await sent('slack', () => ({ ...ok, body }), slackBotValue);
      expect(outcome).toEqual({ kind: 'failed', error: 'status 200' });
    },
  );

  test('waits as long as a 429 says', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after': '30' },
      body: '{"ok":false,"error":"ratelimited"}',
    };
    const { outcome } = await sent('slack', () => busy, slackBotValue);
    expect(outcome).toEqual({ kind: 'failed', error: 'status 429: ratelimited', retryAfterMs: 30_000 });
  });
});

describe('pagerduty', () => {
  const refused = { status: 400, headers: {}, body: '{"errors":["Invalid routing key"]}' };

  test('sends an event of version 1, of the same incident, when a key is not of version 2', async () => {
    const { outcome, requests } = await sent('pd', (_, nth) => (nth === 1 ? refused : ok));
    expect(outcome).toEqual({ kind: 'delivered' });
    expect(requests.map(({ url }) => url)).toEqual([
      'https://events.pagerduty.com/v2/enqueue',
      'https://events.pagerduty.com/generic/2010-04-15/create_event.json',
    ]);
    const [second, first] = requests.map(({ body }) => JSON.parse(bodyText(body)));
    expect(first).toMatchObject({
      service_key: '0123456789abcdef0123456789abcdef',
      event_type: 'trigger',
      incident_key: second.dedup_key,
      contexts: [{ type: 'link', href: noticeOf('pd', 'down').checkUrl }],
    });
  });

  test('sends no second event when the first one got through, or may later', async () => {
    for (const status of [202, 429, 500]) {
      const { requests } = await sent('pd', () => ({ ...ok, status }));
      expect(requests).toHaveLength(1);
    }
  });
});

describe('a value', () => {
  const form = async (value: unknown) => {
    const { requests } = await sent('zulip', () => ok, JSON.stringify(value));
    return Object.fromEntries(new URLSearchParams(bodyText(requests[0]?.body)));
  };
  const zulip = { bot_email: 'bot@acme.zulipchat.com', api_key: 'secret' };

  test.each([
    ['private', '123', '[123]'],
    ['private', 123, '[123]'],
    ['private', '[9,10]', '[9,10]'],
    ['private', '9, a@example.org', '[9,"a@example.org"]'],
    ['direct', 'a@example.org', '["a@example.org"]'],
    ['stream', 'ops', 'ops'],
    ['stream', 5, '5'],
  ])('of zulip sends a %s message to %o as %s', async (mtype, to, expected) => {
    expect((await form({ ...zulip, mtype, to })).to).toBe(expected);
  });

  test('of zulip without a topic has one for each check and state', async () => {
    expect((await form({ ...zulip, mtype: 'stream', to: 'ops' })).topic).toBe(
      'DB "backup" <b> & *x* @all is DOWN',
    );
    expect((await form({ ...zulip, mtype: 'stream', to: 'ops', topic: 'cron' })).topic).toBe('cron');
  });

  test.each([
    [{ priority: 2, priority_up: 9 }, 2],
    [{ priority: null }, 8],
    [{}, 8],
  ])('of gotify has its priority: %o', async (more, priority) => {
    const value = JSON.stringify({ url: 'https://gotify.example.org', token: 't', ...more });
    const { requests } = await sent('gotify', () => ok, value);
    expect(JSON.parse(bodyText(requests[0]?.body)).priority).toBe(priority);
  });

  test.each([
    [{ down: '2', up: '2' }, 'down', { d: 'a', pr: '2', re: '60', ex: '3600' }],
    [{ down: '2', up: '2' }, 'up', { d: 'a', pr: '2', re: '60', ex: '3600' }],
    [{ down: '2' }, 'up', { d: 'a', pr: '0' }],
    [{ down: 2 }, 'down', { d: 'a', pr: '2', re: '60', ex: '3600' }],
    [{ device: '' }, 'down', { d: 'a', pr: '1' }],
    [{ device: 52 }, 'down', { d: '52', pr: '1' }],
  ] as const)('of pushsafer with %o is sent %s as %o', async (more, notificationKind, expected) => {
    const value = JSON.stringify({ key: 'k', ...more });
    const { requests } = await sent('pushsafer', () => ok, value, notificationKind);
    const { d, pr, re, ex } = Object.fromEntries(new URLSearchParams(bodyText(requests[0]?.body)));
    expect({ d, pr, re, ex }).toEqual(expected);
  });

  test.each([
    ['{"key":"k","down":"off"}', [false, true]],
    ['{"key":"k","up":"off"}', [true, false]],
    ['{"key":"k"}', [true, true]],
  ])('of pushsafer that is off takes nothing of that direction: %s', (value, accepts) => {
    expect((['down', 'up'] as const).map((to) => channelAccepts('pushsafer', value, to))).toEqual(accepts);
  });

  test.each(['{"key":"k","down":"9"}', '{"key":"k","up":3}', '{"key":"k","up":null}', '{"down":"1"}', 'k'])(
    'of pushsafer is refused: %s',
    (value) => {
      expect(channelValueError('pushsafer', value)).not.toBeNull();
    },
  );

  test.each([
    ['gotify', { url: 'https://gotify.example.org', token: 't' }],
    ['ntfy', { url: 'https://ntfy.sh', topic: 'a' }],
  ] as const)('of %s with priority 0 takes nothing of that direction', (kind, fields) => {
    const accepts = (more: object) => {
      const value = JSON.stringify({ ...fields, ...more });
      return [channelAccepts(kind, value, 'down'), channelAccepts(kind, value, 'up')];
    };
    expect(accepts({ priority: 0, priority_up: 5 })).toEqual([false, true]);
    expect(accepts({ priority: 5, priority_up: 0 })).toEqual([true, false]);
    expect(accepts({})).toEqual([true, true]);
  });

  test.each([
    'https://discordapp.com/api/webhooks/1/x',
    '{"webhook":{"url":"https://discordapp.com/api/webhooks/1/x"}}',
  ])('of discord on its first domain goes to the present one: %s', async (value) => {
    const { requests } = await sent('discord', () => ok, value);
    expect(requests[0]?.url).toBe('https://discord.com/api/webhooks/1/x?with_components=true');
  });

  test.each([
    ['https://knell.example.org/a/1', true],
    ['http://nas.local/a/1', false],
    ['http://knell.home.arpa/a/1', false],
    ['http://localhost/a/1', false],
    ['http://192.168.0.2/a/1', false],
  ])('of telegram has a button to %s: %s', async (actUrl, has) => {
    const requests: OutgoingRequest[] = [];
    const send = async (request: OutgoingRequest) => {
      requests.push(request);
      return ok;
    };
    const senders = sendersOver(send);
    await senders.telegram({ ...noticeOf('telegram', 'down'), actUrl }, signal);
    expect('reply_markup' in JSON.parse(bodyText(requests[0]?.body))).toBe(has);
  });

  test('of discord never misses an alert for its buttons', async () => {
    const isPlain = ({ body }: OutgoingRequest) => !('components' in JSON.parse(bodyText(body)));
    const { outcome, requests } = await sent('discord', (request) =>
      isPlain(request) ? ok : { status: 400, headers: {}, body: '{}' },
    );
    expect(outcome.kind).toBe('delivered');
    expect(requests.map(isPlain)).toEqual([false, true]);
    expect(requests[1]?.url).not.toContain('with_components');
    const gone = { message: 'Unknown Webhook', code: 10015 };
    const end = await sent('discord', () => ({ status: 404, headers: {}, body: JSON.stringify(gone) }));
    expect([end.outcome, end.requests]).toMatchObject([{ gone: true }, { length: 1 }]);
    const up = await sent('discord', () => ok, channelValues.discord, 'up');
    expect(up.requests.map(isPlain)).toEqual([true]);
  });
});
