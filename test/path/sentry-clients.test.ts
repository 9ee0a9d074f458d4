/**
 * `sentry-cli monitors run`, the JavaScript SDK and its instrumentation of cron libraries, unmodified, with a ping key in their DSN. Where they are
 * not installed they are skipped: `node scripts/other-clients.js` installs them. That for Python is in `other-services.test.ts`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: a script without types.
import { findNodeClients } from '../../scripts/other-clients.js';
import { type Json, Knell } from '../support/knell.ts';
import { freePort } from '../support/wire/free-port.ts';

const clients: string | null = findNodeClients();
if (clients === null) console.warn('sentry-cli and @sentry/node are not installed: they are not tried');

let knell: Knell;
/** Its checks take the settings that check-ins bring. */
let upserting: Knell;
beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'sentry' } });
  upserting = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'sentry,sentry-upserts' } });
});
afterAll(() => Promise.all([knell.stop(), upserting.stop()]));

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const hostOf = (server: Knell): string => new URL(server.app.httpUrl).host;

interface Place {
  readonly server?: Knell;
  readonly host?: string;
}

function run(
  program: string,
  args: readonly string[],
  { server = knell, host = hostOf(server) }: Place = {},
): Promise<Ran> {
  const dsn = `http://${server.keys.ping}@${host}/1`;
  const env = { PATH: process.env.PATH, SENTRY_DSN: dsn, CLIENTS: clients ?? '' };
  return new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

function sentryCli(args: readonly string[], place?: Place): Promise<Ran> {
  return run(join(clients ?? '', 'node_modules/.bin/sentry-cli'), ['monitors', 'run', ...args], place);
}

/** The program finds the packages by `packages`. */
async function runNode(program: string, place?: Place): Promise<void> {
  const text = `const packages = require('node:module').createRequire(process.env.CLIENTS + '/');
const Sentry = packages('@sentry/node');
Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: 1 });
(async () => { ${program}; process.exit((await Sentry.flush(10_000)) ? 0 : 1); })();`;
  const { status, stderr } = await run(process.execPath, ['--input-type=commonjs', '--eval', text], place);
  expect([status, stderr]).toEqual([0, '']);
}

async function made(slug: string, server = knell): Promise<Json> {
  const [check] = (await server.api('GET', `/api/v3/checks/?slug=${slug}`)).json().checks;
  return check;
}

/** Its pings, the oldest first. */
async function pingsOf(slug: string): Promise<Json> {
  const { uuid } = await made(slug);
  return (await knell.pings(uuid)).reverse();
}

const typesOf = async (slug: string): Promise<readonly string[]> =>
  (await pingsOf(slug)).map(({ type }: Json) => type);

describe.skipIf(clients === null)('sentry-cli monitors run', () => {
  test('creates the check of its schedule, and reports a command that works and one that fails', async () => {
    const times = ['--timezone', 'Europe/Riga', '--check-in-margin', '10', '--max-runtime', '45'];
    const works = await sentryCli(['nightly', '--schedule', '30 3 * * *', ...times, '--', 'echo', 'done']);
    expect([works.status, works.stdout.trim(), works.stderr]).toEqual([0, 'done', '']);
    expect(await made('nightly')).toMatchObject({
      ...{ schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 600, max_runtime: 2700, status: 'up' },
    });
    const fails = await sentryCli(['nightly', '--', 'sh', '-c', 'exit 3']);
    expect([fails.status, fails.stderr]).toEqual([3, '']);
    expect(await made('nightly')).toMatchObject({ schedule: '30 3 * * *', status: 'down' });
    expect(await typesOf('nightly')).toEqual(['start', 'success', 'start', 'fail']);
    const [start, end] = await pingsOf('nightly');
    expect(start.rid).toBe(end.rid);
    expect(end.duration).toEqual(expect.any(Number));
  });

  test('says that a check is missing, and runs the command all the same', async () => {
    for (const host of [hostOf(knell), `127.0.0.1:${await freePort()}`]) {
      const { status, stdout, stderr } = await sentryCli(['nobody', '--', 'echo', 'done'], { host });
      expect([status, stdout.trim()]).toEqual([0, 'done']);
      expect(stderr + stdout).toContain('Failed to send');
    }
    expect(await made('nobody')).toBeUndefined();
  });
});

describe.skipIf(clients === null)('@sentry/node', () => {
  test('captureCheckIn creates the check of an interval, and reports start and end', async () => {
    await runNode(`
      const config = { schedule: { type: 'interval', value: 2, unit: 'hour' }, checkinMargin: 5, maxRuntime: 90 };
      const checkInId = Sentry.captureCheckIn({ monitorSlug: 'by-hand', status: 'in_progress' }, config);
      Sentry.captureCheckIn({ checkInId, monitorSlug: 'by-hand', status: 'ok', duration: 1.5 })`);
    expect(await made('by-hand')).toMatchObject({
      timeout: 7200,
      grace: 300,
      max_runtime: 5400,
      status: 'up',
    });
    const [start, end] = await pingsOf('by-hand');
    expect([start.type, end.type, start.rid === end.rid]).toEqual(['start', 'success', true]);
    expect(end.results).toMatchObject({ duration: 1.5 });
  });

  test('withMonitor reports a job that works and one that fails, beside errors and traces', async () => {
    await runNode(`
      const schedule = { type: 'crontab', value: '30 3 * * *' };
      const config = { schedule, checkinMargin: 10, maxRuntime: 45, timezone: 'Europe/Riga' };
      await Sentry.withMonitor('wrapped', async () => 5, config);
      const failing = async () => { throw new Error('the disk is full') };
      await Sentry.withMonitor('wrapped', failing, config).catch((error) => Sentry.captureException(error));
      Sentry.captureMessage('an event that is no check-in')`);
    expect(await made('wrapped')).toMatchObject({
      ...{ schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 600, max_runtime: 2700, status: 'down' },
    });
    expect(await typesOf('wrapped')).toEqual(['start', 'success', 'start', 'fail']);
  });

  test('its instrumentation of node-cron and of cron creates the checks of their schedules', async () => {
    await runNode(`
      const nodeCron = Sentry.cron.instrumentNodeCron(packages('node-cron'));
      const task = nodeCron.schedule('*/5 * * * *', () => {}, { name: 'of-node-cron', timezone: 'Europe/Riga' });
      await task.execute();
      const CronJob = Sentry.cron.instrumentCron(packages('cron').CronJob, 'of-cron');
      await CronJob.from({ cronTime: '*/10 * * * *', onTick: () => {}, timeZone: 'Europe/Riga' }).fireOnTick()`);
    expect(await made('of-node-cron')).toMatchObject({
      schedule: '*/5 * * * *',
      tz: 'Europe/Riga',
      status: 'up',
    });
    expect(await made('of-cron')).toMatchObject({
      schedule: '*/10 * * * *',
      tz: 'Europe/Riga',
      status: 'up',
    });
    for (const slug of ['of-node-cron', 'of-cron']) expect(await typesOf(slug)).toEqual(['start', 'success']);
  });

  test('a new schedule of its is that of its check only where check-ins may change one', async () => {
    for (const value of ['30 3 * * *', '0 4 * * *']) {
      const job = `async () => {}, { schedule: { type: 'crontab', value: '${value}' } }`;
      const program = `await Sentry.withMonitor('moved', ${job})`;
      await Promise.all([knell, upserting].map((server) => runNode(program, { server })));
    }
    expect(await made('moved')).toMatchObject({ schedule: '30 3 * * *', n_pings: 4 });
    expect(await made('moved', upserting)).toMatchObject({ schedule: '0 4 * * *', n_pings: 4 });
  });
});
