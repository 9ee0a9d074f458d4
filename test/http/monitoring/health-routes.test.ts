/** Whether Knell is well, asked over real sockets; and its heartbeat, received by one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthReplies } from '../../../src/http/monitoring/health-routes.ts';
import { renderMetrics } from '../../../src/lib/exposition.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { Knell } from '../../support/knell.ts';
import { eventually } from '../../support/patience.ts';
import { HttpReceiver } from '../../support/wire/receivers.ts';

const address = '/ping/8f7a3a4e-36be-4a5c-92ac-4a6f7d7d1e5c';
let clock: SimulatedClock;
let knell: Knell;
let watcher: HttpReceiver;

beforeAll(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 4, 4, 4));
  watcher = await HttpReceiver.start();
  knell = await Knell.start({ clock, env: { KNELL_HEARTBEAT_URL: watcher.url(address) } });
});

afterAll(async () => {
  await knell.stop();
  await watcher.stop();
});

test('the probes need no key, and no cache keeps them', async () => {
  const alive = await knell.request('/healthz');
  expect([alive.status, alive.text]).toEqual([200, 'OK']);
  const ready = await knell.request('/readyz');
  const well = { ok: true, problem: null };
  expect([ready.status, ready.json()]).toEqual([
    200,
    { ready: true, parts: { start: well, journal: well, deadlines: well, notifications: well } },
  ]);
  for (const { headers } of [alive, ready]) expect(headers.get('cache-control')).toContain('no-store');
  expect((await knell.request('/readyz', { method: 'HEAD' })).status).toBe(200);
  expect((await knell.request('/healthz', { method: 'POST' })).status).toBe(405);
  expect((await knell.request('/healthz/')).status).toBe(404);
});

test('a part that is not well makes Knell unready, in the metrics too, and the heartbeat says so', async () => {
  await eventually(() =>
    expect(watcher.all.map(({ method, path }) => [method, path])).toEqual([['GET', address]]),
  );
  // No timer has run since: the ticker is late, and the clock was set.
  clock.jump(3_600_000);
  const { status, json } = await knell.request('/readyz');
  expect([status, json()]).toMatchObject([
    503,
    {
      ready: false,
      parts: {
        deadlines: { ok: false, problem: 'deadlines are noticed 3599 s late' },
        journal: { ok: true },
      },
    },
  ]);
  expect((await knell.request('/healthz')).status).toBe(200);
  const metrics = renderMetrics(knell.app.meter.collect(), 'prometheus');
  expect(metrics).toContain('knell_ready{part="deadlines"} 0\n');
  expect(metrics).toContain('knell_ready{part="journal"} 1\n');
  await eventually(async () => {
    await clock.advance(1000);
    expect(watcher.all.at(1)).toMatchObject({
      method: 'POST',
      path: `${address}/fail`,
      body: 'clock: the clock was set forward by 3600 s\n',
    });
  });
  expect((await knell.request('/readyz')).status).toBe(200);
});

test('each part says what is wrong with it', () => {
  const parts = [
    { name: 'journal', problem: () => 'the disk is full, pings are refused' },
    { name: 'deadlines', problem: () => null },
  ];
  const reply = healthReplies(parts)['/readyz']?.();
  expect([reply?.status, JSON.parse(String(reply?.body))]).toEqual([
    503,
    {
      ready: false,
      parts: {
        journal: { ok: false, problem: 'the disk is full, pings are refused' },
        deadlines: { ok: true, problem: null },
      },
    },
  ]);
});
