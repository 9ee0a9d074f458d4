/** The first steps in a real browser: the third offers what needs no account, and says what became of the test that it sends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the first steps', () => {
  let at: OwnerBrowser;
  let ntfy: HttpReceiver;

  beforeAll(async () => {
    ntfy = await HttpReceiver.start();
    at = await OwnerBrowser.start();
    await at.open('checks');
  });

  afterAll(async () => {
    await at?.stop();
    await ntfy?.stop();
  });

  const step = () => at.page.locator('.first-steps ol > li').nth(2);
  const button = (name: string) => step().getByRole('button', { name, exact: true });
  const allowed = async (): Promise<unknown> =>
    (await at.owner.get('/web/server-settings'))
      .json()
      .settings.find(({ variable }: { variable: string }) => variable === 'KNELL_WEBHOOK_ALLOW').value;

  test('offer what needs no account before all others', async () => {
    await at.page.getByText('Set up your first check').waitFor();
    await expect
      .poll(() => step().locator('.actions button').allTextContents())
      .toEqual(['This browser', 'ntfy', 'Email', 'Webhook', 'Slack']);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('show how a job sends its ping, and how far one is below the sentence on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    const example = at.page.locator('.first-steps .example');
    await expect
      .poll(() => example.textContent())
      .toMatch(/^backup\.sh && curl -fsS -m 10 --retry 5 -o \/dev\/null http/);
    await at.page.locator('.elsewhere code').getByText('knell run').waitFor();
    const [words, done] = await Promise.all(
      ['.first-head > p', '.steps-done'].map((css) => at.page.locator(css).boundingBox()),
    );
    expect(done?.y).toBeGreaterThan((words?.y ?? 0) + (words?.height ?? 0) - 1);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('say how to turn email on, where the server sends none', async () => {
    await button('Email').click();
    await step().getByText('This server sends no mail yet. To turn it on, set KNELL_MAIL_URL').waitFor();
    await step().locator('a[href="/server"]', { hasText: 'Server settings' }).waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('say in red that an address is blocked, and allow exactly that one', async () => {
    const move = at.page.getByText('An import needs an empty data directory');
    await move.waitFor();
    await at.knell.create({ name: 'first job', channels: '' });
    await expect.poll(() => move.count()).toBe(0);
    // Nothing of the page of a check was opened yet, which has such tabs, too.
    const tab = at.page.locator('.first-steps .tabs').getByRole('button', { name: 'crontab' });
    const look = () =>
      tab.evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).borderTopWidth);
    await expect.poll(look).toBe('0px');
    await button('ntfy').click();
    await step().getByLabel('Topic').fill('my-alerts');
    // What was typed is there again after a look at another kind.
    await button('Slack').click();
    await expect.poll(() => step().getByLabel('Topic').isVisible()).toBe(false);
    await button('ntfy').click();
    await expect.poll(() => step().getByLabel('Topic').inputValue()).toBe('my-alerts');
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('topic');
    await step().getByLabel('Server').fill(ntfy.url());
    await step().getByLabel('Server').press('Enter');
    await step().getByRole('alert').getByText('Nothing was sent: 127.0.0.1 is a private address').waitFor();
    await step().getByText('Your check notifies it.').waitFor();
    expect(ntfy.all).toEqual([]);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    // Added, and yet nobody would be notified.
    await expect.poll(() => step().getAttribute('class')).toBe('');
    await button('Allow 127.0.0.1 and send again').click();
    await at.page.locator('dialog[open]').getByText('every project may then send to 127.0.0.1.').waitFor();
    expect(await allowed()).toBe('');
    await answerYes(at.page, 'Allow and send again');
    await step().getByText('Sent. Did it arrive?').waitFor();
    expect(ntfy.all.map(({ body }) => JSON.parse(body).topic)).toEqual(['my-alerts']);
    expect(await allowed()).toBe('127.0.0.1');
    expect(await at.findings()).toEqual([]);
  });

  test('are done with it once it has arrived', async () => {
    await button('Yes, it arrived').click();
    await step().getByText('Delivered').waitFor();
    await expect.poll(() => step().getAttribute('class')).toBe('done');
    await button('Send test to ntfy').click();
    await at.page.getByText('The test to ntfy was delivered.').waitFor();
    expect(ntfy.all).toHaveLength(2);
  });

  test('say why a later test was not delivered, and are not done with it', async () => {
    ntfy.answering = (_, response) => {
      response.statusCode = 403;
      response.end();
    };
    await button('Send test to ntfy').click();
    await step().getByRole('alert').getByText('The test was not delivered').waitFor();
    await expect.poll(() => step().getAttribute('class')).toBe('');
    await at.page.reload();
    await step().getByRole('alert').getByText('The last one was not delivered').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(at.complaints).toEqual([]);
  });

  test('allow an address without a test before, and then send one', async () => {
    await at.open('integrations/new/webhook');
    await at.page.getByLabel(/^URL/).first().fill('http://127.0.0.2:9/');
    await at.page.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByRole('alert').getByText('Nothing was sent: 127.0.0.2 is a private address').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('button', { name: 'Allow 127.0.0.2 and send a test' }).click();
    await answerYes(at.page, 'Allow and send a test');
    // Nothing listens there.
    await at.page.getByText(/^The test was not delivered/).waitFor();
    expect(await allowed()).toContain('127.0.0.2');
  });

  test('offer to allow the address after the page was loaded again, as the list and the page of it do', async () => {
    const { id } = (await at.owner.post('/web/projects', { name: 'Mirror' })).json();
    // They begin in an empty project.
    await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/checks`);
    await at.page.locator('.first-steps').waitFor();
    const webhook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'http://127.0.0.3:9/' } };
    const channel = (await at.owner.post(`/web/in/${id}/channels`, webhook)).json().id;
    await at.owner.post(`/web/in/${id}/channels/${channel}/test`, {});
    const check = { name: 'Mirror', timeout: 3600, grace: 3600 };
    await at.owner.post(`/web/in/${id}/api/checks/`, check);
    const allow = at.page.getByRole('button', { name: 'Allow 127.0.0.3 and send again' });
    // Its own page does not say otherwise when that was.
    for (const [path, words] of [
      ['integrations', /^Nothing was sent: 127\.0\.0\.3 is a private address/],
      [
        `integrations/${channel}`,
        /^Last notification, \d+:\d\d\s[AP]M: nothing was sent: 127\.0\.0\.3 is a private address/,
      ],
      ['checks', /^Nothing was sent: 127\.0\.0\.3 is a private address/],
    ] as const) {
      await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/${path}`);
      await allow.waitFor();
      await at.page.getByText(words).waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await expect
      .poll(() => step().getByText('KNELL_WEBHOOK_ALLOW').filter({ visible: true }).count())
      .toBe(0);
    await allow.click();
    await answerYes(at.page, 'Allow and send again');
    // Nothing listens there.
    await at.page.getByText(/^The test was not delivered/).waitFor();
    expect(await allowed()).toContain('127.0.0.3');
  });

  test('of a project are there again after those of another', async () => {
    const project = async (name: string): Promise<string> =>
      (await at.owner.post('/web/projects', { name })).json().id;
    const steps = async (id: string): Promise<void> => {
      await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/checks`);
      await at.page.locator('.first-steps').waitFor();
    };
    const [first, second] = [await project('Shop'), await project('Website')];
    await steps(first);
    const check = { name: 'Backup', timeout: 3600, grace: 3600 };
    expect((await at.owner.post(`/web/in/${first}/api/checks/`, check)).status).toBe(201);
    await steps(first);
    await steps(second);
    await steps(first);
  });
});
