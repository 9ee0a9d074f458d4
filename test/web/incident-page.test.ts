/** The page of an incident in a real browser: what is down and why, where else it is said that one is open, and one that is gone. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

/** Where the first letter of an element is. */
const textLeft = (element: Json): number => {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return Math.round(range.getBoundingClientRect().left);
};

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile();

  test('that are open are in a line above the list, with a link to the only one', async () => {
    await scene.at.open('checks');
    const line = scene.at.page.locator('.banner', { hasText: 'incident' });
    await expect.poll(() => line.textContent()).toMatch(/1 incident open, not acknowledged\./);
    await line.getByRole('link').press('Enter');
    await scene.at.page
      .getByRole('heading', { level: 1, name: 'db-1 is down and 1 depends on it' })
      .waitFor();
    expect(new URL(scene.at.page.url()).pathname).toBe(`/project/${scene.at.project}/incidents/${scene.id}`);
  });

  test('say what is down and why, with the last lines of its output, and what happened', async () => {
    const checks = scene.at.page.locator('.incident-checks > li');
    await expect.poll(() => checks.first().textContent()).toMatch(/^db-1Down for .*Exit status 3/);
    await checks.first().getByText('fatal: no space left on device').waitFor();
    await expect.poll(() => checks.nth(1).textContent()).toContain('app depends on what is down');
    await scene.text('db-1 went down: the incident opened').waitFor();
    await scene.text('app went down, and depends on what is down').waitFor();
    await scene.text('Nobody was notified of app').waitFor();
    await scene.text('It depends on what is down: db-1').waitFor();
    expect(await scene.faults()).toEqual([]);
    await checks.first().getByRole('link', { name: 'Show all' }).click();
    await scene.at.page.getByRole('heading', { level: 1, name: 'db-1' }).waitFor();
    await scene.at.page.locator('.log .body', { hasText: 'step 11' }).waitFor();
    await scene.at.page.getByRole('link', { name: 'db-1 is down and 1 depends on it' }).click();
    await scene.at.page.locator('.timeline').waitFor();
  });

  test('show what is below an output once that is there, or a second later, and the buttons at once', async () => {
    const { page } = scene.at;
    await page.setViewportSize({ width: 390, height: 844 });
    const timeline = page.locator('.timeline');
    const top = async () => (await timeline.boundingBox())?.y;
    let open = (): void => undefined;
    const held = async (whileHeld: () => Promise<void>): Promise<void> => {
      const opened = new Promise<void>((done) => (open = done));
      await page.route('**/pings/*/body', async (route) => {
        await opened;
        await route.continue();
      });
      await scene.at.open(`incidents/${scene.id}`);
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor();
      await page.locator('.incident-checks').getByText('Exit status 3').waitFor();
      await whileHeld();
      await page.unroute('**/pings/*/body');
    };
    await held(async () => {
      expect(await timeline.evaluate((own) => own.checkVisibility({ visibilityProperty: true }))).toBe(false);
      open();
      await timeline.waitFor();
      const before = await top();
      await page.getByText('fatal: no space left on device').waitFor();
      expect(await top()).toBe(before);
    });
    await held(async () => {
      await timeline.waitFor();
      expect(await page.getByText('fatal: no space left on device').all()).toEqual([]);
      open();
    });
  });

  test.each([390, 1024, 1440])(
    'have the icon of their status in line with the title, at %i px',
    async (width) => {
      await scene.at.page.setViewportSize({ width, height: 800 });
      await scene.at.open(`incidents/${scene.id}`);
      const [icon, title, words] = await Promise.all(
        ['.now-head .mark', '.now .big', '.now .big > span'].map((css) =>
          scene.at.page.locator(css).boundingBox(),
        ),
      );
      if (!icon || !title || !words) throw new Error('all are there');
      expect(icon.x + icon.width).toBeLessThan(words.x);
      expect(Math.abs(icon.y + icon.height / 2 - title.y - title.height / 2)).toBeLessThan(4);
    },
  );

  test('have the output in line with the reason above it on a phone, and no bent edge', async () => {
    await scene.at.page.setViewportSize({ width: 390, height: 844 });
    await scene.at.open(`incidents/${scene.id}`);
    const box = scene.at.page.locator('.incident-checks > li').first();
    await box.getByText('fatal: no space left on device').waitFor();
    const leftOf = (words: string) => box.getByText(words).evaluate(textLeft);
    expect(await leftOf('Output')).toBe(await leftOf('Exit status 3'));
    expect(await leftOf('fatal: no space')).toBe(await leftOf('Exit status 3'));
    const shadow = (element: Json): string =>
      element.ownerDocument.defaultView.getComputedStyle(element).boxShadow;
    expect(await scene.at.page.locator('.incident .now').evaluate(shadow)).not.toContain('inset');
    await scene.at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('say what to do about each check that is down, above its output', async () => {
    const { at, db, id } = scene;
    const more = Array.from({ length: 9 }, (_, n) => `Then step ${n + 1}.`);
    const desc = ['Free the disk.', ...more, 'See https://wiki.example.org/disk'].join('\n');
    await at.knell.api('POST', `/api/v3/checks/${db.uuid}`, { desc });
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open(`incidents/${id}`);
    const [first, second] = [0, 1].map((n) => at.page.locator('.incident-checks > li').nth(n));
    await first?.getByText('Then step 1. …').waitFor();
    await first?.getByText('fatal: no space left on device').waitFor();
    const y = async (words: string) => (await first?.getByText(words).first().boundingBox())?.y ?? 0;
    expect(await y('Description')).toBeGreaterThan(await y('Exit status 3'));
    expect(await y('Description')).toBeLessThan(await y('Output'));
    await first?.getByRole('link', { name: 'https://wiki.example.org/disk' }).waitFor();
    await scene.button('Show all of the description').click();
    await first?.getByText('Then step 9.').waitFor();
    await expect.poll(() => second?.getByText('Description').count()).toBe(0);
    expect(await scene.faults()).toEqual([]);
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('that are gone are an answer with a way on, and the palette knows the page', async () => {
    scene.at.complaints.length = 0;
    await scene.at.open('incidents/8f7a3a4e-0000-4000-8000-000000000000');
    await scene.at.page.getByRole('heading', { name: 'Incident not found' }).waitFor();
    await scene.at.page.locator('.card').getByText('keeps its newest 1,000 incidents').waitFor();
    await scene.at.page.getByRole('link', { name: 'All incidents' }).click();
    await scene.at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await scene.at.open('checks');
    await scene.at.page.keyboard.press('Control+k');
    await scene.at.page.keyboard.type('incid');
    await scene.at.page.getByRole('option', { name: 'Incidents' }).waitFor();
    await scene.at.page.keyboard.press('Enter');
    await scene.at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    expect(scene.at.complaints.filter((line) => !line.includes('status of 404'))).toEqual([]);
  });
});
