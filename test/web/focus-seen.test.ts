/** What has the focus can be seen: not below the bar of a phone, not below what stays at the side, and its ring is not cut off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

/** More stops than any of these pages has. */
const stopsMax = 150;

/** What is wrong with how the focus is seen, in words; empty for nothing, null where nothing has it. */
const unseen = `(() => {
  const of = document.activeElement;
  if (!of || of === document.body) return null;
  const name = of.getAttribute('aria-label') || of.labels?.[0]?.textContent || of.textContent || of.tagName;
  const box = of.getBoundingClientRect();
  const faults = [];
  const there = document.elementFromPoint(box.left + box.width / 2, Math.min(box.top + box.height / 2, innerHeight - 1));
  if (there && !of.contains(there) && !there.contains(of)) faults.push('is below ' + (there.className || there.tagName));
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(of);
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  if (outlineStyle === 'none' || outlineWidth === '0px') faults.push('has no ring');
  for (let cuts = of.parentElement; cuts; cuts = cuts.parentElement) {
    const { overflowX, position } = getComputedStyle(cuts);
    if (position === 'sticky' || position === 'fixed') break;
    if (overflowX === 'visible' || cuts === document.documentElement) continue;
    const edge = cuts.getBoundingClientRect();
    if (box.left - ring < edge.left - 0.5 || box.right + ring > edge.right + 0.5)
      faults.push('is cut by ' + (cuts.className || cuts.tagName));
    break;
  }
  return faults.map((fault) => name.trim() + ' ' + fault).join('; ');
})()`;

describe.skipIf(browserMissing !== '')('the focus', () => {
  let at: OwnerBrowser;
  let channel = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < 15; n++) await at.knell.create({ name: `job ${n}`, tags: n % 2 === 0 ? 'prod' : '' });
    for (const [kind, name, value] of [
      ['webhook', 'Hook', JSON.stringify({ url_down: 'http://127.0.0.1:9/down' })],
      ['telegram', 'Chat', JSON.stringify({ id: 5 })],
    ]) {
      const args = { project: 'default', kind, name, value };
      await at.knell.app.admin({ command: 'channel create', args }, () => {});
    }
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    channel = integrations.find((one: { name: string }) => one.name === 'Hook').id;
    // Refused, since the address is private: after two minutes every page says so.
    const { uuid } = await at.knell.create({ name: 'failing job', channels: channel });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(5);
      const { failing } = (await at.owner.get('/web/state')).json();
      expect(failing[at.project]).toHaveLength(1);
    });
    await at.clock.advance(120_000);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  afterAll(() => at?.stop());

  /** From the first stop of the page to its last. */
  async function faults(): Promise<readonly string[]> {
    const found: string[] = [];
    await at.page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)');
    for (let stops = 0; stops < stopsMax; stops++) {
      await at.page.keyboard.press('Tab');
      const fault = await at.page.evaluate<string | null>(unseen);
      if (fault === null) break;
      if (fault !== '') found.push(fault);
    }
    return found;
  }

  test.each([
    ['the integrations', 'integrations', '.gallery'],
    ['the matrix', 'integrations?view=matrix', '.matrix-row input'],
    ['the badges', 'badges', 'img'],
    ['the settings', 'settings', '.line'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
  });

  test('has its ring in the list of the pages of the manual', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.goto(`${at.knell.app.httpUrl}/docs/installing`);
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  test('is in sight at every stop of an integration, with the notices above it', async () => {
    await at.open(`integrations/${channel}`);
    await at.page.locator('.notice').nth(1).waitFor();
    await at.page.getByRole('radio', { name: 'Choose…' }).check();
    await at.page.locator('.choices input').first().waitFor();
    expect(await faults()).toEqual([]);
  });
});
