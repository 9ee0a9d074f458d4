/** Where the focus is shows at every stop of Tab, forwards and backwards: nothing that stays on the screen covers it or cuts it off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** What is wrong with the place of the focus, as a line; empty if nothing is, null once the focus has left the page. */
const faultOfFocus = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const name = one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40);
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  // A box may lie unseen below the picture of its row, of which the ring is then.
  const isSeen = shown && [one, ...(one.labels ?? []), one.closest('.pick')].some((part) => part?.contains(shown) || shown.contains(part));
  if (!isSeen) return name + ': covered by ' + (shown ? shown.tagName + '.' + shown.className : 'the edge of the window');
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
  if (outlineStyle === 'none') return '';
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  for (let box = one.parentElement; box && box !== document.documentElement; box = box.parentElement) {
    if (getComputedStyle(box).overflowX === 'visible') continue;
    const edge = box.getBoundingClientRect();
    if (left - ring < edge.left - 1 || right + ring > edge.right + 1) return name + ': ring cut off by .' + box.className;
  }
  return '';
})()`;

/** More stops than any of the pages has. */
const stopsMax = 300;

describe.skipIf(browserMissing !== '')('the focus is in sight', () => {
  let at: OwnerBrowser;
  let check = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const failing = { kind: 'webhook', name: 'Tickets', fields: { url_down: 'http://127.0.0.1:9/' } };
    await at.owner.post(`/web/in/${at.project}/channels`, failing);
    await at.owner.post(`/web/in/${at.project}/channels`, {
      kind: 'telegram',
      name: 'Chat',
      value: '{"id":1}',
    });
    for (let n = 0; n < 10; n++) {
      const { uuid } = await at.knell.create({
        name: `Job ${n}`,
        tags: 'prod',
        channels: '*',
        slug: `job-${n}`,
      });
      if (n % 2 === 0) await at.knell.request(`/ping/${uuid}`);
      check = uuid;
    }
    for (let n = 0; n < 8; n++) {
      await at.knell.request(`/ping/${check}/${n % 2}`, { method: 'POST', body: `line ${n}\n`.repeat(5) });
      await at.clock.advance(3_600_000);
    }
  }, 60_000);

  afterAll(() => at?.stop());

  async function faults(key: 'Tab' | 'Shift+Tab'): Promise<readonly string[]> {
    const found: string[] = [];
    for (let stops = 0; stops < stopsMax; stops++) {
      await at.page.keyboard.press(key);
      const fault = await at.page.evaluate<string | null>(faultOfFocus);
      if (fault === null) return found;
      if (fault !== '') found.push(`${key}: ${fault}`);
    }
    throw new Error(`the focus does not leave the page within ${stopsMax} stops`);
  }

  const pages = () => [
    ['checks', 'checks', '.row'],
    ['check', `checks/${check}`, '.log li'],
    ['new', 'new', 'form.check-form'],
  ];

  test.each([
    [1440, 500],
    [390, 700],
  ])('at every stop, at %i px', async (width, height) => {
    await at.page.setViewportSize({ width, height });
    const found: string[] = [];
    for (const [name, path, settled] of pages()) {
      await at.open(path ?? '');
      await at.page
        .locator(settled ?? '')
        .first()
        .waitFor();
      await at.page.evaluate('scrollTo(0, document.body.scrollHeight); document.activeElement.blur()');
      for (const key of ['Tab', 'Shift+Tab'] as const)
        for (const fault of await faults(key)) found.push(`${name}, ${fault}`);
    }
    expect(found).toEqual([]);
  });
});
