/** An incident is one message that is updated, where the vendor has that: from the flip to what a reader of the chat sees. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';
import { Chat, slackBot, type vendors } from '../support/wire/chat.ts';
import { standInFor } from '../support/wire/in-place-of.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

type Kind = keyof typeof vendors;

let timeline: AlertTimeline;
let chat: Chat;
let vendor: HttpReceiver;
/** The webhooks of Slack, which have a host of their own. */
let hooks: HttpReceiver | null = null;
let leave = (): void => {};
afterEach(async () => {
  await timeline.stop();
  await vendor.stop();
  await hooks?.stop();
  hooks = null;
  leave();
});

async function open(
  kind: Kind,
  settings: Readonly<Record<string, unknown>> = { collectS: 60 },
): Promise<void> {
  const host = kind === 'slack' ? 'slack.com' : 'api.telegram.org';
  const certificate = kind === 'telegram' || kind === 'slack' ? selfSigned(tempDir(), 1, host) : null;
  vendor = await HttpReceiver.start(certificate);
  chat = new Chat(kind);
  vendor.answering = chat.answering;
  if (kind === 'slack') hooks = await HttpReceiver.start();
  if (hooks) hooks.answering = chat.answering;
  leave = certificate ? standInFor({ host, port: vendor.port, certificate }) : () => {};
  timeline = await AlertTimeline.start({
    KNELL_MATRIX_HOMESERVER: vendor.url('').replace(/\/$/, ''),
    ...{ KNELL_MATRIX_TOKEN: 'secret', KNELL_TELEGRAM_TOKEN: '1:secret' },
  });
  const values = {
    discord: vendor.url('/hook?thread_id=7'),
    matrix: '!jobs:example.org',
    slack: JSON.stringify({
      ...{ access_token: slackBot.token, scope: 'incoming-webhook,chat:write' },
      incoming_webhook: { url: hooks?.url('/services/T/B/x'), channel_id: slackBot.channel },
    }),
    telegram: '{"id": -100}',
  };
  const args = { project: 'default', kind, name: 'chat', value: values[kind], ...settings };
  await timeline.knell.app.admin({ command: 'channel create', args }, () => {});
  for (const name of ['db', 'web', 'mail']) await timeline.check(name, { timeout: 86_400, grace: 3600 });
}

/** They go down together, and are one message. */
async function fail(...names: readonly string[]): Promise<void> {
  for (const name of names) await timeline.ping(name, '/fail');
  await sending(() => timeline.later(1));
}

/** Until what is sent meanwhile is there. */
async function sending(act: () => Promise<unknown>): Promise<void> {
  const before = vendor.all.length;
  await act();
  await vendor.until(before + 1);
  await timeline.advance(0);
}

const shows = (titles: readonly string[]): Promise<void> =>
  expect.poll(() => chat.titles, { timeout: 5000 }).toEqual(titles);

describe.each<Kind>(['discord', 'matrix', 'slack', 'telegram'])('%s', (kind) => {
  // Their messages have a colour.
  const isColoured = kind === 'discord' || kind === 'slack';
  const down = isColoured ? '' : '🔴 ';
  const up = isColoured ? '' : '🟢 ';
  beforeEach(() => open(kind));

  test('what comes up in between updates the message, and the end is a new one and in the old', async () => {
    await fail('db', 'web', 'mail');
    await shows([`${down}db and 2 more are DOWN`]);
    await timeline.ping('web');
    await timeline.later(1);
    await shows([`${down}db and 1 more are DOWN (edited)`]);
    await timeline.ping('db');
    await timeline.ping('mail');
    const over = `${up}db and 2 more are UP`;
    await shows([`${over} (edited)`, over]);
    expect(chat.replies).toEqual([null, isColoured ? null : '1']);
  });

  test('a restart forgets no message', async () => {
    await fail('db', 'web', 'mail');
    await shows([`${down}db and 2 more are DOWN`]);
    await timeline.restart();
    await timeline.ping('web');
    await timeline.later(1);
    await shows([`${down}db and 1 more are DOWN (edited)`]);
  });

  test('what goes down again after the end is a new message', async () => {
    await fail('db', 'web');
    await timeline.ping('db');
    await timeline.ping('web');
    const over = `${up}db and 1 more are UP`;
    await shows([`${over} (edited)`, over]);
    await timeline.restart();
    await fail('web');
    await shows([`${over} (edited)`, over, `${down}web is DOWN`]);
  });
});

describe('a message that cannot be updated', () => {
  test.each<Kind>(['discord', 'slack', 'telegram'])(
    'is a new one where somebody deleted it: %s',
    async (kind) => {
      await open(kind);
      await fail('db', 'web');
      chat.deleteAll();
      await timeline.ping('web');
      await timeline.later(1);
      await expect.poll(() => chat.titles.map((title) => title.replace('🔴 ', ''))).toEqual(['db is DOWN']);
      await timeline.ping('db');
      await expect.poll(() => chat.titles.length).toBe(2);
      expect(chat.titles[0]).toMatch(/UP \(edited\)$/);
    },
  );

  test('is a new one by the webhook of Slack where its bot may not write any more', async () => {
    await open('slack');
    await fail('db', 'web');
    chat.refusal = 'not_in_channel';
    await timeline.ping('web');
    await timeline.later(1);
    await shows(['db and 1 more are DOWN', 'db is DOWN']);
    expect(vendor.all.slice(-2).map(({ path }) => path)).toEqual([
      ...['/api/chat.update', '/api/chat.postMessage'],
    ]);
    expect(hooks?.all.map(({ path }) => path)).toEqual(['/services/T/B/x']);
    chat.refusal = '';
    await timeline.ping('db');
    await shows(['db and 1 more are UP (edited)', 'db is DOWN', 'db and 1 more are UP']);
  });

  test('is updated later where the vendor is down', async () => {
    await open('discord');
    await fail('db', 'web');
    chat.failures = [503];
    await timeline.ping('web');
    await timeline.later(1);
    await expect.poll(() => chat.failures).toEqual([]);
    await timeline.later(5);
    await shows(['db is DOWN (edited)']);
  });

  test('keeps the end from nobody: that is out, whatever becomes of the message', async () => {
    await open('discord');
    await fail('db', 'web');
    await timeline.ping('web');
    await timeline.later(1);
    await shows(['db is DOWN (edited)']);
    chat.deleteAll();
    await timeline.ping('db');
    await shows(['db and 1 more are UP']);
  });
});

test('what went down long after the message is a new one, and that is updated then', async () => {
  await open('discord');
  await timeline.integration('slow', { collectS: 600 });
  await fail('db', 'web');
  await timeline.later(3);
  await fail('mail');
  await shows(['db and 2 more are DOWN (edited)']);
  await timeline.ping('mail');
  await timeline.later(10);
  await shows(['db and 1 more are DOWN (edited)']);
  await fail('mail');
  await shows(['db and 1 more are DOWN (edited)', 'db and 2 more are DOWN']);
  await timeline.ping('db');
  await timeline.later(1);
  await shows(['db and 1 more are DOWN (edited)', 'web and 1 more are DOWN (edited)']);
});

test('a reminder is a new message, and what comes up then is read there', async () => {
  await open('discord', { collectS: 60, repeatS: 600 });
  await fail('db', 'web');
  await sending(() => timeline.later(10));
  await shows(['db and 1 more are DOWN', 'db and 1 more are DOWN']);
  await timeline.ping('web');
  await sending(() => timeline.later(1));
  await shows(['db and 1 more are DOWN', 'db is DOWN (edited)']);
});
