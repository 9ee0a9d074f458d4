/** The integrations in the form of a check, in a real browser: those that would notify nobody now are marked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChannelView } from '../../src/domain/views/page-view.ts';
import { troubleOf } from '../../src/web/form/channel-trouble.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const channel = {
  ...{ id: 'c', kind: 'telegram', name: '', fields: {}, kept: {} },
  ...{ disabled: false, unverified: false, failingSinceMs: 0 },
} as unknown as ChannelView;

test('says of an integration why it would notify nobody, the cause that is worst first', () => {
  const server = { missing: {}, nowMs: 1_000_000 };
  expect(troubleOf(channel, server)).toBeNull();
  const lacking = { ...server, missing: { telegram: ['KNELL_TELEGRAM_TOKEN'] } };
  expect(troubleOf(channel, lacking)?.words).toBe('Cannot send, needs KNELL_TELEGRAM_TOKEN');
  expect(troubleOf({ ...channel, disabled: true }, lacking)?.words).toBe('Turned off');
  expect(troubleOf({ ...channel, unverified: true }, server)?.words).toBe('Not verified');
  expect(troubleOf({ ...channel, failingSinceMs: 999_000 }, server)?.words).toMatch(/^Failing since /);
});

describe.skipIf(browserMissing !== '')('the notifications in the form of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const add = (body: Readonly<Record<string, unknown>>) =>
      at.owner.post(`/web/in/${at.project}/channels`, { checks: 'all', ...body });
    await add({ kind: 'telegram', name: 'Operations chat', value: '{"id":1}' });
    await add({
      kind: 'webhook',
      name: 'Ticket system',
      fields: { url_down: 'https://tickets.example.org/' },
    });
  });

  afterAll(() => at?.stop());

  test('marks those that cannot send, with the reason, and leaves the others as they are', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('new');
    const row = (name: string) => at.page.locator('label.tick', { hasText: name });
    await row('Operations chat').getByText('Cannot send, needs KNELL_TELEGRAM_TOKEN').waitFor();
    await row('Operations chat').locator('svg.mark.late').waitFor();
    await row('Ticket system').getByText('Webhook').waitFor();
    await expect.poll(() => row('Ticket system').locator('.trouble').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('marks them also where several checks are changed at once', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.knell.create({ name: 'Backup' });
    await at.open('checks');
    await at.page.getByLabel('Select Backup').click();
    await at.page.locator('.bulk').getByRole('button', { name: 'Actions' }).click();
    await at.page.getByRole('menuitem', { name: 'Notify…' }).click();
    const row = (name: string) => at.page.locator('dialog label.tick', { hasText: name });
    await row('Operations chat').getByText('Cannot send, needs KNELL_TELEGRAM_TOKEN').waitFor();
    await row('Operations chat').locator('svg.mark.late').waitFor();
    await row('Ticket system').waitFor();
    await expect.poll(() => row('Ticket system').locator('.trouble').count()).toBe(0);
    expect(await at.findings('dialog[open]')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each([1440, 390])(
    'has the box beside the name, and the reason on a line of text with it or below, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('new');
      const row = at.page.locator('label.tick', { hasText: 'Operations chat' });
      await row.locator('.trouble').waitFor();
      // Of the first line of each; their words have one font.
      const [box, name = 0, mark, words = 0] = await row.evaluate((one: Json) =>
        [
          one.querySelector('input'),
          one.querySelector('.channel > span'),
          one.querySelector('.trouble > .mark'),
          one.querySelector('.trouble > span').firstChild,
        ].map((node: Json) => {
          const range = one.ownerDocument.createRange();
          range.selectNode(node);
          const { top, height } = range.getClientRects()[0];
          return top + height / 2;
        }),
      );
      expect([box, mark]).toEqual([name, words]);
      // On a phone the reason begins a line of its own.
      if (width === 390) expect(words - name).toBeGreaterThanOrEqual(20);
      else expect(words).toBe(name);
    },
  );

  test.each([1024, 320])('breaks the name of no variable within a word, at %i px', async (width) => {
    await at.page.setViewportSize({ width: 1024, height: 800 });
    await at.knell.create({ name: `Job ${width}` });
    await at.open('checks');
    await at.page.getByLabel(`Select Job ${width}`).click();
    await at.page
      .locator('.bulk')
      .getByRole('button', { name: /^(More|Actions)/ })
      .click();
    await at.page.getByRole('menuitem', { name: 'Notify…' }).click();
    await at.page.setViewportSize({ width, height: 800 });
    const words = at.page.locator('dialog[open] .trouble');
    const ends = await words.evaluate((box: Json) => {
      const range = box.ownerDocument.createRange();
      const found: string[] = [];
      let before = { top: 0, sign: ' ' };
      const texts = (node: Json): Json[] =>
        node.nodeType === 3 ? [node] : [...node.childNodes].flatMap(texts);
      for (const text of texts(box))
        for (let at = 0; at < text.length; at++) {
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          const { top, width: wide } = range.getBoundingClientRect();
          // A space at the end of a line has no width.
          if (wide > 0 && top > before.top + 4) found.push(before.sign);
          before = { top: wide > 0 ? top : before.top, sign: text.data[at] };
        }
      return found;
    });
    for (const sign of ends) expect(['_', ' ', ',']).toContain(sign);
  });
});
