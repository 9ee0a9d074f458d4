/** Knell's own metrics over real sockets: who gets them, in which format, and what the programs of Prometheus say of them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KnellError } from '../../../src/lib/errors.ts';
import { Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { complaintsAbout, hasPrometheus, hasPromtool, Prometheus } from '../../support/wire/prometheus.ts';

const key = 'sixteen-letters-at-least';
const bearer = { authorization: `Bearer ${key}` };
/** With the metrics on a listener of their own. */
let apart: Knell;
/** With the metrics beside everything else, for those who have the key. */
let keyed: Knell;

beforeAll(async () => {
  apart = await Knell.start({ env: { KNELL_METRICS: '127.0.0.1:0' } });
  keyed = await Knell.start({
    env: {
      KNELL_METRICS: `key:${key}`,
      KNELL_HTTP_COMPAT: '127.0.0.1:0',
      KNELL_BASE_URL: 'http://a.test/knell',
    },
  });
  const { uuid } = await apart.create();
  await apart.request(`/ping/${uuid}`);
});

afterAll(async () => {
  await apart.stop();
  await keyed.stop();
});

function metricsUrl(): string {
  return apart.app.metricsUrl ?? 'no listener';
}

describe('a listener of its own', () => {
  test('serves the metrics without a key, in the format that is asked for', async () => {
    const plain = await fetch(metricsUrl());
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(plain.headers.get('cache-control')).toContain('no-store');
    expect(await plain.text()).toContain('\nknell_pings_total{outcome="ok"} 1\n');
    const open = await fetch(metricsUrl(), { headers: { accept: 'application/openmetrics-text' } });
    expect(open.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    expect(await open.text()).toMatch(/# TYPE knell_pings counter\n[\s\S]*\n# EOF\n$/);
  });

  test('serves nothing else, and nothing is served elsewhere', async () => {
    expect((await fetch(new URL('/', metricsUrl()))).status).toBe(404);
    expect((await fetch(new URL('/api/v3/status/', metricsUrl()))).status).toBe(404);
    expect((await fetch(metricsUrl(), { method: 'POST' })).status).toBe(405);
    const head = await fetch(metricsUrl(), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await apart.request('/metrics')).status).toBe(404);
    expect((await apart.request('/metrics', { headers: bearer })).status).toBe(404);
  });

  test('is closed with Knell, open connections included', async () => {
    const knell = await Knell.start({ env: { KNELL_METRICS: '127.0.0.1:0' } });
    const { port } = new URL(knell.app.metricsUrl ?? '');
    const idle = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await knell.stop();
    await closed;
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  test('that cannot be opened is named before anything else is done', async () => {
    const { port } = new URL(metricsUrl());
    const start = Knell.start({ env: { KNELL_METRICS: `127.0.0.1:${port}` } });
    await expect(start).rejects.toThrow(KnellError);
    await expect(start).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is in use. Set KNELL_METRICS to another address, or \`off\` for none`,
    );
  });
});

describe('with a key', () => {
  test.each(['/metrics', '//metrics', '/knell/metrics'])('%s wants it', async (path) => {
    const without = await keyed.request(path);
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test.each([
    ['Bearer wrong', 403],
    [`Bearer ${key}x`, 403],
    [`Bearer ${key.slice(0, -1)}`, 403],
    [`Basic ${key}`, 401],
    ['Bearer', 401],
    [`bearer  ${key}`, 200],
  ])('Authorization: %s gets %i', async (authorization, status) => {
    expect((await keyed.request('/metrics', { headers: { authorization } })).status).toBe(status);
  });

  test('both HTTP listeners serve it, also below the path of the base URL', async () => {
    for (const path of ['/metrics', '/metrics?x=1', '/knell/metrics'])
      expect((await keyed.request(path, { headers: bearer })).text).toContain('knell_checks{status="new"}');
    const compat = await fetch(`${keyed.app.compatUrl}/metrics`, { headers: bearer });
    expect(await compat.text()).toContain('knell_checks{status="new"}');
  });

  test('only GET and HEAD are answered', async () => {
    expect((await keyed.request('/metrics', { method: 'POST', headers: bearer })).status).toBe(405);
    expect((await keyed.request('/metrics', { method: 'HEAD', headers: bearer })).text).toBe('');
  });

  test('no API key is one', async () => {
    const authorization = `Bearer ${keyed.keys.readWrite}`;
    expect((await keyed.request('/metrics', { headers: { authorization } })).status).toBe(403);
  });
});

describe.skipIf(!hasPromtool)('promtool (skipped where it is not installed)', () => {
  test('has nothing to complain about', async () => {
    expect(complaintsAbout(await (await fetch(metricsUrl())).text())).toEqual([]);
  });

  test('would complain', () => {
    expect(complaintsAbout('# TYPE a_count gauge\na_count 1\n')).not.toEqual([]);
  });
});

// Its own intervals take seconds: in `npm run test:long`.
describe.runIf(isLong && hasPrometheus)('a Prometheus (skipped where it is not installed)', () => {
  test('scrapes both, with and without a key', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'knell-test-'));
    const prometheus = await Prometheus.start(directory, {
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [
        { job_name: 'apart', static_configs: [{ targets: [new URL(metricsUrl()).host] }] },
        {
          job_name: 'keyed',
          authorization: { credentials: key },
          static_configs: [{ targets: [new URL(keyed.app.httpUrl).host] }],
        },
      ],
    });
    try {
      const sampleOf = async (expression: string) => (await prometheus.query(expression)).get('{}');
      await expect.poll(() => sampleOf('sum(up)')).toBe(2);
      expect(await sampleOf('sum(knell_pings_total{job="apart",outcome="ok"})')).toBe(1);
      expect(await sampleOf('sum(knell_checks{job="keyed"})')).toBe(0);
      const commits =
        'histogram_quantile(0.5, sum by (le) (knell_journal_commit_seconds_bucket{job="apart"}))';
      expect(await sampleOf(commits)).toBeGreaterThan(0);
    } finally {
      await prometheus.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
