/** What alerts say of runs, as an integration receives it over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const minute = 60_000;
const a = '0000000a-0000-4000-8000-000000000000';
let clock: SimulatedClock;
let receiver: HttpReceiver;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 2, 2, 2));
  receiver = await HttpReceiver.start();
  knell = await Knell.start({ clock, env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8', KNELL_TIME_ZONE: 'UTC' } });
});

afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

/** A chat that gets all of its project's alerts. */
async function chat(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const args = { project: 'default', kind: 'mattermost', name: 'ops', value: receiver.url('/chat') };
  await knell.app.admin({ command: 'channel create', args: { ...args, ...settings } }, () => {});
}

async function ping(uuid: string, rest = ''): Promise<void> {
  expect((await knell.request(`/ping/${uuid}${rest}`)).status).toBe(200);
}

async function latest(count: number): Promise<string> {
  return (await receiver.until(count)).at(-1)?.body.toString() ?? '';
}

describe('an alert says in one sentence', () => {
  test('which run hung, where, and what is usual', async () => {
    await chat();
    const { uuid } = await knell.create({ name: 'dump', timeout: 86_400, max_runtime: 2700, channels: '*' });
    for (let run = 0; run < 10; run++) {
      await ping(uuid, `/start?rid=${a}`);
      await clock.advance(34 * minute);
      await ping(uuid, `?rid=${a}`);
    }
    await ping(uuid, `/start?rid=${a}&host=db-1`);
    await clock.advance(45 * minute);
    expect(await latest(1)).toContain(
      'Hung: started 07:40 UTC on db-1, may take 45 min; it usually takes 34 min.',
    );
  });

  test('which host has not reported, and how many have', async () => {
    await chat();
    const { uuid } = await knell.create({ timeout: 3600, grace: 60, hosts: 'a b c', channels: '*' });
    for (const host of ['a', 'b', 'c']) await ping(uuid, `?host=${host}`);
    await clock.advance(60 * minute);
    for (const host of ['a', 'b']) await ping(uuid, `?host=${host}`);
    await clock.advance(minute);
    expect(await latest(1)).toContain('c has not reported; 2 of 3 have.');
  });

  test('that no run started', async () => {
    await chat();
    const { uuid } = await knell.create({ schedule: '0 3 * * *', start_grace: 300, channels: '*' });
    await ping(uuid);
    await clock.advance(65 * minute);
    expect(await latest(1)).toContain('No run started within 5 min of its time.');
  });

  test('that a run was too short, and that two overlapped', async () => {
    await chat();
    const spec = { min_runtime: 60, overlap: 'fail', channels: '*' };
    const { uuid } = await knell.create(spec);
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}`);
    await clock.advance(2000);
    await ping(uuid, `?rid=${a}`);
    expect(await latest(1)).toContain('The run took 2 s; it should take at least 1 min.');
    await ping(uuid);
    await latest(2);
    await ping(uuid, `/start?rid=${a}`);
    await ping(uuid, '/start');
    expect(await latest(3)).toContain('A run started while another was still in flight.');
  });
});

describe('an alert of a check that holds its alerts back says', () => {
  test('how many failures it took, and how many successes', async () => {
    await chat();
    const { uuid } = await knell.create({ alert_after: 2, recover_after: 2, channels: '*' });
    await ping(uuid, '/fail');
    await ping(uuid, '/fail');
    expect(await latest(1)).toContain('2 failures in a row.');
    await ping(uuid);
    await ping(uuid);
    expect(await latest(2)).toContain('It was well 2 times in a row.');
  });

  test('how many of the last failed', async () => {
    await chat();
    const { uuid } = await knell.create({ alert_after: 2, alert_of_last: 3, channels: '*' });
    for (const end of ['/fail', '', '/fail']) await ping(uuid, end);
    expect(await latest(1)).toContain('2 of the last 3 failed.');
  });

  test('that it is unstable, and that nothing more is sent', async () => {
    await chat();
    const { uuid } = await knell.create({ unstable_changes: 2, unstable_window: 600, channels: '*' });
    for (const [at, end] of ['/fail', '', '/fail'].entries()) {
      await ping(uuid, end);
      await latest(at + 1);
    }
    expect(await latest(3)).toContain(
      'Unstable: more than 2 changes within 10 min. Nothing more is sent until it is steady.',
    );
  });
});

describe('a warning', () => {
  test('notifies the integrations that ask for warnings, and no other', async () => {
    await chat();
    await chat({ warnings: true });
    const { uuid } = await knell.create({ name: 'rsync', exit_codes: '24=warning', channels: '*' });
    await ping(uuid);
    await ping(uuid, '/24');
    expect(await latest(1)).toContain('rsync ended with a WARNING');
    await ping(uuid, '/fail');
    await receiver.until(3);
    expect(receiver.all).toHaveLength(3);
    expect(await knell.check(uuid)).toMatchObject({ status: 'down' });
  });

  test('takes the place of no alert that is still to be sent, and of no reminder', async () => {
    await chat({ warnings: true, delayS: 600, repeatS: 3600 });
    const { uuid } = await knell.create({ name: 'rsync', exit_codes: '24=warning', channels: '*' });
    await ping(uuid, '/fail');
    await ping(uuid, '/24');
    expect(await latest(1)).toContain('rsync ended with a WARNING');
    await clock.advance(10 * minute);
    expect(await latest(2)).toContain('rsync is DOWN');
    await ping(uuid, '/24');
    expect(await latest(3)).toContain('rsync ended with a WARNING');
    await clock.advance(60 * minute);
    expect(await latest(4)).toContain('rsync is DOWN');
  });

  test('takes the place of no end that could not be sent yet', async () => {
    await chat({ warnings: true });
    const { uuid } = await knell.create({ name: 'rsync', exit_codes: '24=warning', channels: '*' });
    await ping(uuid, '/fail');
    await receiver.until(1);
    let status = 500;
    receiver.answering = (_, response) => void response.writeHead(status).end();
    await ping(uuid);
    await receiver.until(2);
    await ping(uuid, '/24');
    await receiver.until(3);
    status = 200;
    await eventually(async () => {
      await clock.advance(2000);
      const sent = receiver.all.slice(3).map(({ body }) => body.toString());
      expect(sent).toContainEqual(expect.stringContaining('rsync is UP'));
      expect(sent).toContainEqual(expect.stringContaining('rsync ended with a WARNING'));
    });
  });

  test('of an overlap leaves the check as it is', async () => {
    await chat({ warnings: true });
    const { uuid } = await knell.create({ overlap: 'warn', channels: '*' });
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}`);
    await ping(uuid, '/start');
    expect(await latest(1)).toContain('A run started while another was still in flight.');
    expect(await knell.check(uuid)).toMatchObject({ status: 'up' });
  });
});
