/** What a running Knell measures of itself, after real requests. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Labels, Metric } from '../../src/lib/meter.ts';
import { commit } from '../../src/lib/version.ts';
import { dataFormat } from '../../src/store/disk/formats.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
let knell: Knell;
let clock: SimulatedClock;

beforeAll(async () => {
  clock = new SimulatedClock(startMs);
  knell = await Knell.start({ clock });
});

afterAll(() => knell.stop());

function metric(name: string): Metric {
  const found = knell.app.meter.collect().find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not measured`);
  return found;
}

/** The value of one series of a counter or a gauge. */
function metricValue(name: string, labels: Labels = {}): number {
  const found = metric(name);
  if (found.kind === 'histogram') throw new Error(`${name} is a histogram`);
  const series = found.series.find((one) => JSON.stringify(one.labels) === JSON.stringify(labels));
  if (!series) throw new Error(`${name} has no series ${JSON.stringify(labels)}`);
  return series.value;
}

/** Of the one series of a histogram: how many values, and their sum. */
function totalsOf(name: string): { readonly count: number; readonly sum: number } {
  const found = metric(name);
  const [series] = found.kind === 'histogram' ? found.series : [];
  if (!series) throw new Error(`${name} is no histogram`);
  return series;
}

describe('the meter', () => {
  test('names version, commit, Node.js and data format, as the command line does', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const { series } = metric('knell_build_info');
    expect(series).toEqual([{ labels: expect.anything(), value: 1 }]);
    expect(series[0]?.labels).toEqual({
      version,
      commit: commit(),
      node_version: process.versions.node,
      data_format: String(dataFormat),
    });
  });

  test('counts pings by their outcome', async () => {
    const { uuid } = await knell.create();
    const before = metricValue('knell_pings_total', { outcome: 'ok' });
    for (const suffix of ['', '/start', '/fail']) await knell.request(`/ping/${uuid}${suffix}`);
    await knell.request('/ping/8f7a3a4e-0000-4000-8000-000000000000');
    await knell.request(`/ping/${uuid}/999`);
    await knell.request(`/ping/${knell.keys.ping}/new-one?create=1`);
    expect(metricValue('knell_pings_total', { outcome: 'ok' })).toBe(before + 3);
    expect(metricValue('knell_pings_total', { outcome: 'not-found' })).toBe(1);
    expect(metricValue('knell_pings_total', { outcome: 'bad-exit-status' })).toBe(1);
    expect(metricValue('knell_pings_total', { outcome: 'created' })).toBe(1);
    expect(metricValue('knell_pings_total', { outcome: 'store-full' })).toBe(0);
  });

  test('measures commits, and what they wrote', async () => {
    const { uuid } = await knell.create();
    const [commits, records] = [
      totalsOf('knell_journal_commit_seconds'),
      totalsOf('knell_journal_batch_records'),
    ];
    for (let ping = 0; ping < 5; ping++) await knell.request(`/ping/${uuid}`);
    // One after the other, so that each is a batch of its own; an alive mark may have come with them.
    expect(totalsOf('knell_journal_commit_seconds').count).toBeGreaterThanOrEqual(commits.count + 5);
    expect(totalsOf('knell_journal_commit_seconds').sum).toBeGreaterThan(commits.sum);
    expect(totalsOf('knell_journal_batch_records').sum).toBeGreaterThanOrEqual(records.sum + 5);
    expect(metricValue('knell_journal_tail_records')).toBeGreaterThan(0);
    expect(metricValue('knell_journal_tail_bytes')).toBeGreaterThan(
      metricValue('knell_journal_tail_records'),
    );
    expect(metricValue('knell_fold_lag_batches')).toBeGreaterThan(0);
    expect(metricValue('knell_journal_disk_full_total')).toBe(0);
  });

  test('measures how late a deadline is noticed', async () => {
    const { uuid } = await knell.create({ timeout: 60, grace: 60 });
    await knell.request(`/ping/${uuid}`);
    const before = totalsOf('knell_deadline_lateness_seconds');
    await clock.advance(200_000);
    const after = totalsOf('knell_deadline_lateness_seconds');
    expect((await knell.check(uuid)).status).toBe('down');
    // Late, then down; checks of other tests have a day.
    expect(after.count - before.count).toBe(2);
    expect(after.sum - before.sum).toBeLessThan(1);
  });

  test('keeps the number of checks by status, through changes, deletions and a restart', async () => {
    const count = (status: string): number => metricValue('knell_checks', { status });
    const counts = () => ['new', 'up', 'grace', 'down', 'paused'].map(count);
    const before = counts();
    const difference = () => counts().map((value, at) => value - (before[at] ?? 0));
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.push((await knell.create()).uuid);
    const [up, down, paused, gone] = ids;
    await knell.request(`/ping/${up}`);
    await knell.request(`/ping/${down}/fail`);
    await knell.request(`/ping/${gone}`);
    await knell.api('POST', `/api/v3/checks/${paused}/pause`, {});
    expect(difference()).toEqual([1, 2, 0, 1, 1]);
    await knell.api('DELETE', `/api/v3/checks/${gone}`);
    expect(difference()).toEqual([1, 1, 0, 1, 1]);
    await knell.restart();
    expect(difference()).toEqual([1, 1, 0, 1, 1]);
  });

  test('counts deliveries by kind and outcome, and what the outbox holds', async () => {
    const [project] = knell.app.engine.read.projects();
    if (!project) throw new Error('there is no project');
    const value = JSON.stringify({ url_down: 'http://127.0.0.1:1/', method_down: 'GET' });
    const settings = { kind: 'webhook', name: 'refused', value } as const;
    const channel = await knell.app.engine.change.createChannel(project.id, settings, startMs);
    const { uuid } = await knell.create({ channels: channel.id });
    await knell.request(`/ping/${uuid}/fail`);
    await expect
      .poll(() => {
        const found = knell.app.meter.collect().find(({ name }) => name === 'knell_deliveries_total');
        return found?.series.map((series) => series.labels);
      })
      .toEqual([{ kind: 'webhook', outcome: expect.stringMatching(/^(?:failed|dead)$/) }]);
    const held = ['waiting', 'dead', 'superseded'].map((state) =>
      metricValue('knell_outbox_deliveries', { state }),
    );
    expect(held.reduce((sum, one) => sum + one, 0)).toBe(1);
    knell.app.notify.admin.drop('all');
    expect(metricValue('knell_outbox_deliveries', { state: 'waiting' })).toBe(0);
    expect(metricValue('knell_outbox_deliveries', { state: 'dead' })).toBe(0);
  });

  test('measures the process', () => {
    expect(metricValue('knell_process_memory_bytes', { type: 'resident' })).toBeGreaterThan(20_000_000);
    expect(metricValue('knell_process_memory_bytes', { type: 'heap' })).toBeGreaterThan(1_000_000);
    expect(metricValue('process_cpu_seconds_total')).toBeGreaterThan(0.1);
    expect(metricValue('process_resident_memory_bytes')).toBeGreaterThan(20_000_000);
    // Of this test's own process.
    expect(metricValue('process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1000);
    expect(metricValue('knell_event_loop_delay_seconds', { statistic: 'max' })).toBeGreaterThanOrEqual(0);
  });
});
