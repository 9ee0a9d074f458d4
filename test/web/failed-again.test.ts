/** A check that fails again while it is down, in a real browser: the output is that of the last run, and says so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogEntry, RunEntry } from '../../src/domain/views/log-view.ts';
import { failedAgainWords, outputTitle, shownFailure } from '../../src/web/log/failed-runs.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const from = { scheme: 'http', method: 'POST', remoteAddr: '', ua: '', byHand: '' } as const;
const run = (n: number, of: Partial<RunEntry> = {}): RunEntry => ({
  ...{
    what: 'run',
    id: `run-${n}`,
    atMs: n * 1000,
    endedMs: n * 1000,
    n,
    outcome: 'failed',
    durationMs: null,
  },
  ...{ exitStatus: n, host: '', note: null, figures: [], about: '', results: [], rid: null, from },
  ...{ bodies: [{ n, bytes: 9 }], ...of },
});
const titleOf = (entries: readonly LogEntry[]): string => {
  const shown = shownFailure(7000, entries);
  return shown === null ? '' : outputTitle(shown, 7000, entries, 13_000);
};

test('an output is headed by its run once there are several', () => {
  expect(titleOf([run(7)])).toBe('Output');
  expect(titleOf([run(9), run(7), run(5)])).toBe('Output of the last failed run, 4 s ago: exit status 9');
  expect(titleOf([run(9, { exitStatus: null }), run(7)])).toBe('Output of the last failed run, 4 s ago');
  expect(titleOf([run(9, { bodies: [] }), run(7)])).toBe('Output of the run that took it down');
  expect(titleOf([run(9, { bodies: [] }), run(8), run(7)])).toBe(
    'Output of a failed run 5 s ago: exit status 8',
  );
  expect(titleOf([run(9, { after: 'hung' }), run(7)])).toBe('Output');
});

test('the reason is followed by how it failed since', () => {
  const down = { status: 'down', cause: 'fail', sinceMs: 7000 } as const;
  expect(failedAgainWords(down, [run(7), run(5)])).toBe('');
  expect(failedAgainWords(down, [run(9), run(7)])).toBe('failed again since: exit status 9');
  expect(failedAgainWords({ ...down, cause: 'timeout' }, [run(9)])).toBe('failed since: exit status 9');
  expect(failedAgainWords({ ...down, status: 'up' }, [run(9), run(7)])).toBe('');
});

describe.skipIf(browserMissing !== '')('a check that fails again', () => {
  let at: OwnerBrowser;
  let check: Json;
  const ping = (rest: string, body = '') =>
    at.knell.request(`/ping/${check.uuid}${rest}`, { method: 'POST', body });

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    check = await at.knell.create({ name: 'backup', channels: '' });
    await ping('', 'copied 9 of 9');
    await ping('/7', 'fatal: disk full');
    await at.clock.advance(60_000);
  });
  afterAll(() => at?.stop());

  const output = () => at.page.locator('.last-output');
  const shows = async (title: RegExp | string, line: string): Promise<void> => {
    await output().getByText(title).waitFor();
    await output().locator('pre').getByText(line).waitFor();
  };
  const again = /^Output of the last failed run, .+ ago: exit status 9$/;

  test('has the output of that run, while one looks, and the reason of the outage', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open(`checks/${check.uuid}`);
    await shows('Output', 'fatal: disk full');
    const top = async () => (await at.page.locator('.now .actions-bar').boundingBox())?.y;
    const before = await top();
    await ping('/9', 'fatal: no route');
    await shows(again, 'fatal: no route');
    await at.page.locator('.now .strip-line').getByText('Failed again since: exit status 9').waitFor();
    // On a phone the buttons stay.
    expect(await top()).toBe(before);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await expect
      .poll(() => at.page.locator('.now .why').textContent())
      .toMatch(/^Exit status 7 · failed again since: exit status 9 · down since /);
    expect(await at.findings('.now')).toEqual([]);
    await output().getByRole('button', { name: 'Compare' }).click();
    // The address has the good one by its number once that is known.
    await expect.poll(() => at.page.url()).toMatch(/compare=(?:good|1)-3$/);
  });

  test('has it on the page of the incident, too', async () => {
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/')).json();
    await at.open(`incidents/${incidents[0].id}`);
    await shows(again, 'fatal: no route');
    await at.page.locator('.incident-checks .why').getByText('Exit status 7 · failed again since').waitFor();
    await at.clock.advance(1000);
    await ping('/11', 'fatal: no host');
    await shows(/exit status 11$/, 'fatal: no host');
    await expect
      .poll(() => output().getByRole('link', { name: 'Compare' }).getAttribute('href'))
      .toContain('compare=good-4');
  });
});
