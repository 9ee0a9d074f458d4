/**
 * Fifteen checks of a small company with three weeks of history, its people, integrations and status page: what every page
 * shows when it is in use. Some are down, late, running, paused and new.
 */
import { day, hour, minute } from '../../../src/lib/units.ts';
import type { OwnerBrowser } from './owner-browser.ts';

/** How long the scene lasts: the simulated clock has to start that much before now. */
export const sceneMs = 22 * day + hour;

interface Job {
  readonly name: string;
  readonly tags: string;
  readonly spec: object;
  /** The hours of the day at which it runs; empty: every hour. */
  readonly hours: readonly number[];
  readonly lastsMs: number;
  /** The days on which it fails. */
  readonly fails: readonly number[];
  /** The day from which it does not run. */
  readonly endsOn?: number;
}

// Some minutes more than between two runs: they do not all take the same time.
const daily = { timeout: 25 * 3600, grace: 3600 };
const hourly = { timeout: 80 * 60, grace: 1800 };
const job = (name: string, tags: string, spec: object, hours: readonly number[], lastsMs: number): Job => ({
  name,
  tags,
  spec,
  hours,
  lastsMs,
  fails: [],
});

const jobs: readonly Job[] = [
  { ...job('Nightly database backup', 'prod db backup', daily, [0], 11 * minute), fails: [9, 21] },
  {
    ...job('Invoice export', 'prod billing', { timeout: 86_400, grace: 4 * 3600 }, [21], 3 * minute),
    endsOn: 21,
  },
  job('Search index rebuild', 'staging', daily, [1], 24 * minute),
  { ...job('Certificate renewal on the public load balancers', 'prod tls', daily, [0], minute), endsOn: 19 },
  job('Payment reconciliation', 'prod billing', hourly, [], 2 * minute),
  { ...job('Off-site copy', 'backup', daily, [1], 48 * minute), fails: [5, 6] },
  job('Queue cleanup', 'prod', hourly, [], 4000),
  job('Warehouse sync', 'prod erp', hourly, [], 40_000),
  { ...job('Log rotation', 'infra', daily, [0], 9000), fails: [14] },
  job('Mailing list import', 'marketing', daily, [1], 2 * minute),
  job('Thumbnails', 'media', hourly, [], 6 * minute),
  { ...job('DNS zone transfer', 'infra dns', daily, [1], 3000), endsOn: 18 },
  job('Fraud model training', 'prod ml', daily, [0], 95 * minute),
];

/** Fills the server of `at`, whose clock moves on by `sceneMs`; returns the ids of what is shown by itself. */
export async function fillScene(
  at: OwnerBrowser,
): Promise<{ readonly check: string; readonly channel: string }> {
  const { knell, owner, project } = at;
  for (const [kind, name, value] of [
    ['email', 'On call', 'ops@example.org'],
    ['email', 'Team', 'team@example.org'],
    ['telegram', 'Operations chat', '{"id":1}'],
  ])
    await owner.post(`/web/in/${project}/channels`, { kind, name, value });
  const broken = {
    kind: 'webhook',
    name: 'Ticket system',
    fields: { url_down: 'http://127.0.0.1:9/tickets' },
  };
  await owner.post(`/web/in/${project}/channels`, broken);
  const uuids: string[] = [];
  for (const { name, tags, spec } of jobs)
    uuids.push((await knell.create({ name, tags, channels: '*', ...spec })).uuid);
  await weeks(at, uuids);
  const of = (name: string): string => uuids[jobs.findIndex((one) => one.name === name)] ?? '';
  await knell.api('POST', `/api/v3/checks/${of('Mailing list import')}/pause`);
  await knell.request(`/ping/${of('Fraud model training')}/start`);
  const desc =
    'Dumps every database of the cluster, then verifies the dump.\nRunbook: https://wiki.example.org/backup';
  await knell.api('POST', `/api/v3/checks/${of('Nightly database backup')}`, { desc });
  await knell.create({
    name: 'Quarterly report',
    tags: 'billing',
    schedule: 'Mon..Fri 18:00',
    tz: 'Europe/Berlin',
  });
  await knell.create({ name: 'Newsletter', tags: 'marketing', schedule: '0 9 * * 1', tz: 'Europe/Riga' });
  await peopleAndPages(at, of);
  const { read } = knell.app.engine;
  const [channel] = read.projects().flatMap(({ id }) => read.channels(id));
  return { check: of('Nightly database backup'), channel: channel?.id ?? '' };
}

async function weeks({ knell, clock }: OwnerBrowser, uuids: readonly string[]): Promise<void> {
  for (let n = 0; n < 22; n++) {
    for (let at = 0; at < 24; at++) {
      for (const [index, { hours, lastsMs, fails, endsOn = 99 }] of jobs.entries()) {
        if (n >= endsOn || !(hours.length === 0 ? n > 18 : hours.includes(at))) continue;
        const path = `/ping/${uuids[index]}`;
        await knell.request(`${path}/start`);
        await clock.advance(Math.min(lastsMs * (1 + ((n * 7 + index) % 5) / 10), 4 * minute));
        const hasFailed = fails.includes(n);
        await knell.request(hasFailed ? `${path}/3` : path, {
          method: 'POST',
          body: hasFailed
            ? 'could not connect to 10.0.4.17:5432: connection refused\n'
            : 'done: 1,204 rows\n',
        });
      }
      const nextMs = (Math.floor(clock.nowMs() / hour) + 1) * hour;
      await clock.advance(nextMs - clock.nowMs());
    }
  }
  await clock.advance(20 * minute);
}

async function peopleAndPages(
  { knell, owner, project }: OwnerBrowser,
  of: (name: string) => string,
): Promise<void> {
  for (const [name, role] of [
    ['grace', 'editor'],
    ['Linus B.', 'viewer'],
  ])
    await owner.post('/web/users', { name, role });
  await owner.post(`/web/in/${project}/rename`, { name: 'Northwind' });
  const service = (name: string, check: string): object => ({ name, checks: [of(check)] });
  await owner.post(`/web/in/${project}/status-pages`, {
    title: 'Northwind status',
    slug: 'northwind',
    description: 'Exports, backups and imports for customers',
    timeZone: 'Europe/Berlin',
    services: [
      service('Backups', 'Nightly database backup'),
      service('Invoices', 'Invoice export'),
      service('Payments', 'Payment reconciliation'),
      service('Stock levels', 'Warehouse sync'),
    ],
  });
  await owner.post(`/web/in/${project}/maintenance`, {
    ...{ name: 'Sundays', schedule: '0 2 * * 0', tz: 'Europe/Berlin', duration: '2h' },
    tags: 'db',
  });
  await owner.post(`/web/in/${project}/maintenance`, {
    ...{ name: 'Move of the warehouse', duration: '7d', checks: [of('Warehouse sync')] },
  });
  await knell.request(`/ping/${of('Payment reconciliation')}`);
}
