/** An incident that is acknowledged in a real browser, by keyboard, and notes for the others. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile();
  beforeAll(() => scene.openIncident());

  const note = () => scene.at.page.getByLabel('Note for the others', { exact: true });
  const labelled = () => scene.at.page.locator('.incident-note label');

  test('are acknowledged with a note, which is withdrawn, with buttons that stay where they are', async () => {
    const before = await scene.places();
    // What is said of the field is beside its name.
    const hint = scene.at.page.locator('.incident-note .faint');
    await hint.getByText('Acknowledge saves it, too.').waitFor();
    await expect.poll(() => note().getAttribute('aria-describedby')).toBe(await hint.getAttribute('id'));
    const [name, said] = [await labelled().boundingBox(), await hint.boundingBox()];
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual((await note().boundingBox())?.y ?? 0);
    expect(said?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
    await scene.at.page.getByLabel('Note for the others').fill('on it:\nthe disk is full');
    await scene.pressed('Acknowledge');
    await scene.text('Acknowledged by ada,').waitFor();
    await scene.at.page.locator('.said', { hasText: 'the disk is full' }).waitFor();
    expect(await scene.places()).toEqual(before);
    await expect.poll(() => scene.at.page.getByLabel('Note for the others').inputValue()).toBe('');
    expect(await scene.incident()).toMatchObject({ state: 'acknowledged', acknowledged_by: 'ada' });
    expect(await scene.held()).toMatchObject([
      { acknowledged: { by: 'ada' } },
      { acknowledged: { by: 'ada' } },
    ]);
    // The button that is off now still has the focus.
    expect(await scene.at.page.evaluate('document.activeElement.textContent')).toContain('Acknowledge');
    await scene.pressed('Withdraw acknowledgement');
    await expect.poll(() => scene.at.page.evaluate('document.activeElement.className')).toBe('who');
    await scene.text('ada withdrew the acknowledgement').waitFor();
    await scene.text('Nobody has acknowledged it').waitFor();
    expect(await scene.places()).toEqual(before);
    const toast = scene.at.page.locator('.toast', { hasText: 'The acknowledgement is withdrawn.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await scene.text('Acknowledged by ada,').waitFor();
    await scene.pressed('Withdraw acknowledgement');
    await scene.text('Nobody has acknowledged it').waitFor();
  });

  test('have the newest note in the status of their check, in one line, on a phone too', async () => {
    for (const width of [1440, 390]) {
      await scene.at.page.setViewportSize({ width, height: 844 });
      await scene.at.open(`checks/${scene.db.uuid}`);
      const line = scene.at.page.locator('.now .strip-line.one-line');
      await expect.poll(() => line.textContent()).toBe('ada: on it:\nthe disk is full');
      expect((await line.boundingBox())?.height).toBeLessThan(48);
      expect(await scene.at.findings('.now')).toEqual([]);
      expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    }
    await scene.at.page.setViewportSize({ width: 360, height: 800 });
    await scene.openIncident();
  });

  test('are current while somebody looks, and an empty note is refused at its field', async () => {
    await scene.at.owner.post(`/web/in/${scene.at.project}/api/incidents/${scene.id}/notes`, {
      note: 'seen from elsewhere',
    });
    await scene.at.page.locator('.said', { hasText: 'seen from elsewhere' }).waitFor();
    await scene.button('Add note').click();
    await scene.at.page
      .locator('.incident-actions [role=alert]', { hasText: 'Write a note first.' })
      .waitFor();
    const field = scene.at.page.getByLabel('Note for the others');
    expect(await scene.at.page.evaluate('document.activeElement.name')).toBe('note');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const said = scene.at.page.locator(`#${await field.getAttribute('aria-describedby')}`);
    await said.getByText('Write a note first.').waitFor();
    await field.fill('and from here');
    await said.waitFor({ state: 'detached' });
    await scene.button('Add note').click();
    await scene.at.page.locator('.said', { hasText: 'and from here' }).waitFor();
    // Pressed twice, it is added once, and nothing is wrong.
    await scene.button('Add note').click();
    await expect.poll(() => scene.at.page.locator('.incident-actions [role=alert]').count()).toBe(0);
    await field.fill('by keyboard');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('by keyboard\n');
    await field.press('Control+Enter');
    await scene.at.page.locator('.said', { hasText: 'by keyboard' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
  });
});
