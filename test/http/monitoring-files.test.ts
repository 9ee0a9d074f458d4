/** The dashboard and the alert rules in `scripts/prometheus`: valid, and about metrics that exist. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { createNotifyMetrics } from '../../src/notify/dispatch/metrics.ts';
import { Knell } from '../support/knell.ts';
import { hasPromtool } from '../support/wire/prometheus.ts';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../scripts/prometheus/${name}`, import.meta.url));
const rulesFile = pathOf('knell.rules.yml');
const rules = readFileSync(rulesFile, 'utf8');
const dashboard = JSON.parse(readFileSync(pathOf('grafana-dashboard.json'), 'utf8'));
let known: ReadonlySet<string>;

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = dashboard.panels;

beforeAll(async () => {
  const knell = await Knell.start();
  // A series that appears with the first delivery.
  createNotifyMetrics(knell.app.meter).delivery('webhook', 'delivered');
  const own = knell.app.meter
    .collect()
    .flatMap(({ name, kind }) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    );
  const [project] = knell.app.engine.read.projects();
  const ofChecks = await knell.request(`/projects/${project?.id}/metrics/${knell.keys.readOnly}`);
  const theirs = [...ofChecks.text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  known = new Set([...own, ...theirs]);
  await knell.stop();
});

const unknownIn = (text: string): string[] =>
  (text.match(/\b(?:knell|hc|process)_[a-z_]+/g) ?? []).filter((name) => !known.has(name));

describe('the alert rules', () => {
  test('name only metrics that there are', () => {
    expect(rules.match(/^ +expr: /gm)?.length).toBeGreaterThan(5);
    expect(unknownIn(rules)).toEqual([]);
    expect(unknownIn('rate(knell_pings[5m])')).toEqual(['knell_pings']);
  });

  test.skipIf(!hasPromtool)('are accepted by promtool (skipped where it is not installed)', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rulesFile], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('SUCCESS');
  });
});

describe('the dashboard', () => {
  test('names only metrics that there are', () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(15);
    expect(unknownIn(JSON.stringify(dashboard))).toEqual([]);
  });

  test.skipIf(!hasPromtool)('has expressions that promtool reads (skipped where it is not installed)', () => {
    const directory = mkdtempSync(join(tmpdir(), 'knell-test-'));
    const file = join(directory, 'rules.yml');
    const recorded = panels.flatMap(({ id, targets = [] }) =>
      targets.map(({ expr }, at) => ({
        record: `panel:${id}:${at}`,
        expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
      })),
    );
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('shows every metric of Knell', () => {
    const text = JSON.stringify(dashboard);
    const families = [...known].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    // What the dashboard shows in another form.
    const others = ['process_resident_memory_bytes', 'process_max_fds', 'knell_journal_tail_records'];
    const missing = families.filter((name) => /^(?:knell|process)_/.test(name) && !text.includes(name));
    expect([...new Set(missing)].sort()).toEqual(others.sort());
  });

  test('has panels that do not overlap, each with an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
