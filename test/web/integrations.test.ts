/** Integrations in a real browser: each kind by its own fields, made, changed, and shown what is wrong where. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChannelKind, channelKinds, defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { kinds } from '../../src/integrations/all.ts';
import { asChannelId } from '../../src/lib/ids.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const gone = '{"url":"https://gotify.example.org","token":"t"}';
const unreachable = { kind: 'webhook', name: 'Unreachable', fields: { url_down: 'http://127.0.0.1:9/x' } };

describe.skipIf(browserMissing !== '')('the integrations page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'first job', channels: '' });
    await at.open('integrations');
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  /** Its page, also of a kind that this server lacks something for: the gallery has no link to that. */
  const kind = async (name: ChannelKind) => {
    await at.open(`integrations/new/${name}`);
    await form().waitFor();
  };
  /** By way of the gallery, without loading the page anew, which would take most of the time. */
  const nextKind = async (name: ChannelKind) => {
    for (const [path, title] of [
      ['', 'Integrations'],
      [`/new/${name}`, name === 'webpush' ? 'Add this browser' : `Add ${kinds[name].form.title}`],
    ]) {
      const address = JSON.stringify(`/project/${at.project}/integrations${path}`);
      await at.page.evaluate(
        `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await at.page.getByRole('heading', { name: title ?? '', exact: true, level: 1 }).waitFor();
    }
  };
  /** Without a test, which would go out of this machine; see `first-steps.test.ts`. */
  const add = () =>
    form()
      .getByRole('button', { name: /^Add (?:integration|without a test)$/ })
      .click();
  const line = (name: string) => at.page.getByRole('listitem', { name, exact: true });
  const fromMenu = async (name: string, action: string): Promise<void> => {
    await at.page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
    await at.page.getByRole('menuitem', { name: action }).click();
  };
  const remove = async (name: string): Promise<void> => {
    await fromMenu(name, 'Delete');
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Delete' }).click();
    await line(name).waitFor({ state: 'detached' });
  };
  const keptOf = (name: string): string => {
    const { read } = at.knell.app.engine;
    const channels = read.projects().flatMap(({ id }) => read.channels(id));
    return channels.find((one) => one.name === name)?.value ?? '';
  };

  test('asks for what each kind needs, with a label for every field, and says what is missing', async () => {
    const shapes = new Set<string>();
    for (const one of channelKinds) {
      // The rest of the page does not depend on the kind, and forms of the same inputs are alike: four in `npm test`.
      const { title, fields } = kinds[one].form;
      const shape = fields.map(({ input }) => input).join(' ');
      if (!isLong && (shapes.has(shape) || shapes.size === 4)) continue;
      shapes.add(shape);
      await nextKind(one);
      const [first] = fields;
      await add();
      const wrong = form().locator('[role=alert]').first();
      await wrong.waitFor();
      if (first && first.input !== 'integrations' && first.input !== 'browser') {
        const focused = () => at.page.evaluate<string>('document.activeElement.name');
        await expect
          .poll(focused, { message: title })
          .toMatch(new RegExp(fields.map(({ name }) => name).join('|')));
      }
      expect(await at.findings('form'), title).toEqual([]);
      expect(await at.overflow(), title).toBeLessThanOrEqual(0);
    }
    expect(await at.findings()).toEqual([]);
  });

  test('shows an error at its field, bound to it, and takes it once it is right', async () => {
    await kind('email');
    await form().getByLabel(/^Name/).fill('On call');
    const address = form().getByLabel('Email address');
    await address.fill('nobody');
    await address.press('Enter');
    await form().getByText('Enter a valid email address.').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    const described = await address.getAttribute('aria-describedby');
    await expect
      .poll(() => at.page.locator(`[id="${described}"]`).textContent())
      .toContain('Enter a valid email address.');
    await address.fill('ops@example.org');
    await form().getByLabel('Notify when a check recovers').uncheck();
    await form().getByLabel('Confirm it myself').check();
    await address.press('Enter');
    await at.page.getByText('Your check notifies it.').waitFor();
    await at.page.getByText('Nothing will be sent: email needs').waitFor();
    await at.page.getByText('1 integration cannot send: Email needs KNELL_MAIL_URL.').waitFor();
    expect(JSON.parse(keptOf('On call'))).toEqual({ value: 'ops@example.org', down: true, up: false });
  });

  test('says why Knell disabled one, and enables it again', async () => {
    const { channel } = await at.knell.app
      .admin(
        { command: 'channel create', args: { project: 'default', kind: 'gotify', name: 'Old', value: gone } },
        () => {},
      )
      .then((made) => ({ channel: asChannelId((made as { id: string }).id) }));
    const { change, read } = at.knell.app.engine;
    const disabledReason = 'it is gone for good (status 410)';
    await change.editChannel(channel, {
      settings: { ...defaultChannelSettings, disabled: true, disabledReason, lastError: 'status 410' },
    });
    await at.open('integrations');
    await line('Old').getByText('Turned off').waitFor();
    await line('Old').getByText('it is gone for good (status 410)').waitFor();
    await fromMenu('Old', 'Turn on');
    await line('Old').getByText('No notification yet').waitFor();
    expect(read.channel(channel)?.settings).toEqual(defaultChannelSettings);
  });

  test('warns of a kind that this server lacks something for, and of a private address', async () => {
    await kind('telegram');
    await form().getByText('Telegram needs KNELL_TELEGRAM_TOKEN, which this server does not have').waitFor();
    await kind('webhook');
    await form().getByLabel(/^Name/).fill('Private');
    await form().getByLabel(/^URL/).first().fill('http://127.0.0.1:9/');
    await form().getByRole('button', { name: 'Add and send test' }).click();
    await at.page.getByText('Nothing was sent: 127.0.0.1 is a private address').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.open('integrations');
    await line('Private').getByRole('link', { name: 'Private' }).click();
    await form().getByRole('button', { name: 'Save' }).click();
    await at.page.getByText('Saved. Nothing will be sent: 127.0.0.1 is private').waitFor();
    await remove('Private');
  });

  test('shows an address that is not verified, and lets an owner confirm it', async () => {
    await kind('email');
    await form().getByLabel(/^Name/).fill('Unverified');
    await form().getByLabel('Email address').fill('new@example.org');
    await add();
    await at.page.getByText('The verification email was not sent: email needs KNELL_MAIL_URL').waitFor();
    await at.open('integrations');
    const unverified = line('Unverified');
    await unverified.getByRole('button', { name: 'Send the verification email again' }).click();
    await unverified.getByRole('alert').getByText('KNELL_MAIL_URL').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await unverified.getByRole('button', { name: 'Confirm it myself' }).click();
    await unverified.getByRole('button', { name: 'Confirm it myself' }).waitFor({ state: 'detached' });
    await remove('Unverified');
  });

  test('makes a webhook for down and for up', async () => {
    await kind('webhook');
    await form().getByLabel(/^Name/).fill('Hook');
    const down = form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    await down.getByLabel(/^URL/).fill('https://example.org/secret-$CODE');
    await down.getByLabel('Method').selectOption('PUT');
    await down.getByLabel('Body').fill('{"name": "$NAME"}');
    await down.getByLabel('Headers').fill('X-Token: abc\nContent-Type: application/json');
    const secret = form().getByRole('textbox', { name: /^Signing secret/ });
    await form().getByRole('button', { name: 'Generate' }).click();
    const old = await secret.inputValue();
    await form().getByRole('button', { name: 'Generate' }).click();
    const both = await secret.inputValue();
    expect(both).toMatch(/^whsec_[\w+/]{43}= whsec_[\w+/]{43}=$/);
    expect(both.endsWith(` ${old}`)).toBe(true);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await add();
    await at.page.getByRole('heading', { name: 'Hook was added' }).waitFor();
    expect(JSON.parse(keptOf('Hook'))).toEqual({
      url_down: 'https://example.org/secret-$CODE',
      method_down: 'PUT',
      body_down: '{"name": "$NAME"}',
      headers_down: { 'X-Token': 'abc', 'Content-Type': 'application/json' },
      secret: both,
    });
  });

  test('changes open fields, keeps what is secret, and takes it away on asking', async () => {
    await at.open('integrations');
    await fromMenu('Hook', 'Edit');
    const down = form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    await expect.poll(() => down.getByLabel('Method').inputValue()).toBe('PUT');
    await down.getByText('https://example.org/…').waitFor();
    await down.getByText('X-Token, Content-Type').waitFor();
    expect(await at.page.content()).not.toContain('secret-$CODE');
    await form().getByText('Set, not shown').waitFor();
    expect(await at.page.content()).not.toMatch(/whsec_[\w+/]{43}/);
    await form().getByRole('button', { name: 'Remove Signing secret' }).click();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await down.getByRole('button', { name: 'Remove Headers' }).click();
    await down.getByLabel('Method').selectOption('POST');
    await form().getByRole('button', { name: 'Save' }).click();
    await line('Hook').waitFor();
    expect(JSON.parse(keptOf('Hook'))).toEqual({
      url_down: 'https://example.org/secret-$CODE',
      method_down: 'POST',
      body_down: '{"name": "$NAME"}',
    });
  });

  test('is used for all checks, unless none or some are chosen, with the settings that are typed', async () => {
    const { read } = at.knell.app.engine;
    const assigned = async (name: string) => {
      const { channels } = (await at.owner.get(`/web/in/${at.project}/settings`)).json();
      const { id } = channels.find((one: { name: string }) => one.name === name);
      const [project] = read.projects();
      return project
        ? [...read.checks(project.id, at.clock.nowMs())]
            .filter(({ config }) => config.channels.includes(id))
            .map(({ config }) => config.name)
        : [];
    };
    expect(await assigned('On call')).toEqual(['first job']);
    await at.knell.create({ name: 'second job', channels: '' });
    await kind('webhook');
    const url = form().getByLabel(/^URL/).first();
    await form().getByLabel(/^Name/).fill('For some');
    await url.fill('https://example.org/');
    await form().getByRole('radio', { name: 'Choose…' }).check();
    await form().getByRole('checkbox', { name: 'second job' }).check();
    await form().getByLabel('Notify only if down').waitFor({ state: 'hidden' });
    await form().getByText('at once, about every check that uses it').click();
    await form().getByLabel('Notify only if down').fill('5');
    const zone = form().getByLabel('Time zone of its messages');
    await zone.fill('Europe/Nowhere');
    expect(await at.findings('form')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await add();
    await form().getByText('"Europe/Nowhere" is not a time zone').waitFor();
    await zone.fill('Europe/Riga');
    await add();
    await at.page.getByText('1 of 2 checks notify it.').waitFor();
    expect(await assigned('For some')).toEqual(['second job']);
    const [settings] = read
      .projects()
      .flatMap(({ id }) => read.channels(id))
      .filter(({ name }) => name === 'For some')
      .map((one) => one.settings);
    expect(settings).toMatchObject({ delayS: 300, timeZone: 'Europe/Riga' });
    await kind('webhook');
    await form().getByLabel(/^Name/).fill('For none');
    await url.fill('https://example.org/');
    await form().getByRole('radio', { name: 'None' }).check();
    await add();
    await at.page.getByText('No check notifies it yet.').waitFor();
    expect(await assigned('For none')).toEqual([]);
    await at.open('integrations');
    for (const name of ['For some', 'For none']) await remove(name);
  });

  test('makes a group of those that are there', async () => {
    await kind('group');
    await form().getByLabel(/^Name/).fill('Everyone');
    await form()
      .getByRole('checkbox', { name: /^On call/ })
      .check();
    await form().getByRole('checkbox', { name: /^Hook/ }).check();
    await add();
    await at.page.getByRole('heading', { name: 'Everyone was added' }).waitFor();
    expect(keptOf('Everyone').split(',')).toHaveLength(2);
  });

  test('saves every tick, however quickly they follow each other', async () => {
    const { uuid } = await at.knell.create({ name: 'job' });
    await at.open('integrations?view=matrix');
    const tick = (who: string) => at.page.getByRole('checkbox', { name: `job notifies ${who}`, exact: true });
    const kept = async () =>
      (await at.owner.get(`/web/in/${at.project}/api/checks/${uuid}`)).json().channels.split(',');
    await tick('Everyone').waitFor();
    await at.page.evaluate(`for (const who of ['On call', 'Hook', 'Everyone'])
      document.querySelector('[aria-label="job notifies ' + who + '"]').click()`);
    await expect.poll(async () => (await kept()).length).toBe(3);
    for (const who of ['On call', 'Hook', 'Everyone'])
      await expect.poll(() => tick(who).isChecked(), { message: who }).toBe(true);
    await tick('Hook').uncheck();
    await expect.poll(async () => (await kept()).length).toBe(2);
    // What somebody else does is seen too.
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}`, { channels: '' });
    await expect.poll(() => tick('On call').isChecked()).toBe(false);
  });

  test('asks before it deletes one, and gives the focus back', async () => {
    await at.open('integrations');
    const more = at.page.getByRole('button', { name: 'More for Everyone' });
    await more.focus();
    await at.page.keyboard.press('Enter');
    // The menu takes the focus a little after it opens.
    await at.page.locator('[role=menuitem]:focus').waitFor();
    await at.page.getByRole('menuitem', { name: 'Delete' }).focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Everyone will not be notified about any check').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.keyboard.press('Escape');
    await expect
      .poll(() => at.page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('More for Everyone');
    await remove('Everyone');
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('shows what could not be delivered, why, and discards it on request', async () => {
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, unreachable)).json();
    const check = await at.knell.create({ name: 'lost job', channels: id });
    await at.open('integrations');
    await line('Unreachable').getByText('No notification yet').waitFor();
    await at.knell.request(`/ping/${check.uuid}/fail`, { method: 'POST' });
    const outbox = async () => (await at.owner.get(`/web/in/${at.project}/outbox`)).json();
    await expect.poll(async () => (await outbox()).deliveries[0]?.state).toBe('dead');
    // By itself it looks every five seconds: `integration-order.test.ts`.
    await at.open('integrations');
    const one = line('Unreachable');
    await one.getByText('Failing since').waitFor();
    await one.getByText('1 failed notification').waitFor();
    await one.getByText('private and blocked').first().waitFor();
    // Open from the start, as all recent ones failed.
    await one.getByRole('button', { name: 'Details of Down: lost job' }).click();
    await one.getByText('Given up. Retry sends it again.').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await one.getByRole('button', { name: 'Retry now Down: lost job' }).click();
    await one.getByRole('button', { name: 'Discard Down: lost job' }).click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Discard' }).click();
    await one.getByText('1 failed notification').waitFor({ state: 'detached' });
    expect(await outbox()).toEqual({ total: 0, deliveries: [] });
  });

  test('shows the newest notifications to the keyboard, and as a table to screen readers', async () => {
    const columns = at.page.getByRole('img', { name: 'Last 1 notifications of Unreachable: 1 failed' });
    await columns.focus();
    await at.page.keyboard.press('ArrowLeft');
    await line('Unreachable').locator('.tip').getByText('Down: lost job · failed').waitFor();
    const table = line('Unreachable').getByRole('table', { name: 'Last notifications of Unreachable' });
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
  });

  test('sends a test, turns one off and on again, with a way back', async () => {
    await line('Unreachable').getByRole('button', { name: 'Send test to Unreachable' }).click();
    await line('Unreachable').getByRole('alert').getByText('is a private address').waitFor();
    await line('Unreachable').getByRole('button', { name: 'Allow 127.0.0.1 and send again' }).waitFor();
    await fromMenu('Unreachable', 'Turn off');
    await line('Unreachable').getByText('Turned off').waitFor();
    await at.page.getByRole('button', { name: 'Undo' }).click();
    await line('Unreachable').getByText('Failing since').waitFor();
  });

  test('finds a kind by words and by category, those without their setting last and without a link', async () => {
    // Without what was just said at its lower edge, which is over the gallery for ten seconds.
    await at.open('integrations');
    const gallery = at.page.getByRole('region', { name: 'Add an integration' });
    await gallery.getByRole('button', { name: `Show all ${channelKinds.length} kinds` }).click();
    await expect.poll(() => gallery.locator('.kind').count()).toBe(channelKinds.length);
    const order = await gallery.locator('.kind').evaluateAll((all) => all.map((one) => one.tagName));
    expect(order.indexOf('LI')).toBe(order.lastIndexOf('A') + 1);
    await gallery.getByText('Needs KNELL_TELEGRAM_TOKEN').waitFor();
    await gallery.getByRole('button', { name: 'Incidents' }).click();
    await gallery.getByRole('link', { name: 'PagerDuty' }).waitFor();
    await expect.poll(() => gallery.getByRole('link', { name: 'Slack' }).count()).toBe(0);
    await gallery.getByRole('button', { name: 'All', exact: true }).click();
    await gallery.getByRole('searchbox').fill('team');
    await expect.poll(() => gallery.getByRole('link').count()).toBe(1);
    expect(await at.findings()).toEqual([]);
    await gallery.getByRole('link', { name: 'Microsoft Teams' }).click();
    await at.page.getByRole('heading', { name: 'Add Microsoft Teams' }).waitFor();
  });

  test('is used for the checks with a tag, and offers a test once it is there', async () => {
    for (const n of [1, 2]) await at.knell.create({ name: `tagged ${n}`, tags: 'night', channels: '' });
    await kind('webhook');
    await form().getByLabel(/^Name/).fill('Nights');
    await form().getByLabel(/^URL/).first().fill('http://127.0.0.1:9/');
    await form().getByRole('radio', { name: 'Checks with a tag' }).check();
    await form().getByRole('combobox', { name: 'Tag' }).selectOption('night');
    await add();
    await at.page.getByText(/^2 of \d checks notify it/).waitFor();
    await at.page.getByRole('button', { name: 'Allow 127.0.0.1 and send a test' }).waitFor();
    await at.page.getByRole('alert').getByText('is a private address').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('had nothing to complain of but what was refused on purpose', () => {
    expect(at.complaints.filter((text) => !/status of (400|409)/.test(text))).toEqual([]);
  });
});
