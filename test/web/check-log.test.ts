/** The log of a check on its page, in a real browser. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

const day = 86_400_000;

describe.skipIf(browserMissing !== '')('the log of a check', () => {
  const scene = NightlyBackup.forFile();

  test('has a log that filters, jumps to a date, and has a link to each entry', async () => {
    await scene.open();
    await scene.inLog('Failed').click();
    await expect.poll(() => scene.kinds()).toEqual(['run', 'run']);
    await scene.inLog('Status').click();
    await expect.poll(() => scene.kinds()).toEqual(['change', 'change', 'change', 'change']);
    await scene.inLog('All').click();
    await expect.poll(() => scene.kinds()).toContain('fold');
    const eighth = new Date(scene.at.clock.nowMs() - 8 * day);
    const two = (value: number): string => String(value).padStart(2, '0');
    await scene.at.page
      .getByLabel('Jump to a date')
      .fill(`${eighth.getFullYear()}-${two(eighth.getMonth() + 1)}-${two(eighth.getDate())}`);
    await scene.button('Back to the newest').waitFor();
    await expect.poll(() => scene.lines().count()).toBeLessThan(5);
    await scene.button('Back to the newest').click();
    await expect.poll(() => scene.kinds()).toContain('fold');
    // By itself the address of the machine may be taken for one that was blocked.
    await expect
      .poll(() => scene.at.page.locator('#run-8 .said').textContent())
      .toMatch(/exit status 3 · from [\da-f.:]+/);
    const link = scene.at.page.locator('#run-8 a.at');
    const address = await link.evaluate((node: Json) => node.href);
    expect(address).toMatch(/\?at=\d+#run-8$/);
    await scene.at.page.goto('about:blank');
    await scene.at.page.goto(address);
    await scene.at.page.locator('#run-8 .body pre').getByText('step 4: no space left').waitFor();
    expect(await scene.at.findings()).toEqual([]);
  });

  test('has the line that a search has found in its row, and at it once that is open', async () => {
    await scene.open();
    const lines = Array.from({ length: 40 }, (_, n) =>
      n === 15 ? 'ERROR: Needle <b>lost</b>' : `step ${n + 1}`,
    );
    await scene.ping(scene.busy, '/fail', lines.join('\n'));
    await scene.at.open(`checks/${scene.busy.uuid}`);
    await scene.at.page.getByRole('searchbox', { name: 'Search output' }).fill('needle');
    const hit = scene.lines().locator('.hit');
    await expect.poll(() => hit.allTextContents()).toEqual(['16 ERROR: Needle <b>lost</b>']);
    await expect.poll(() => hit.locator('mark').allTextContents()).toEqual(['Needle']);
    await hit.click();
    await expect
      .poll(() => scene.at.page.locator('#log .found-line').allTextContents())
      .toEqual([expect.stringContaining('ERROR: Needle')]);
    expect(await scene.at.findings('.log-card')).toEqual([]);
  });

  test('says of an output that was too long how much of it is stored, and where the rest was', async () => {
    await scene.open();
    const body = Array.from({ length: 5000 }, (_, n) => `line ${n}: ${'x'.repeat(38)}`).join('\n');
    await scene.ping(scene.busy, '/fail', body);
    await scene.at.open(`checks/${scene.busy.uuid}`);
    await scene.at.page
      .locator('.last-output')
      .getByText(/lines and 1\d\d kB left out/)
      .waitFor();
    await scene.at.page.getByRole('button', { name: 'Show all' }).click();
    await scene.at.page
      .locator('#log .body')
      .getByText(/100 kB of 2\d\d kB: the middle was not stored/)
      .waitFor();
    await expect
      .poll(() => scene.at.page.locator('#log .not-stored').textContent())
      .toMatch(/bytes left out/);
  });

  test('keeps filter, search and date in its address, through a reload and the way back', async () => {
    await scene.open();
    const search = scene.at.page.getByRole('searchbox', { name: 'Search output' });
    await scene.inLog('Runs').click();
    await search.fill('copied 9');
    await expect.poll(() => scene.kinds()).toEqual(['run']);
    await expect.poll(() => new URL(scene.at.page.url()).search).toBe('?log=runs&find=copied+9');
    await scene.at.page.reload();
    await expect.poll(() => scene.kinds()).toEqual(['run']);
    await expect.poll(() => search.inputValue()).toBe('copied 9');
    await scene.at.page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
    await scene.at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await scene.at.page.goBack();
    await expect.poll(() => scene.kinds()).toEqual(['run']);
    await search.fill('');
    await scene.inLog('All').click();
    await expect.poll(() => new URL(scene.at.page.url()).search).toBe('');
    const date = new Date(scene.at.clock.nowMs() - 8 * day).toISOString().slice(0, 10);
    await scene.at.page.getByLabel('Jump to a date').fill(date);
    await expect.poll(() => new URL(scene.at.page.url()).search).toBe(`?until=${date}`);
    await scene.at.page.reload();
    await scene.button('Back to the newest').click();
    await expect.poll(() => new URL(scene.at.page.url()).search).toBe('');
  });

  test('searches within the filter and says so, with a way to the output of all runs', async () => {
    await scene.open();
    const search = scene.at.page.getByRole('searchbox', { name: 'Search output' });
    await scene.inLog('Failed').click();
    await search.fill('copied 9');
    const empty = scene.at.page.locator('.empty-log');
    await empty.getByText('No output of a failed run that is still stored contains this.').waitFor();
    expect(await scene.at.findings('.log-card')).toEqual([]);
    await scene.button('Search all runs').click();
    await expect.poll(() => scene.kinds()).toEqual(['run']);
    expect(await search.evaluate((node: Json) => node === node.ownerDocument.activeElement)).toBe(true);
    await search.fill('no such words');
    await empty.getByText('No output that is still stored contains this.').waitFor();
    await expect.poll(() => scene.button('Search all runs').count()).toBe(0);
    await scene.inLog('Status').click();
    await empty.getByText('Only runs have output: there is none in “Status”.').waitFor();
    await scene.button('Search all runs').click();
    await scene.inLog('Acknowledged, snoozed, maintenance').click();
    await search.fill('');
    await empty.getByText('Nothing acknowledged or snoozed, and no maintenance.').waitFor();
  });

  scene.endsWithoutComplaints();
});
