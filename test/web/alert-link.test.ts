/** The page behind the link of an alert, on a phone at night: one tap and no password, in both colours, by keyboard too. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the link of an alert', () => {
  let at: OwnerBrowser;
  let inbox: MailReceiver;
  let channel: string;

  beforeAll(async () => {
    inbox = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: inbox.url });
    const value = { kind: 'email', name: 'ops', value: 'ops@example.org' };
    channel = (await at.owner.post(`/web/in/${at.project}/channels`, value)).json().id;
    await at.page.context().clearCookies();
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await inbox?.stop();
  });

  async function linkOfOutage(name: string): Promise<{ uuid: string; url: string }> {
    const desc = 'Dumps every database. Runbook: https://wiki.example.org/backup?a=1&b=2.';
    const { uuid } = await at.knell.create({ name, channels: channel, desc });
    const body = `${'a line of output\n'.repeat(40)}pg_dump: error: ${'x'.repeat(200)}\n`;
    await at.knell.request(`/ping/${uuid}/3`, { method: 'POST', body });
    return { uuid, url: await linkIn((subject) => subject === `DOWN | ${name}`) };
  }

  /** The address of the page, out of the first mail whose subject is wanted. */
  function linkIn(isWanted: (subject: string) => boolean): Promise<string> {
    return eventually(async () => {
      await at.clock.advance(1000);
      const mails = await Promise.all((await inbox.until(1)).map(({ text }) => simpleParser(text)));
      const mail = mails.find(({ subject }) => isWanted(subject ?? ''));
      const [, found] = /Acknowledge: https?:\/\/[^/]+(\S+)/.exec(mail?.text ?? '') ?? [];
      if (found === undefined) throw new Error('no mail yet');
      return at.knell.app.httpUrl + found;
    });
  }

  const heldOf = async (uuid: string) => (await at.knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json();

  test.each(['light', 'dark'] as const)('acknowledges with one tap, %s', async (colorScheme) => {
    const { uuid, url } = await linkOfOutage(`Nightly backup ${colorScheme}`);
    await at.page.emulateMedia({ colorScheme });
    await at.page.goto(url);
    await at.page.getByText('pg_dump: error').waitFor();
    await at.page.getByText('Exit status 3.', { exact: true }).waitFor();
    await at.page.getByText('Project default', { exact: true }).waitFor();
    expect(await at.findings('main')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const button = at.page.getByRole('button', { name: 'Acknowledge' });
    const box = await button.boundingBox();
    // Without scrolling, and large enough for a thumb.
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
    expect(box?.height).toBeGreaterThanOrEqual(48);
    await button.click();
    await at.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'ops@example.org' } });
    const runbook = at.page.getByRole('link', { name: 'Open runbook' });
    await expect.poll(() => runbook.getAttribute('href')).toBe('https://wiki.example.org/backup?a=1&b=2');
    const withdraw = at.page.getByRole('button', { name: 'Withdraw acknowledgement' });
    await withdraw.waitFor();
    // Neither of these sends the form again.
    await at.page.reload();
    await at.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
    await at.page.goto('about:blank');
    await at.page.goBack();
    await at.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
    // Who opens the link later has both, too.
    await at.page.goto(url);
    await at.page.getByText('Acknowledged by ops@example.org').waitFor();
    await runbook.waitFor();
    expect(await at.findings('main')).toEqual([]);
    await withdraw.click();
    await at.page.getByRole('heading', { name: 'Acknowledgement withdrawn' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null });
    expect(at.complaints).toEqual([]);
  });

  test('of an incident names the worst of its checks, with reasons, and counts the others', async () => {
    const team = {
      project: 'default',
      kind: 'email',
      name: 'team',
      value: 'team@example.org',
      checks: 'none',
    };
    const args = { ...team, collectS: 1 };
    const made = (await at.knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string };
    const create = async (name: string, channels: string, more = {}): Promise<string> =>
      (await at.knell.create({ name, channels, slug: name, ...more })).uuid;
    const uplink = await create('uplink', made.id);
    const others = ['east', 'west', 'north', 'south'].map((name) =>
      create(name, name === 'east' ? channel : made.id, { depends_on: 'uplink' }),
    );
    const uuids = await Promise.all(others);
    await at.knell.request(`/ping/${uplink}/7`);
    for (const uuid of uuids) await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.goto(await linkIn((subject) => subject.startsWith('DOWN | uplink')));
    await at.page.getByRole('heading', { name: 'uplink is down and 4 depend on it' }).waitFor();
    const items = at.page.locator('li');
    await expect
      .poll(() => items.allTextContents())
      .toMatchObject([
        /^uplinkExit status 7\. Down for \d+ s\.$/,
        // What the integration is not notified of has no name here.
        /^westThe job reported a failure\. Down/,
        /^northThe job reported a failure\. Down/,
        /^and 2 more$/,
      ]);
    await at.page.getByText('Project default', { exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings('main')).toEqual([]);
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const box = await at.page.getByRole('button', { name: 'Acknowledge' }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
    const state = async () =>
      (await at.knell.api('GET', '/api/v3/incidents/?q=uplink')).json().incidents[0].state;
    await at.page.getByRole('button', { name: 'Acknowledge' }).click();
    await at.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
    await expect.poll(state).toBe('acknowledged');
    await at.page.getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    await at.page.getByRole('heading', { name: 'Acknowledgement withdrawn' }).waitFor();
    await expect.poll(state).toBe('open');
  });

  test('confirms the note that was given, which is in the status of the check from then on', async () => {
    const { uuid, url } = await linkOfOutage('GPU node');
    await at.page.goto(url);
    await at.page.getByLabel('A note for the others').fill('On it, the GPU node looks stuck');
    await at.page.getByRole('button', { name: 'Acknowledge' }).click();
    await at.page.getByText('The note was saved: “On it, the GPU node looks stuck”').waitFor();
    await at.page.reload();
    await at.page.getByText('The note was saved: “On it, the GPU node looks stuck”').waitFor();
    // More can be said once it is acknowledged, and each note is a line of its own.
    await at.page.getByLabel('A note for the others').fill('Rebooted it');
    await at.page.getByRole('button', { name: 'Save note' }).click();
    await at.page.getByText(/^Your note was saved\. Down for [^“]*$/).waitFor();
    await at.page.goto(url);
    await expect
      .poll(() => at.page.locator('.notes > li').allTextContents())
      .toEqual(['ops@example.org“On it, the GPU node looks stuck”', 'ops@example.org“Rebooted it”']);
    const story = (await at.owner.get(`/web/in/${at.project}/checks/${uuid}/story`)).json();
    expect(story.incident.note).toEqual({ by: 'ops@example.org', text: 'Rebooted it' });
  });

  test('saves a note by itself, which the Enter key does: no snooze becomes shorter by it', async () => {
    const { uuid, url } = await linkOfOutage('Model training');
    await at.page.goto(url);
    // Where it is narrow, what saves the note is below its field, and as wide.
    const parts = ['.note input', '.note button'].map((part) => at.page.locator(part));
    const boxes = async () =>
      Promise.all(parts.map(async (part) => (await part.boundingBox()) ?? { width: 0, y: 0 }));
    await at.page.setViewportSize({ width: 320, height: 800 });
    const [field320, save320] = await boxes();
    expect([field320?.width, save320?.width]).toEqual([238, 238]);
    expect(save320?.y).toBeGreaterThan(field320?.y ?? 0);
    await at.page.setViewportSize({ width: 360, height: 800 });
    const [field360, save360] = await boxes();
    expect(save360?.y).toBe(field360?.y);
    await at.page.getByRole('button', { name: 'Snooze for 8 hours' }).click();
    await at.page.getByRole('heading', { name: 'Snoozed' }).waitFor();
    await at.page.getByLabel('A note for the others').waitFor();
    const before = await heldOf(uuid);
    await at.page.goto(url);
    const field = at.page.getByLabel('A note for the others');
    await field.fill('Infra says 20 min');
    await field.press('Enter');
    await at.page.getByText(/^Your note was saved\. Down for [^“]*$/).waitFor();
    await at.page.locator('.notes > li', { hasText: 'ops@example.org“Infra says 20 min”' }).waitFor();
    await at.page.getByRole('heading', { name: 'Model training is down' }).waitFor();
    expect(await heldOf(uuid)).toEqual(before);
    const targets = await at.page.locator('button, input').all();
    for (const target of targets) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    for (const colorScheme of ['dark', 'light'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings('main')).toEqual([]);
    }
    // Without a text it changes nothing, and says nothing of a note.
    await at.page.getByRole('button', { name: 'Save note' }).click();
    await at.page.getByText(/^Down for /).waitFor();
    expect(await heldOf(uuid)).toEqual(before);
  });

  test('keeps a note that was begun, also where it did not arrive, until it is saved', async () => {
    const { url } = await linkOfOutage('a note begun');
    const { page } = at;
    const field = page.getByRole('textbox');
    await page.goto(url);
    await field.fill('the disk is full');
    await page.goto(at.knell.app.httpUrl);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe('the disk is full');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect.poll(() => page.url()).toContain('chrome-error');
    await page.context().setOffline(false);
    await page.goto(url);
    await expect.poll(() => field.inputValue()).toBe('the disk is full');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Your note was saved.').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await page.goto(url);
    await expect.poll(() => field.inputValue()).toBe('');
    expect(at.complaints).toEqual([]);
  });

  test('snoozes by keyboard', async () => {
    const { uuid, url } = await linkOfOutage('Invoice run');
    await at.page.goto(`${url}?snooze`);
    const buttons = await at.page.locator('form > button').all();
    const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
    // Two columns of the same width below the likeliest, which has a row of its own. How tall a row is, its font decides.
    expect(new Set(boxes.slice(1).map((box) => Math.round(box?.width ?? 0))).size).toBe(1);
    const tops = boxes.map((box) => Math.round(box?.y ?? 0));
    const rows = [...new Set(tops)].toSorted((one, other) => one - other);
    expect(tops.map((top) => rows.indexOf(top))).toEqual([0, 1, 1, 2, 2]);
    // Past the note, which has a button of its own.
    for (let n = 0; n < 3; n++) await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'Snoozed' }).waitFor();
    await at.page.getByRole('link', { name: 'Open runbook' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: { by: 'ops@example.org' } });
    await at.page.getByRole('heading', { name: /^Snoozed until (?:tomorrow )?\d\d:\d\d UTC$/ }).waitFor();
    const targets = await at.page.locator('button, a').all();
    for (const target of targets) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    await at.page.getByRole('button', { name: 'End the snooze' }).press('Enter');
    await at.page.getByRole('heading', { name: 'Snooze ended' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ snoozed: null });
  });
});
