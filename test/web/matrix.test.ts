/** Who gets notified about what, with ten thousand checks and thirty integrations: only what is in sight exists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the matrix of checks and integrations', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { engine } = at.knell.app;
    const [project] = engine.read.projects();
    if (!project) throw new Error('the first start makes a project');
    for (let n = 0; n < 30; n++) {
      const value = JSON.stringify({ url_down: `https://example.org/${n}` });
      const args = { project: 'default', kind: 'webhook', name: `hook ${n}`, value };
      await at.knell.app.admin({ command: 'channel create', args }, () => {});
    }
    const nowMs = at.clock.nowMs();
    await Promise.all(
      Array.from({ length: 10_000 }, (_, n) =>
        engine.change.createCheck(
          project.id,
          { ...defaultConfig, name: `job ${n}`, tags: n % 10 === 0 ? 'tenth' : '' },
          nowMs,
        ),
      ),
    );
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.open('integrations?view=matrix');
    await at.page.getByRole('checkbox', { name: 'job 0 notifies hook 0', exact: true }).waitFor();
  });

  afterAll(() => at?.stop());

  const ticks = () => at.page.locator('.matrix [role=cell]:not(.whole) input').count();
  const tick = (name: string) => at.page.getByRole('checkbox', { name, exact: true });
  const used = async (name: string): Promise<number> => {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    return integrations.find((one: { name: string }) => one.name === name).usedFor;
  };
  const focused = () => at.page.evaluate<string>("document.activeElement.getAttribute('aria-label')");

  test('has only the rows and columns in sight', async () => {
    await at.page.getByRole('button', { name: '10,000 notify nobody' }).waitFor();
    // The words have the colour of the names that they are about.
    const colorOf = (of: string) =>
      at.page.evaluate<string>(`getComputedStyle(document.querySelector('${of}')).color`);
    expect(await colorOf('.tools .nobody')).toBe(await colorOf('.matrix-row .name.nobody > span'));
    expect(await ticks()).toBeLessThan(700);
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(2000, 200000)");
    await tick('job 5002 notifies hook 25').waitFor();
    expect(await ticks()).toBeLessThan(700);
    expect(await at.findings()).toEqual([]);
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 0)");
  });

  test.each([1280, 390])('draws at first all rows that are in sight, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 1200 });
    await at.open('integrations?view=matrix');
    await tick('job 0 notifies hook 0').waitFor();
    // The lowest row that is drawn reaches the lower edge of the box, though nothing was scrolled.
    const gap = `(() => {
      const box = document.querySelector('.matrix');
      const rows = [...box.querySelectorAll('.matrix-row')];
      return box.getBoundingClientRect().bottom - rows.at(-1).getBoundingClientRect().bottom;
    })()`;
    await expect.poll(() => at.page.evaluate<number>(gap)).toBeLessThanOrEqual(1);
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('says how many columns are out of sight, and shows a part of the next one on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('integrations?view=matrix');
    await tick('job 0 notifies hook 0').waitFor();
    await at.page.getByText('26 more integrations to the right').waitFor();
    const seenPx = `document.querySelector('.matrix').getBoundingClientRect().right
      - document.querySelector('.matrix-head [aria-colindex="7"]').getBoundingClientRect().left`;
    await expect.poll(() => at.page.evaluate<number>(seenPx)).toBeGreaterThan(20);
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(99_999, 0)");
    await at.page.getByText('to the right').waitFor({ state: 'detached' });
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 0)");
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])(
    'ends in the middle of a row while there are more below, and says how many, at %i px',
    async (width, height) => {
      await at.page.setViewportSize({ width, height });
      await at.open('integrations?view=matrix');
      await tick('job 0 notifies hook 0').waitFor();
      await at.page.getByText(/^[\d,]+ more checks below$/).waitFor();
      const rowPx = width < 768 ? 78 : 40;
      const cutPx = `(() => {
      const box = document.querySelector('.matrix');
      const seen = box.clientHeight - document.querySelector('.matrix-head').offsetHeight;
      return seen % ${rowPx};
    })()`;
      await expect.poll(() => at.page.evaluate<number>(cutPx)).toBe(rowPx / 2);
      await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 9_999_999)");
      await at.page.getByText('more checks below').waitFor({ state: 'detached' });
      await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 0)");
      await at.page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test('is walked through with the arrow keys, beyond what is in sight too', async () => {
    await tick('job 0 notifies hook 0').focus();
    await at.page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('job 0 notifies hook 1');
    for (let n = 1; n <= 30; n++) {
      await at.page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe(`job ${n} notifies hook 1`);
    }
    await at.page.keyboard.press('Space');
    await expect.poll(() => used('hook 1')).toBe(1);
    // The tick for the whole row is left of the others.
    for (const _ of ['job 30 notifies hook 0', 'all', 'all']) await at.page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe('All integrations for job 30');
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 0)");
  });

  test('switches a whole row', async () => {
    await tick('All integrations for job 2').click();
    await expect.poll(() => used('hook 29')).toBe(1);
    await expect.poll(() => tick('job 2 notifies hook 3').isChecked()).toBe(true);
  });

  test('switches a whole column for the checks that a filter finds, after a question', async () => {
    await at.page.getByRole('button', { name: /^tenth/ }).click();
    await at.page.getByText('1,000 of 10,000 checks').waitFor();
    await at.page
      .getByRole('button', { name: 'Set all… checks that are shown, for hook 0', exact: true })
      .click();
    await at.page.getByText('Is hook 0 to be notified about the 1,000 checks that are shown?').waitFor();
    await at.page.getByRole('button', { name: 'Notify about all' }).click();
    await at.page.getByText(/hook 0: 1,000 checks changed/).waitFor();
    await expect.poll(() => tick('job 10 notifies hook 0').isChecked()).toBe(true);
    await at.page
      .locator('.toast', { hasText: 'hook 0: 1,000' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await at.page.getByText('Undone: ').waitFor();
    await expect.poll(() => tick('job 10 notifies hook 0').isChecked()).toBe(false);
    await at.page
      .getByRole('button', { name: 'Set all… checks that are shown, for hook 0', exact: true })
      .click();
    await at.page.getByRole('button', { name: 'Notify about all' }).click();
    await expect.poll(() => tick('job 10 notifies hook 0').isChecked()).toBe(true);
    await at.page.getByRole('searchbox').fill('job 10');
    await at.page.getByText('checks', { exact: false }).first().waitFor();
    await at.page
      .getByRole('button', { name: 'Set all… checks that are shown, for hook 0', exact: true })
      .click();
    await at.page.getByRole('button', { name: 'Notify about none' }).click();
    await expect.poll(() => used('hook 0')).toBeLessThan(1000);
  });

  test('does not scroll the page sideways on a phone', async () => {
    await at.page.setViewportSize({ width: 360, height: 800 });
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });
});
