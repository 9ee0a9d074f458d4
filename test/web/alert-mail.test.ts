/** Alert mails in a real browser: nothing is wider than a phone, whatever checks are called, and dark is dark. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailOf } from '../../src/notify/channels/email.ts';
import { noticeOf } from '../support/engine/notices.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';

const long = `${'A'.repeat(100)} /var/lib/${'directory/'.repeat(20)}`;

function hostileMail(): string {
  const notice = noticeOf('email', 'down', {
    cause: 'fail',
    body: `${'x'.repeat(5000)}\n${long}`,
    project: { name: long },
  });
  const { check } = notice;
  const config = {
    ...check.config,
    name: long,
    tags: 'x'.repeat(500),
    desc: `https://example.org/${'z'.repeat(500)}`,
  };
  const othersDownChecks = notice.othersDownChecks.map((other) => ({ ...other, name: long }));
  return mailOf({ ...notice, othersDownChecks, check: { ...check, config } }, `https://example.org/${long}`)
    .html;
}

describe.skipIf(browserMissing !== '')('an alert mail', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => closeBrowser(browser));

  test.each([320, 360, 720])('with long words is no wider than a window of %i pixels', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.setContent(hostileMail());
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const wider = `[...document.querySelectorAll('td, h1, pre, a')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML.slice(0, 80))`;
    expect(await page.evaluate(wider)).toEqual([]);
    await page.close();
  });

  test.each([
    [320, true],
    [600, false],
  ])(
    'at %i pixels has what one can do with a gap between, one under the other: %s',
    async (width, isStacked) => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const notice = noticeOf('email', 'down');
      const config = { ...notice.check.config, desc: 'See https://wiki.example.org/restore' };
      await page.setContent(
        mailOf({ ...notice, check: { ...notice.check, config } }, 'https://x.example').html,
      );
      const boxes = await Promise.all(
        ['View check', 'Acknowledge', 'Open runbook'].map((name) =>
          page.getByRole('link', { name, exact: true }).boundingBox(),
        ),
      );
      const [first, second, third] = boxes.map((box) => (isStacked ? (box?.y ?? 0) : (box?.x ?? 0)));
      expect([(second ?? 0) - (first ?? 0) > 20, (third ?? 0) - (second ?? 0) > 20]).toEqual([true, true]);
      const tops = boxes.map((box) => box?.y ?? 0);
      expect(Math.max(...tops) - Math.min(...tops) > 20).toBe(isStacked);
      await page.close();
    },
  );

  test.each([320, 390])(
    'has a long name below its beginning, and not below its mark, at %i pixels',
    async (width) => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const notice = noticeOf('email', 'down');
      const name = 'Nightly copy of all the databases to the other side of the world';
      const othersDownChecks = notice.othersDownChecks.map((other) => ({ ...other, name }));
      await page.setContent(mailOf({ ...notice, othersDownChecks }, 'https://x.example').html);
      const lines = await page
        .getByRole('link', { name })
        .first()
        .evaluate((link) => [...link.getClientRects()].map(({ left }) => Math.round(left)));
      const mark = page.locator('.mark').first();
      const firstLine = (element: Json) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        return range.getClientRects()[0].top;
      };
      const beside = mark.locator('+ td');
      expect(Math.abs((await mark.evaluate(firstLine)) - (await beside.evaluate(firstLine)))).toBeLessThan(2);
      expect(lines.length).toBeGreaterThan(1);
      expect(new Set(lines).size).toBe(1);
      await page.close();
    },
  );

  test.each(['light', 'dark'] as const)(
    'on a phone, %s, has its error and all that one can do on the first screen, each as large as a finger',
    async (colorScheme) => {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme });
      const body = Array.from({ length: 45 }, (_, n) =>
        n === 15 ? 'ERROR: no route' : `line ${n + 1}`,
      ).join('\n');
      const notice = noticeOf('email', 'down', { cause: 'fail', body });
      const ping = notice.ping && { ...notice.ping, signal: 'fail' as const };
      await page.setContent(mailOf({ ...notice, ping }, 'https://x.example').html);
      await page.getByText('ERROR: no route').waitFor();
      for (const name of ['View check', 'Acknowledge', 'Snooze']) {
        const box = await page.getByRole('link', { name, exact: true }).boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect(box?.width).toBeGreaterThan(300);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
      }
      await page.close();
    },
  );

  test('asks for nothing from anywhere', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(hostileMail(), { waitUntil: 'load' });
    expect(asked).toEqual([]);
    await page.close();
  });

  test.each([
    ['light', 'rgb(255, 255, 255)', 'rgb(22, 27, 34)'],
    ['dark', 'rgb(20, 24, 31)', 'rgb(232, 235, 240)'],
  ] as const)('is %s where the reader is', async (colorScheme, surface, text) => {
    const page = await browser.newPage({ colorScheme });
    await page.setContent(mailOf(noticeOf('email', 'down'), 'https://example.org/').html);
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await style('.card', 'backgroundColor')).toBe(surface);
    expect(await style('.value', 'color')).toBe(text);
    await page.close();
  });
});
