/** Editing a webhook in a real browser: what is there is shown as far as it is no secret, and which checks notify it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeholders } from '../../src/integrations/contract/placeholders.ts';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const value = {
  url_down: 'https://user:word@tickets.example.org/hooks/9f3Kx8?key=abc',
  body_down: '{"title": "$NAME is $STATUS"}',
  headers_down: { Authorization: 'Bearer abc' },
  url_up: 'https://tickets.example.org/close',
};

describe.skipIf(browserMissing !== '')('the form of a webhook', () => {
  let at: OwnerBrowser;
  let id = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const body = { kind: 'webhook', name: 'Tickets', value: JSON.stringify(value), checks: 'none' };
    id = (await at.owner.post(`/web/in/${at.project}/channels`, body)).json().id;
    for (const [name, tags] of [
      ['Backup', 'db'],
      ['Export', 'billing'],
      ['Restore', 'db'],
    ])
      await at.knell.create({ name, tags, channels: name === 'Export' ? id : '' });
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const box = (title: string) => form().locator('fieldset fieldset', { hasText: title });
  const down = () => box('When a check goes down');
  const kept = () => {
    const [project] = at.knell.app.engine.read.projects();
    const channels = project ? at.knell.app.engine.read.channels(project.id) : [];
    return JSON.parse(channels.find((one) => one.id === id)?.value ?? '{}');
  };
  const notifying = async (): Promise<readonly string[]> => {
    const { rows } = (await at.owner.get(`/web/in/${at.project}/rows`)).json();
    return rows
      .filter((row: { channels: string[] }) => row.channels.includes(id))
      .map(nameOf)
      .sort();
  };
  const nameOf = ({ name }: { name: string }): string => name;
  const save = async () => {
    await form().getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  };
  const edit = async () => {
    await at.open(`integrations/${id}`);
    await form().getByText('Use for').waitFor();
  };

  test('shows where it leads, the body and the names of headers, and no secret', async () => {
    await edit();
    await down().getByText('https://tickets.example.org/…').waitFor();
    await down().getByText('Authorization', { exact: true }).waitFor();
    await expect.poll(() => down().getByLabel('Body').inputValue()).toBe(value.body_down);
    const html = await at.page.content();
    const secrets = ['9f3Kx8', 'Bearer', 'word@', '/close'];
    expect(secrets.filter((one) => html.includes(one))).toEqual([]);
    expect(await at.findings('main')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('is saved once something is changed, and keeps all else, and who notifies it', async () => {
    await edit();
    const isOff = () => form().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled');
    await expect.poll(isOff).toBe('true');
    await down().getByRole('button', { name: 'Remove Headers' }).click();
    await expect.poll(isOff).toBe('false');
    await down().getByRole('button', { name: 'Keep the current Headers' }).click();
    await expect.poll(isOff).toBe('true');
    await form().getByLabel(/^Name/).fill('Ticket system');
    await expect.poll(() => form().getByLabel('Chosen checks').isChecked()).toBe(true);
    await expect.poll(() => form().getByLabel('Export', { exact: true }).isChecked()).toBe(true);
    await save();
    expect(kept()).toEqual(value);
    expect(await notifying()).toEqual(['Export']);
  });

  test('replaces the URL, removes one, and lets one think again', async () => {
    await edit();
    await down().getByRole('button', { name: 'Change URL' }).press('Enter');
    await down().getByText('Replaces https://tickets.example.org/… when you save.').waitFor();
    await at.page.keyboard.type('https://new.example.org/hook');
    await down().getByRole('button', { name: 'Remove Headers' }).click();
    await down().getByText('Removed when you save.').waitFor();
    await down().getByRole('button', { name: 'Keep the current Headers' }).click();
    const up = box('When a check recovers');
    await up.getByRole('button', { name: 'Remove URL' }).click();
    expect(await at.findings('main')).toEqual([]);
    await save();
    const { url_up: _, ...rest } = value;
    expect(kept()).toEqual({ ...rest, url_down: 'https://new.example.org/hook' });
  });

  test('adds a header beside one whose content is not shown', async () => {
    await edit();
    await down().getByRole('button', { name: 'Add Content-Type: application/json' }).click();
    const headers = down().getByLabel('Headers');
    await expect.poll(() => headers.inputValue()).toBe('Authorization: •••\nContent-Type: application/json');
    await down().getByText('••• keeps what a header contains.').waitFor();
    expect(await at.findings('main')).toEqual([]);
    await save();
    expect(kept().headers_down).toEqual({
      Authorization: 'Bearer abc',
      'Content-Type': 'application/json',
    });
    await edit();
    await down().getByRole('button', { name: 'Change Headers' }).click();
    await headers.fill('Authorization: •••');
    await save();
    expect(kept().headers_down).toEqual({ Authorization: 'Bearer abc' });
  });

  test('shows what is wrong at its field', async () => {
    await edit();
    await down().getByRole('button', { name: 'Change URL' }).click();
    await down().getByRole('textbox', { name: 'URL' }).fill('nowhere');
    await form().getByRole('button', { name: 'Save' }).click();
    await down()
      .getByText(/Enter a URL that begins with https/)
      .waitFor();
    expect(kept().url_down).toBe('https://new.example.org/hook');
  });

  test.each([
    ['Checks with a tag', 'db', ['Backup', 'Restore']],
    ['All checks (3)', '', ['Backup', 'Export', 'Restore']],
    ['None', '', []],
  ])('is used for: %s', async (choice, tag, those) => {
    await edit();
    await form().getByLabel(choice, { exact: true }).check();
    if (tag !== '') await form().getByRole('combobox', { name: 'Tag' }).selectOption(tag);
    await save();
    expect(await notifying()).toEqual(those);
  });

  const place = async (name: string) =>
    (await form().getByRole('button', { name, exact: true }).boundingBox()) ?? { x: 0, y: 0, width: 0 };

  test('offers none last, and keeps the button that deletes apart from those that do not', async () => {
    await edit();
    const choices = form().getByRole('group', { name: 'Use for' }).locator('label:has([type=radio])');
    expect(await choices.allInnerTexts()).toEqual([
      'All checks (3)',
      'Checks with a tag',
      'Chosen checks',
      'None',
    ]);
    for (const width of [390, 1440]) {
      await at.page.setViewportSize({ width, height: 900 });
      // What comes late moves both.
      await expect.poll(async () => (await place('Delete…')).y - (await place('Send test')).y).toBe(0);
      const [test, remove] = [await place('Send test'), await place('Delete…')];
      expect(remove.x - test.x - test.width).toBeGreaterThan(24);
    }
    const sending = form().getByRole('button', { name: 'Send test', exact: true });
    const said = at.page.locator(`[id="${await sending.getAttribute('aria-describedby')}"]`);
    await expect.poll(() => said.textContent()).toBe('Tests what is saved, without your unsaved changes.');
  });

  test('begins with those that it is used for when one chooses', async () => {
    await at.owner.post(`/web/in/${at.project}/channels/${id}/checks`, { checks: 'all' });
    await edit();
    await form().getByLabel('Chosen checks').check();
    await form().getByLabel('Backup', { exact: true }).uncheck();
    await form().getByText('Chosen checks (2)').waitFor();
    // Once.
    await expect
      .poll(() =>
        form()
          .getByText(/\d chosen/)
          .count(),
      )
      .toBe(0);
    await save();
    expect(await notifying()).toEqual(['Export', 'Restore']);
  });

  test('refuses checks that it cannot read', async () => {
    const path = `/web/in/${at.project}/channels/${id}/checks`;
    const refused = await at.owner.post(path, { checks: 'some' });
    expect([refused.status, refused.json().error]).toEqual([400, expect.stringMatching(/all, none, a list/)]);
    expect((await at.owner.post(path, { checks: ['8f7a3a4e-0000-4000-8000-000000000000'] })).json()).toEqual({
      count: 0,
    });
  });

  test('lists the placeholders once, and offers the content type of a JSON body', async () => {
    await at.open('integrations/new/webhook');
    await form().getByText('Placeholders').click();
    for (const name of Object.keys(placeholders))
      await form()
        .locator('dt', { hasText: new RegExp(`^\\$${name}$`) })
        .waitFor();
    const offer = down().getByText('The body is JSON, but no header says so.');
    await down().getByLabel('Body').fill('$NAME is down');
    await expect.poll(() => offer.count()).toBe(0);
    await down().getByLabel('Body').fill('{"name": "$NAME", "body": $BODY_JSON, "check": $JSON}');
    await offer.waitFor();
    expect(await at.findings('main')).toEqual([]);
    await down().getByRole('button', { name: 'Add Content-Type: application/json' }).click();
    await expect.poll(() => offer.count()).toBe(0);
    await expect.poll(() => down().getByLabel('Headers').inputValue()).toBe('Content-Type: application/json');
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });

  test('has the events that it is notified of as ticks; none of them is all', async () => {
    const events = () => {
      const [project] = at.knell.app.engine.read.projects();
      const channels = project ? at.knell.app.engine.read.channels(project.id) : [];
      return channels.find((one) => one.id === id)?.settings?.events ?? '';
    };
    await edit();
    await form().locator('summary', { hasText: 'Delays, repeats and filters' }).click();
    for (const name of ['A run hung', 'Up again']) await form().getByLabel(name).check();
    expect(await at.findings()).toEqual([]);
    await save();
    expect(events()).toBe('hung up');
    await edit();
    for (const name of ['A run hung', 'Up again']) await form().getByLabel(name).uncheck();
    await save();
    expect(events()).toBe('');
  });

  test('of a private address: what failed is sent again once an owner allows it', async () => {
    const receiver = await HttpReceiver.start();
    try {
      const body = { kind: 'webhook', name: 'Inside', fields: { url_down: receiver.url('/down') } };
      await at.owner.post(`/web/in/${at.project}/channels`, body);
      const { uuid } = await at.knell.create({ name: 'Blocked', channels: '*' });
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.open('integrations');
      await at.page.getByText('127.0.0.1 is a private address').waitFor();
      await at.page.getByRole('link', { name: 'Inside', exact: true }).click();
      await at.page.locator('.facts').getByText('Failing since').waitFor();
      await at.page.getByRole('button', { name: 'Allow 127.0.0.1 and retry of Inside' }).click();
      await answerYes(at.page, 'Allow and retry');
      await receiver.until(1);
      await expect.poll(() => at.page.getByText('127.0.0.1 is a private address').count()).toBe(0);
    } finally {
      await receiver.stop();
    }
  });
});
