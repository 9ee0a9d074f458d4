/** The page of a check that has not run yet, in a real browser: what is set of it that keeps alerts back or ends a run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page of a check without runs', () => {
  let at: OwnerBrowser;
  let backup = '';
  let disk = '';

  beforeAll(async () => {
    const startMs = Date.UTC(2026, 2, 11, 12);
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'UTC' });
    await at.knell.create({ name: 'Vacuum orders', slug: 'vacuum' });
    ({ uuid: disk } = await at.knell.create({ name: 'Disk', slug: '' }));
    ({ uuid: backup } = await at.knell.create({
      ...{ name: 'Backup', slug: 'backup', timeout: 86_400, max_runtime: 3 * 3600 },
      depends_on: `vacuum ${disk} tag:core`,
    }));
    await at.clock.advance(10 * minute);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open(`checks/${backup}`);
    await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
  }, 60_000);
  afterAll(() => at?.stop());

  test('says how long a run may take, and what it depends on, by name', async () => {
    const card = (title: string) =>
      at.page.locator('.check-side .card', { has: at.page.getByRole('heading', { name: title }) });
    await card('Schedule')
      .getByText(/^A run may take 3.h$/)
      .waitFor();
    const words = () => card('Notifications').locator('.depends-line').textContent();
    await expect.poll(words).toBe('No alert while Vacuum orders, Disk or a check with the tag core is down');
    expect(await at.findings()).toEqual([]);
  });

  test('says of a slug that no check has that it has none', async () => {
    const { uuid } = await at.knell.create({ name: 'Orphan', depends_on: 'nosuch' });
    const back = at.page.url();
    await at.open(`checks/${uuid}`);
    await at.page
      .getByText('No alert while “nosuch” (no check has this slug yet) is down', { exact: true })
      .waitFor();
    await at.page.goto(back);
  });

  test('says below the line of a crontab whose clock it goes by, where it names a time of day', async () => {
    const note = at.page.locator('.ping-card .cron-zone');
    const shows = async (spec: Record<string, unknown>): Promise<void> => {
      const { uuid } = await at.knell.create(spec);
      await at.open(`checks/${uuid}`);
      await at.page.getByRole('heading', { level: 1, name: String(spec.name) }).waitFor();
      await at.page.locator('.ping-card pre', { hasText: '/start' }).waitFor();
    };
    await shows({ name: 'Nightly', schedule: '*-*-* 02:30:00', tz: 'America/New_York' });
    await at.page.locator('.tabs').getByRole('button', { name: 'crontab' }).click();
    await expect
      .poll(() => note.textContent())
      .toBe(
        'Cron goes by the machine’s clock; this schedule is in America/New_York. With cronie, CRON_TZ=America/New_York above the line sets it.',
      );
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('button', { name: 'curl', exact: true }).click();
    await expect.poll(() => note.count()).toBe(0);
    await shows({ name: 'In UTC', schedule: '15 3 * * *', tz: 'UTC' });
    await expect.poll(() => note.textContent()).toContain('in UTC');
    for (const spec of [
      { name: 'Often', schedule: '*/5 * * * *', tz: 'America/New_York' },
      { name: 'Daily', timeout: 86_400 },
    ]) {
      await shows(spec);
      await expect.poll(() => note.count()).toBe(0);
    }
  });

  test('is cloned without a slug where it has none', async () => {
    const slugOf = async (id: string): Promise<string> => {
      await at.open(`new/${id}`);
      await at.page.getByRole('heading', { level: 1, name: /^Clone/ }).waitFor();
      return at.page.locator('input[name=slug]').inputValue();
    };
    expect(await slugOf(disk)).toBe('');
    expect(await slugOf(backup)).toBe('backup-copy');
  });

  test('says that no run has come, and has nothing that looks like one', async () => {
    await at.open(`checks/${backup}`);
    await at.page.locator('.runs-card', { hasText: 'No run has come yet.' }).waitFor();
    const widths = () =>
      at.page.locator('.strip').evaluate((strip) => {
        const of = (one: { getBoundingClientRect(): { width: number } } | null): number =>
          one?.getBoundingClientRect().width ?? 0;
        return of(strip.querySelector('.nothing')) / of(strip);
      });
    await expect.poll(widths).toBeGreaterThan(0.98);
  });
});
