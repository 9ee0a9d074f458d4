/** The lines of a crontab that get a check but no ping, in a real browser: known before, and not to be overlooked after. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('lines of a crontab without a ping', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const row = (line: number) => at.page.getByLabel(`Name of line ${line}`);
  const warned = () => at.page.locator('.crontab-jobs').getByText('No ping can be added to this line.');
  const create = (name: string) => at.page.getByRole('button', { name, exact: true }).click();
  /** The same address again would be as if it were loaded again. */
  const openAnew = async (): Promise<void> => {
    await at.open('checks');
    await at.open('new/crontab');
  };
  const said = () => at.page.locator('.crontab-lines > p').first();

  test('are flagged before anything is created, and said above the crontab', async () => {
    await at.open('new/crontab');
    const long = `/opt/${'x'.repeat(850)}.sh`;
    await at.page
      .getByLabel('Paste a crontab')
      .fill(`0 1 * * * /opt/a.sh # nightly\n0 2 * * * /opt/b.sh &\n0 3 * * * ${long}`);
    await row(3).waitFor();
    await expect
      .poll(() => warned().allTextContents())
      .toEqual([
        'No ping can be added to this line. The job runs in the background: let the program itself ping. ',
        'No ping can be added to this line. Cron reads 999 characters of a command: call curl in a script. ',
      ]);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByLabel(/^Create x+, line 3/).uncheck();
    await expect.poll(() => warned().count()).toBe(1);
    await create('Create 2 checks');
    await expect
      .poll(() => said().textContent())
      .toContain('ends, but line 2, which has a check and does not ping yet: see below. Put it in');
    const lines = ((await at.page.locator('.crontab-lines pre').textContent()) ?? '').split('\n');
    expect(lines[0]).toMatch(/^0 1 \* \* \* curl .*\/start; \/opt\/a\.sh; curl .*\/\$\? # nightly$/);
    expect(lines[1]).toBe('0 2 * * * /opt/b.sh &');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('are counted where they are several, and not mentioned where there is none', async () => {
    await openAnew();
    await at.page.getByLabel('Paste a crontab').fill('0 2 * * * /opt/c.sh &\n0 3 * * * /opt/d.sh &');
    await row(2).waitFor();
    await create('Create 2 checks');
    await expect
      .poll(() => said().textContent())
      .toContain('ends, but 2 lines, which have a check and do not ping yet: see below.');
    await openAnew();
    await at.page.getByLabel('Paste a crontab').fill('0 2 * * * /opt/e.sh');
    await row(1).waitFor();
    await expect.poll(() => warned().count()).toBe(0);
    await create('Create 1 check');
    await expect.poll(() => said().textContent()).toContain('how it ends. Put it');
    expect(at.complaints).toEqual([]);
  });
});
