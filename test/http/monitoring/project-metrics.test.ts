/** The checks of a project as metrics, in the form of Healthchecks, over real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import { asCheckId, asProjectId, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { countTurns } from '../../support/count-turns.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Answer, type Json, Knell } from '../../support/knell.ts';
import { complaintsAbout, hasPromtool } from '../../support/wire/prometheus.ts';

const hostile = 'Line 1\nLine "2" \\ {}, é 💥';
let knell: Knell;
let clock: SimulatedClock;
let project: string;
let checks: readonly Json[];

beforeAll(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 4, 4, 4));
  knell = await Knell.start({ clock });
  project = knell.app.engine.read.projects()[0]?.id ?? '';
  checks = await Promise.all([
    knell.create({ name: hostile, tags: 'a\\c "q"' }),
    knell.create({ name: 'late', tags: 'prod db', timeout: 3600, grace: 86_400 }),
    knell.create({ name: 'failed', tags: 'prod web' }),
    knell.create({ name: 'running', tags: 'web2' }),
    knell.create({ name: 'paused' }),
  ]);
  const [, late, failed, running, paused] = checks;
  await knell.request(`/ping/${late.uuid}`);
  await knell.request(`/ping/${failed.uuid}/fail`);
  await clock.advance(4_000_000);
  await knell.request(`/ping/${running.uuid}/start`);
  await knell.api('POST', `/api/v3/checks/${paused.uuid}/pause`, {});
});

afterAll(() => knell.stop());

function scrape(key = knell.keys.readOnly, id = project): Promise<Answer> {
  return knell.request(`/projects/${id}/metrics/${key}`);
}

function bearer(authorization: string, path = `/projects/${project}/metrics/`): Promise<Answer> {
  return knell.request(path, { headers: { authorization } });
}

describe('the gauges of Healthchecks', () => {
  test('are there with its names, labels and order', async () => {
    const labels = (name: string, tags: string, at: number): string =>
      `{name="${name}", tags="${tags}", unique_key="${uniqueKeyOf(asCheckId(checks[at].uuid))}"}`;
    const all = [
      labels('Line 1\\nLine \\"2\\" \\\\ {}, é 💥', 'a\\\\c \\"q\\"', 0),
      labels('late', 'prod db', 1),
      labels('failed', 'prod web', 2),
      labels('running', 'web2', 3),
      labels('paused', '', 4),
    ];
    const gauge = (name: string, values: readonly number[]): string[] => [
      `# TYPE ${name} gauge`,
      ...values.map((value, at) => `${name}${all[at]} ${value}`),
    ];
    const outcome = (at: number, value: string): string =>
      `knell_check_last_run_outcome${all[at]?.slice(0, -1)}, outcome="${value}"} 1`;
    const { text } = await scrape();
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'))).toEqual([
      ...gauge('hc_check_up', [1, 1, 0, 1, 1]),
      ...gauge('hc_check_started', [0, 0, 0, 1, 0]),
      ...gauge('hc_check_grace', [0, 1, 0, 0, 0]),
      ...gauge('hc_check_paused', [0, 0, 0, 0, 1]),
      '# TYPE hc_tag_up gauge',
      'hc_tag_up{tag="\\"q\\""} 1',
      'hc_tag_up{tag="a\\\\c"} 1',
      'hc_tag_up{tag="db"} 1',
      'hc_tag_up{tag="prod"} 0',
      'hc_tag_up{tag="web"} 0',
      'hc_tag_up{tag="web2"} 1',
      '# TYPE hc_checks_total gauge',
      'hc_checks_total 5',
      '# TYPE hc_checks_down_total gauge',
      'hc_checks_down_total 1',
      '# TYPE knell_incidents_open gauge',
      'knell_incidents_open 1',
      '# TYPE knell_check_last_run_duration_seconds gauge',
      '# TYPE knell_check_last_run_outcome gauge',
      outcome(1, 'success'),
      outcome(2, 'failure'),
    ]);
  });

  test('are the same under each of its addresses, and never cached', async () => {
    const { text, headers } = await scrape();
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toContain('no-store');
    expect((await knell.request(`/projects/${project}/checks/metrics/${knell.keys.readOnly}`)).text).toBe(
      text,
    );
    expect((await bearer(`Bearer ${knell.keys.readOnly}`)).text).toBe(text);
  });

  test.skipIf(!hasPromtool)(
    'are read by promtool, which dislikes only names that Healthchecks chose (skipped where it is not installed)',
    async () => {
      const complaints = complaintsAbout((await scrape()).text);
      expect(complaints.filter((line) => !/^hc_checks(?:_down)?_total non-counter/.test(line))).toEqual([]);
    },
  );
});

describe('who may', () => {
  test.each([
    ['the read-write key', () => scrape(knell.keys.readWrite), 403],
    ['an unknown key', () => scrape('X'.repeat(32)), 403],
    ['a key of another length', () => scrape(`${knell.keys.readOnly}R`), 400],
    ['the ping key', () => scrape(knell.keys.ping), 400],
    ['no key', () => scrape(''), 401],
    ['no bearer token', () => bearer(`Basic ${knell.keys.readOnly}`), 401],
    ['a wrong bearer token', () => bearer(`Bearer B${'R'.repeat(31)}`), 403],
    ['the id of no project', () => scrape(undefined, '8f7a3a4e-0000-4000-8000-000000000000'), 403],
  ] as const)('%s is refused', async (_what, ask, status) => {
    const answer = await ask();
    expect([answer.status, answer.text.includes('hc_')]).toEqual([status, false]);
  });

  test('a key of another project is refused', async () => {
    const { readOnly, project: other } = await knell.app.engine.change.createProject('other', 'paid', 0);
    expect((await scrape(readOnly.clear)).status).toBe(403);
    expect((await scrape(readOnly.clear, other.id)).text).toContain('hc_checks_total 0');
  });

  test('a revoked key is refused', async () => {
    const { change } = knell.app.engine;
    const { key, clear } = await change.createKey({ projectId: asProjectId(project), scope: 'read-only' }, 0);
    expect((await scrape(clear)).status).toBe(200);
    await change.revokeKey(key.id);
    expect((await scrape(clear)).status).toBe(403);
  });

  test('only by GET and HEAD', async () => {
    const path = `/projects/${project}/metrics/${knell.keys.readOnly}`;
    expect((await knell.request(path, { method: 'POST' })).status).toBe(405);
    const head = await knell.request(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

test('the last run of a check has its duration and its outcome, also one that no ping ended', async () => {
  const { change } = knell.app.engine;
  const { project: other, readOnly } = await change.createProject('runs', 'paid', 0);
  const add = async (name: string, fields: Partial<typeof defaultConfig>) =>
    (await change.createCheck(other.id, { ...defaultConfig, name, ...fields }, clock.nowMs())).id;
  const ended = await add('ended', { exitCodes: '24=warning' });
  const hung = await add('hung', { maxRuntimeS: 60, timeoutS: 86_400 });
  const missed = await add('missed', { timeoutS: 60, graceS: 60 });
  await add('new', {});
  await knell.request(`/ping/${hung}`);
  await knell.request(`/ping/${hung}/start`);
  await knell.request(`/ping/${missed}`);
  await clock.advance(200_000);
  await knell.request(`/ping/${ended}/start`);
  await clock.advance(1500);
  await knell.request(`/ping/${ended}/24`);
  await knell.request(`/ping/${ended}/start`);
  const { text } = await scrape(readOnly.clear, other.id);
  const lines = text.split('\n').filter((line) => line.startsWith('knell_'));
  expect(lines.map((line) => line.replace(/tags="", unique_key="\w+"/, '…'))).toEqual([
    'knell_incidents_open 2',
    'knell_check_last_run_duration_seconds{name="ended", …} 1.5',
    'knell_check_last_run_outcome{name="ended", …, outcome="warning"} 1',
    'knell_check_last_run_outcome{name="hung", …, outcome="hung"} 1',
    'knell_check_last_run_outcome{name="missed", …, outcome="missed"} 1',
  ]);
});

test('ten thousand checks with as many tags come sorted, in slices', async () => {
  const { change } = knell.app.engine;
  const { project: large, readOnly } = await change.createProject('large', 'paid', 0);
  const created = Array.from({ length: 10_000 }, (_, at) =>
    change.createCheck(
      large.id,
      { ...defaultConfig, name: `check ${at}`, tags: `t${at} all` },
      clock.nowMs(),
    ),
  );
  await Promise.all(created);
  const turns = countTurns();
  const { text } = await scrape(readOnly.clear, large.id);
  const taken = turns.stop();
  const tags = [...text.matchAll(/^hc_tag_up\{tag="(.*)"\} 1$/gm)].map(([, tag]) => tag);
  expect(tags).toHaveLength(10_001);
  expect(tags).toEqual([...tags].sort());
  expect(text).toContain('\nhc_checks_total 10000\n');
  expect(text.match(/^hc_check_paused\{/gm)).toHaveLength(10_000);
  // Whatever a slice takes, there are at least so many of them.
  expect(taken).toBeGreaterThan(10_000 / 300);
});
