/** Boxes and radios that are not ticked look live: they have the colour of the card, not a grey filling, in both colour schemes. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a box that is not ticked', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.owner.post(`/web/in/${at.project}/channels`, {
      kind: 'webhook',
      name: 'Hook',
      fields: { url_down: 'https://example.org/' },
    });
    await at.knell.create({ name: 'job', channels: '' });
  });

  afterAll(() => at?.stop());

  /** The pixel in the middle of it, as red, green and blue. */
  const middleOf = async (box: Locator): Promise<string> => {
    const picture = (await box.screenshot()).toString('base64');
    return at.page.evaluate<string>(`(async () => {
      const bytes = Uint8Array.from(atob('${picture}'), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data.slice(0, 3)].join(' ');
    })()`);
  };

  test.each([
    ['light', '255 255 255'],
    ['dark', '20 24 31'],
  ] as const)('has the colour of its card in %s colours', async (colorScheme, surface) => {
    await at.page.emulateMedia({ colorScheme });
    await at.open('integrations?view=matrix');
    const tick = at.page.getByRole('checkbox', { name: 'job notifies Hook' });
    await expect.poll(() => tick.isChecked()).toBe(false);
    expect(await middleOf(tick)).toBe(surface);
    await at.open('integrations/new/webhook');
    const radio = at.page.locator('input[type=radio]:enabled:not(:checked)').first();
    expect(await middleOf(radio)).toBe(surface);
  });
});
