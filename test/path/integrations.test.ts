/** Integrations over real sockets: tests of them, and one whose address is gone for good. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asChannelId } from '../../src/lib/ids.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const clock = new SimulatedClock(Date.UTC(2024, 5, 14, 12));
let receiver: HttpReceiver;
let knell: Knell;

beforeAll(async () => {
  receiver = await HttpReceiver.start();
  receiver.answering = ({ path }, response) => {
    response.statusCode = path.startsWith('/gone') ? 410 : 200;
    response.end('ok');
  };
  knell = await Knell.start({ clock, env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});

afterAll(async () => {
  await knell.stop();
  await receiver.stop();
});

function admin(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return knell.app.admin({ command, args }, () => {});
}

async function integration(kind: string, name: string, value: string): Promise<string> {
  const args = { project: 'default', kind, name, value, checks: 'none' };
  return ((await admin('channel create', args)) as { id: string }).id;
}

const listed = async (name: string) => {
  const all = (await admin('channel list', { project: 'default' })) as { name: string }[];
  return all.find((one) => one.name === name);
};

const paths = (path: string) => receiver.all.filter((received) => received.path === path);

test('it is disabled, its project is notified once, and it works again once it is enabled', async () => {
  const gone = await integration('mattermost', 'old chat', receiver.url('/gone'));
  await integration('mattermost', 'chat', receiver.url('/chat'));
  const checks = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => knell.create({ name: `job ${number}`, channels: gone })),
  );
  await Promise.all(checks.map(({ ping_url }) => knell.request(`${new URL(ping_url).pathname}/fail`)));
  await eventually(async () =>
    expect(await listed('old chat')).toMatchObject({
      disabled: true,
      disabled_reason: 'it is gone for good (status 410)',
    }),
  );
  const outbox = async () => (await admin('outbox list')) as { state: string }[];
  await eventually(async () => expect((await outbox()).every(({ state }) => state === 'dead')).toBe(true));
  const { length } = await outbox();
  expect(length).toBeGreaterThan(0);
  await clock.advance(10_000);
  await eventually(() => expect(paths('/chat')).toHaveLength(1));
  const { attachments } = JSON.parse(paths('/chat')[0]?.body ?? '');
  expect(attachments[0]).toMatchObject({
    title: 'Integration "old chat" \\(Mattermost\\) was disabled',
    title_link: expect.stringMatching(/^http:\/\/knell\.test\/project\/.*\/integrations$/),
  });
  expect(attachments[0].text).toContain('Checks that used nothing else notify nobody now.');

  // A crash before this is on disk repeats the message.
  const settings = () => knell.app.engine.read.channel(asChannelId(gone))?.settings;
  await eventually(() => expect(settings()?.announcePending).toBe(false));
  await knell.restart();
  await clock.advance(10_000);
  const before = paths('/gone').length;
  receiver.answering = (_, response) => {
    response.end('ok');
  };
  await admin('channel edit', { channel: 'old chat', disabled: false });
  expect(await listed('old chat')).toMatchObject({ disabled: false, last_error: '' });
  await admin('outbox retry', { id: 'all' });
  await eventually(() => expect(paths('/gone')).toHaveLength(before + length));
  expect(paths('/chat')).toHaveLength(1);
});

test('a test is sent as a recovery where the integration takes nothing else, and says that it is one', async () => {
  const url = receiver.url('/$STATUS/$NAME');
  await integration('webhook', 'recoveries', JSON.stringify({ url_up: url }));
  await integration('webhook', 'both', JSON.stringify({ url_down: url, url_up: url }));
  await integration('mattermost', 'tested', receiver.url('/tested'));
  for (const name of ['recoveries', 'both', 'tested'])
    expect(await admin('channel test', { channel: name })).toMatchObject([{ ok: true, error: '' }]);
  expect(receiver.all.slice(-3).map(({ path }) => path)).toEqual(['/up/TEST', '/down/TEST', '/tested']);
  expect(receiver.all.at(-1)?.body).toContain('Test notification from Knell');
});
