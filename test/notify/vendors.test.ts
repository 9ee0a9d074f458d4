/**
 * Every kind's request beside what its vendor requires (`support/vendor-rules`), for everything that can be said, with names and
 * bodies that try to break out or do not fit. Kinds that have an address of their own are sent to by a live Knell, the others
 * by their senders.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelAccepts } from '../../src/integrations/channel-value.ts';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { createSenders } from '../../src/notify/channels/all.ts';
import type { Notice } from '../../src/notify/contract/channel.ts';
import type { OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import {
  bodyOfSuccess,
  channelValues,
  noticeOf,
  pushAuthorization,
  testSettings,
} from '../support/engine/notices.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Dialect, valuesAt, vendorRules } from '../support/engine/vendor-rules.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { bodyText } from '../support/wire/push-browser.ts';
import { HttpReceiver, type Received } from '../support/wire/receivers.ts';

type Kind = keyof typeof vendorRules;
const kinds = Object.keys(vendorRules) as Kind[];

const hostile =
  '<!channel> @everyone *x* _y_ [a](https://evil.example) ``` </pre><script> & "q" {title} $NAME #1 | ~~z~~';
const runbook = 'https://wiki.example.org/run_book#disk_full';
const lastLine = 'the last line: disk full';
const long = `${'a line of the log, one of many\n'.repeat(3200)}${lastLine}`;
const emoji = `${'🔥💾👩‍👩‍👧 🇱🇻\n'.repeat(4000)}${lastLine}`;
const fences = `\`\`\`\n</pre></code>\n@everyone <!here>\n\`\`\`\`\`\n${lastLine}`;

/** A message's body, taken apart. */
function bodyOf(request: Pick<OutgoingRequest, 'body' | 'headers'>): unknown {
  const type = request.headers['Content-Type'] ?? request.headers['content-type'];
  const text = bodyText(request.body);
  return type === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(text))
    : JSON.parse(text);
}

interface Case {
  readonly up?: boolean;
  readonly test?: boolean;
  /** The end of what the job printed. */
  readonly output?: string;
}

function isAsDocumented(
  kind: Kind,
  body: unknown,
  checkUrl: string,
  { up, test: isTest, output }: Case,
): void {
  const { required, requiredUp, limits = {}, oneOf = {}, bytesMax, texts, link, ...rule } = vendorRules[kind];
  for (const path of (up && requiredUp) || required)
    expect(valuesAt(body, path).length, `${path} is there`).toBeGreaterThan(0);
  for (const [path, { max, unit }] of Object.entries(limits)) {
    for (const text of valuesAt(body, path)) {
      const size = unit === 'bytes' ? Buffer.byteLength(String(text)) : String(text).length;
      expect(size, `${path} fits`).toBeLessThanOrEqual(max);
    }
  }
  if (bytesMax) expect(Buffer.byteLength(JSON.stringify(body)), 'it fits').toBeLessThanOrEqual(bytesMax);
  for (const [path, allowed] of Object.entries(oneOf))
    for (const value of valuesAt(body, path)) expect(allowed, path).toContain(value);
  for (const [path, dialect] of Object.entries(texts))
    for (const text of valuesAt(body, path)) isHarmless(String(text), dialect);
  if (link && (!up || link.up)) {
    const found = valuesAt(body, link.path).map(String);
    expect(found.join('\n'), kind).toContain(checkUrl);
  }
  if (output && rule.output && !isTest && !(up && requiredUp))
    expect(valuesAt(body, rule.output).map(String).join('\n')).toContain(output);
}

const allowedTags: Readonly<Partial<Record<Dialect, RegExp>>> = {
  html: /^(?:a|b|strong|br|pre|code|Response|Say)$/,
  // https://core.telegram.org/bots/api#html-style
  telegram: /^(?:a|b|pre)$/,
};

/** Nothing of what others wrote is markup, calls anybody, or ends Knell's own markup. */
function isHarmless(text: string, dialect: Dialect): void {
  const allowed = allowedTags[dialect];
  if (allowed) {
    const open: string[] = [];
    for (const [, end, name = ''] of text.matchAll(/<(\/?)([\w!]+)[^>]*>/g)) {
      expect(name).toMatch(allowed);
      if (end) expect(open.pop()).toBe(name);
      else if (name !== 'br') open.push(name);
    }
    expect(open).toEqual([]);
    expect(text.replace(/<\/?(?:a href="[^"<>]*"|\w+)>/g, '')).not.toMatch(/[<>]/);
  }
  if (dialect === 'slack') expect(text.replace(/<https:\/\/[^<>|]*>/g, '')).not.toMatch(/[<>]/);
  if (dialect === 'markdown') {
    expect(text).not.toMatch(/(?<!\\)\[a\]\(/);
    expect(text.replace(/^ {4}.*$/gm, '')).not.toContain('@everyone');
  }
  if (dialect === 'markdown' || dialect === 'slack') {
    const fenced = text.match(/```/g)?.length ?? 0;
    const indented = /^ {4}/m.test(text);
    if (!indented) expect([0, 2]).toContain(fenced);
  }
}

async function sentBy(kind: Kind, notice: Notice): Promise<OutgoingRequest> {
  const requests: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    requests.push(request);
    return { status: 200, headers: {}, body: bodyOfSuccess(kind) };
  };
  const settings = testSettings;
  const senders = createSenders({
    send,
    settings,
    nowMs: Date.now,
    mail: null,
    shellMs: 1000,
    pushAuthorization,
  });
  expect(await senders[kind](notice, new AbortController().signal)).toEqual({ kind: 'delivered' });
  const last = requests.at(-1);
  if (!last) throw new Error('nothing was sent');
  return last;
}

const named = (kind: Kind, to: 'down' | 'up' | 'late', facts: Partial<Notice> = {}): Notice => {
  const notice = noticeOf(kind, to, facts);
  const names = Array.from({ length: 10 }, () => hostile);
  const config = { ...notice.check.config, name: hostile, tags: `${hostile} ${'tag '.repeat(60)}` };
  return {
    ...notice,
    check: { ...notice.check, config: { ...config, desc: `See ${runbook} (${'long '.repeat(100)})` } },
    project: { name: hostile },
    othersDown: { count: 10, of: 30, names },
  };
};

const cases: readonly (readonly [string, 'down' | 'up' | 'late', Partial<Notice>, Case])[] = [
  ['down, without a body', 'down', { body: '' }, {}],
  ['down, with a body of 100 kB', 'down', { body: long }, { output: lastLine }],
  ['down, with 100 kB of emoji', 'down', { body: emoji }, { output: lastLine }],
  ['down, with a body that ends code blocks', 'down', { body: fences }, { output: lastLine }],
  ['up, with a body of 100 kB', 'up', { body: long }, { up: true, output: lastLine }],
  ['up, without a body', 'up', { body: '' }, { up: true }],
  ['late', 'late', { body: long }, { output: lastLine }],
  ['a test', 'down', { test: true }, { test: true }],
  ['a test of recoveries', 'up', { test: true }, { up: true, test: true }],
];

describe.each(kinds)('%s', (kind) => {
  const takes = (to: string): boolean =>
    channelAccepts(kind, channelValues[kind], to === 'up' ? 'up' : 'down');
  const its = cases.filter(([, to]) => takes(to) && !(kind === 'github' && to === 'up'));

  test.each(its)('%s', async (_title, to, facts, expected) => {
    const notice = named(kind, to, facts);
    isAsDocumented(kind, bodyOf(await sentBy(kind, notice)), notice.checkUrl, expected);
  });

  test('an ordinary message has the runbook as it is, and everything that is said', async () => {
    const { check } = noticeOf(kind, 'down');
    const config = { ...check.config, desc: `See ${runbook}.` };
    const request = await sentBy(kind, noticeOf(kind, 'down', { check: { ...check, config } }));
    const { texts } = vendorRules[kind];
    const text = Object.keys(texts).flatMap((path) => valuesAt(bodyOf(request), path));
    const whole = kind === 'msteamsw' || kind === 'pd' ? JSON.stringify(bodyOf(request)) : text.join('\n');
    if (vendorRules[kind].output === null) return;
    const href = new RegExp(`(?:^|[\\s<"(])${runbook.replace(/[.#]/g, '\\$&')}(?=[\\s<>")]|\\.|$)`, 'm');
    expect(whole).toMatch(href);
    for (const said of ['No ping arrived in time', 'Sat 15 Jun 14:30', 'ago', 'Mail queue'])
      expect(whole).toContain(said);
  });
});

/** Kinds whose value, or a setting of Knell, is an address. */
const addressed: Readonly<Partial<Record<Kind, (url: string) => unknown>>> = {
  alerta: (url) => ({ url, key: 'k', environment: 'Production' }),
  alertmanager: (url) => url,
  apprise: () => 'json://example.org',
  discord: (url) => url,
  googlechat: (url) => url,
  gotify: (url) => ({ url, token: 't' }),
  matrix: () => '!room:example.org',
  mattermost: (url) => url,
  msteamsw: (url) => url,
  ntfy: (url) => ({ topic: 'alerts', url }),
  pagertree: (url) => url,
  rocketchat: (url) => url,
  signal: () => '+15555550100',
  signl4: (url) => url,
  slack: (url) => url,
  spike: (url) => url,
  victorops: (url) => url,
  zulip: (url) => ({ bot_email: 'bot@x.example', api_key: 'k', mtype: 'stream', to: 'ops', site: url }),
};
/** Under what path each arrives that does not add its own below the integration's. */
const arrivals: Readonly<Partial<Record<Kind, RegExp>>> = {
  apprise: /^\/apprise\/notify/,
  matrix: /^\/matrix\/_matrix\//,
  signal: /^\/signal\/v2\/send/,
};

describe('a live Knell', () => {
  const clock = new SimulatedClock(Date.UTC(2024, 5, 14, 12));
  const live = Object.entries(addressed) as [Kind, (url: string) => unknown][];
  let receiver: HttpReceiver;
  let knell: Knell;
  let checkUrl = '';
  let uuid = '';

  const admin = (command: string, args: Readonly<Record<string, unknown>>) =>
    knell.app.admin({ command, args }, () => {});
  const received = (kind: Kind): readonly Received[] =>
    receiver.all.filter(({ path }) => (arrivals[kind] ?? new RegExp(`^/${kind}\\b`)).test(path));
  const ping = (action: string, body: string) =>
    knell.request(`/ping/${uuid}${action}`, { method: 'POST', body });
  const all = (count: number) =>
    eventually(() => {
      for (const [kind] of live) expect(received(kind), kind).toHaveLength(count);
    });
  /** Knell has the receiver's answers too: what comes next is counted from then. */
  const settled = (count: number) =>
    eventually(async () => {
      await clock.advance(5);
      const { notifications } = (await knell.api('GET', `/api/v3/checks/${uuid}/notifications/`)).json();
      expect(notifications).toHaveLength(count * live.length);
    });

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    knell = await Knell.start({
      clock,
      env: {
        KNELL_WEBHOOK_ALLOW: '127.0.0.0/8',
        KNELL_APPRISE_URL: receiver.url('/apprise'),
        KNELL_MATRIX_HOMESERVER: receiver.url('/matrix'),
        KNELL_MATRIX_TOKEN: 'matrix-token',
        KNELL_SIGNAL_URL: receiver.url('/signal'),
        KNELL_SIGNAL_NUMBER: '+15555550199',
      },
    });
    for (const [kind, value] of live) {
      const made = value(receiver.url(`/${kind}`));
      const text = typeof made === 'string' ? made : JSON.stringify(made);
      await admin('channel create', {
        project: 'default',
        kind,
        name: kind,
        value: text,
        // Sooner than Alertmanager is sent again by itself what is down.
        repeatS: 120,
        late: true,
      });
    }
    const check = await knell.create({
      name: hostile.slice(0, 100),
      desc: `See ${runbook}.`,
      timeout: 3600,
      grace: 600,
      channels: '*',
    });
    uuid = check.uuid;
    const [project] = knell.app.engine.read.projects();
    checkUrl = `http://knell.test/project/${project?.id}/checks/${uniqueKeyOf(asCheckId(uuid))}`;
  });

  afterAll(async () => {
    await knell.stop();
    await receiver.stop();
  });

  const holds = (nth: number, expected: Case) => {
    for (const [kind] of live) {
      const one = received(kind)[nth];
      if (!one) throw new Error(`${kind} got no message ${nth}`);
      isAsDocumented(
        kind,
        bodyOf({ ...one, headers: { 'content-type': String(one.headers['content-type']) } }),
        checkUrl,
        expected,
      );
    }
  };

  test('sends what the vendors document: down, repeated, up, late, and tests', async () => {
    await ping('/3', `${long}`);
    await all(1);
    await settled(1);
    holds(0, { output: lastLine });
    expect(received('slack')[0]?.body).toContain('Exit status 3.');
    await clock.advance(120_000);
    await all(2);
    await settled(2);
    holds(1, { output: lastLine });
    for (const [kind] of live)
      expect(received(kind)[0]?.headers['idempotency-key']).not.toBe(
        received(kind)[1]?.headers['idempotency-key'],
      );
    await ping('', '');
    await all(3);
    await settled(3);
    holds(2, { up: true });
    expect(received('slack')[2]?.body).toContain('*Down for:* 2 minutes');
    await clock.advance(3_600_000);
    await all(4);
    await settled(4);
    holds(3, {});
    for (const [kind] of live) await admin('channel test', { channel: kind });
    await all(5);
    checkUrl = checkUrl.replace(/\/checks\/.*/, '/integrations');
    holds(4, { test: true });
  });
});
