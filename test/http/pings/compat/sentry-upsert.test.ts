/** Check-ins of Sentry that change the settings of their check, where the owner lets them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { upsertsPerMinute } from '../../../../src/http/limits.ts';
import { withCompat } from '../../../../src/http/pings/compat/compat-mounts.ts';
import { createUpsert } from '../../../../src/http/pings/compat/sentry-upsert.ts';
import type { HttpRequest } from '../../../../src/http/wire/message.ts';
import { pingText } from '../../../../src/http/wire/replies.ts';
import { silentLogger } from '../../../../src/lib/logger.ts';
import { readCompatServices } from '../../../../src/lib/read-setting.ts';
import { type Answer, type Json, Knell } from '../../../support/knell.ts';

let knell: Knell;
let slugs = 0;
let slug: string;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'sentry-upserts' } });
});
afterAll(() => knell.stop());
beforeEach(() => {
  slug = `job-${++slugs}`;
});

const daily = { type: 'crontab', value: '30 3 * * *' };
const hourly = { type: 'crontab', value: '5 * * * *' };

function checkIn(config?: Json): Promise<Answer> {
  const payload = JSON.stringify({ monitor_slug: slug, status: 'ok', monitor_config: config });
  return knell.request('/api/42/envelope/', {
    method: 'POST',
    headers: { 'X-Sentry-Auth': `Sentry sentry_key=${knell.keys.ping}` },
    body: ['{}', JSON.stringify({ type: 'check_in' }), payload, ''].join('\n'),
  });
}

async function made(): Promise<Json> {
  return (await knell.api('GET', `/api/v3/checks/?slug=${slug}`)).json().checks[0];
}

describe('a check that exists', () => {
  test('is given what its check-in says, and keeps the rest', async () => {
    await knell.create({ slug, name: 'Of its owner', timeout: 3600, grace: 900, tags: 'own' });
    const answer = await checkIn({
      schedule: daily,
      timezone: 'Europe/Riga',
      max_runtime: 45,
      failure_issue_threshold: 3,
      recovery_threshold: 2,
    });
    expect(answer.status).toBe(202);
    expect(await made()).toMatchObject({
      ...{ schedule: '30 3 * * *', tz: 'Europe/Riga', max_runtime: 2700, alert_after: 3, recover_after: 2 },
      ...{ name: 'Of its owner', tags: 'own', grace: 900, n_pings: 1, status: 'up' },
    });
  });

  test('has the change of a ping in the audit log, once for what is said twice', async () => {
    await knell.create({ slug, timeout: 3600 });
    const everyTwoHours = { schedule: { type: 'interval', value: 2, unit: 'hour' } };
    for (const config of [everyTwoHours, everyTwoHours]) await checkIn(config);
    const check = await made();
    expect(check).toMatchObject({ timeout: 7200, n_pings: 2 });
    const changes = knell.app.engine.read
      .audit(null, 100)
      .filter(({ action, subjectId }) => action === 'changed' && subjectId === check.uuid);
    expect(changes.map(({ actor, fields }) => [actor.kind, fields])).toEqual([['ping', ['timeout']]]);
  });

  test(`is changed ${upsertsPerMinute} time a minute: jobs that disagree do not write at each check-in`, async () => {
    await checkIn({ schedule: daily });
    await checkIn({ schedule: hourly });
    expect(await made()).toMatchObject({ schedule: '5 * * * *' });
    await checkIn({ schedule: daily });
    expect(await made()).toMatchObject({ schedule: '5 * * * *', n_pings: 3 });
  });

  test('keeps its settings where they cannot be, and its ping counts', async () => {
    await checkIn({ schedule: daily });
    for (const config of [
      'x',
      { schedule: { type: 'crontab', value: 'x' } },
      { schedule: daily, timezone: 'Mars' },
    ])
      expect((await checkIn(config as Json)).status).toBe(202);
    expect(await made()).toMatchObject({ schedule: '30 3 * * *', tz: 'UTC', n_pings: 4 });
  });

  test('is left alone by a check-in that says nothing of it', async () => {
    await knell.create({ slug, timeout: 7200 });
    await checkIn();
    expect(await made()).toMatchObject({ timeout: 7200, n_pings: 1 });
  });
});

test('a fault while a check is changed costs no check-in its answer', async () => {
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (_: unknown, words?: string) => logged.push(words ?? '') };
  const broken = {
    read: {
      ...knell.app.engine.read,
      checkOfTarget: () => {
        throw new Error('a bug');
      },
    },
    changeBy: knell.app.engine.changeBy,
  };
  const target = { by: 'slug', pingKey: knell.keys.ping, slug, create: false } as const;
  await createUpsert(broken, logger)({ target, action: 'success' }, {} as HttpRequest);
  expect(logged).toEqual(['a check was not changed by its check-in']);
});

test('its owner has to name it: neither "sentry" nor "all" lets a ping key change a check', () => {
  expect(readCompatServices('sentry')).toEqual(['sentry']);
  expect(readCompatServices('all')).not.toContain('sentry-upserts');
  expect(readCompatServices('all, sentry-upserts')[0]).toBe('sentry-upserts');
  expect(() => readCompatServices('sentry-upsert')).toThrow('sentry-upserts');
});

test('a node of a cluster that does not lead passes these check-ins on as a whole', () => {
  const rules = { overBudget: pingText(429, 'later'), readsApiKey: false, guards: false };
  const mount = { prefix: '/api/', route: () => {}, bodyBytesMax: () => 0, ...rules };
  const takesPings = (...names: Parameters<typeof withCompat>[0]): boolean | undefined => {
    const [own] = withCompat(names, knell.app.engine, [mount], { bodyBytesMax: 1000, logger: silentLogger });
    return own?.takesPings?.({ path: '/api/42/envelope/' } as HttpRequest);
  };
  expect([takesPings('sentry'), takesPings('sentry-upserts', 'sentry')]).toEqual([true, false]);
});
