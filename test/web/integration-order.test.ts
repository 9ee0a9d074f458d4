/** The order of the integrations, and which of them are columns of the matrix, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asChannelId } from '../../src/lib/ids.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the integrations', () => {
  let at: OwnerBrowser;
  let http: HttpReceiver;

  beforeAll(async () => {
    http = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.clock.install();
    const add = async (kind: string, name: string, fields: object): Promise<string> =>
      (await at.owner.post(`/web/in/${at.project}/channels`, { kind, name, fields })).json().id;
    const off = await add('webhook', 'Turned off', { url_down: http.url('/off') });
    await at.owner.post(`/web/in/${at.project}/channels/${off}`, { disabled: true });
    await add('webhook', 'Works', { url_down: http.url('/good') });
    await add('events', 'Events', { url: http.url('/events'), types: 'incident' });
    await add('webhook', 'Broken', { url_down: 'http://127.0.0.1:9/' });
    const { uuid } = await at.knell.create({ name: 'job', channels: '*' });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(20_000);
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(integrations.some(({ retrying }: { readonly retrying: number }) => retrying > 0)).toBe(true);
    });
  });

  afterAll(async () => {
    await at?.stop();
    await http?.stop();
  });

  const names = () =>
    at.page
      .locator('.integration')
      .evaluateAll((lines: readonly { getAttribute(name: string): string }[]) =>
        lines.map((line) => line.getAttribute('aria-label')),
      );

  test('begin with what does not work, end with what is turned off, and say so in plain words', async () => {
    await at.open('integrations');
    await expect.poll(names).toHaveLength(4);
    const [first, ...others] = await names();
    expect(first).toBe('Broken');
    expect(others.at(-1)).toBe('Turned off');
    const line = (name: string) => at.page.locator(`.integration[aria-label="${name}"]`);
    await expect.poll(() => line('Turned off').locator('.channel-name > span').textContent()).toBe('Webhook');
    await line('Events').getByText('No failures').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('keep their places when the health of one changes', async () => {
    const before = await names();
    await at.owner.post(`/web/in/${at.project}/channels/${await idOf('Works')}`, { disabled: true });
    // It looks every five seconds.
    await at.page.clock.fastForward(5000);
    await at.page.locator('.integration[aria-label="Works"]').getByText('Turned off').waitFor();
    expect(await names()).toEqual(before);
  });

  test('are columns of the matrix only if checks notify them', async () => {
    await at.open('integrations?view=matrix');
    await expect
      .poll(() => at.page.locator('.matrix-head .title').allTextContents())
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/^Broken: Failing since /), 'Works: Turned off']),
      );
    await expect.poll(() => at.page.locator('.matrix-head .title', { hasText: 'Events' }).count()).toBe(0);
    // Every tick of the row is set, and none is for what gets no alerts.
    const ticks = at.page.locator('[aria-label^="job notifies"]');
    await expect.poll(() => ticks.count()).toBeGreaterThan(1);
    await expect.poll(() => ticks.and(at.page.locator(':not(:checked)')).count()).toBe(0);
  });

  test('fail from the first attempt that failed, wherever it is said', async () => {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    const { failingSinceMs } = integrations.find((one: { readonly name: string }) => one.name === 'Broken');
    expect(at.clock.nowMs() - failingSinceMs).toBeLessThan(60_000);
    await at.open('integrations');
    await at.page
      .locator('.integration[aria-label="Broken"]')
      .getByText(/^Failing since/)
      .waitFor();
    await at.open('new');
    const tick = at.page.locator('label.tick', { hasText: 'Broken' });
    await tick.getByText(/^Failing since/).waitFor();
    await at.open('checks');
    const notifies = at.page.locator('.row', { hasText: 'job' }).locator('.notifies > span');
    await expect.poll(() => notifies.getAttribute('title')).toMatch(/^Broken: Failing since /);
    const { projects } = (await at.owner.get('/web/overview?rows=1')).json();
    expect(projects[0].integrations).toEqual({ failing: 1, unable: 0 });
    // The line above every page waits until it is no accident.
    await expect.poll(() => at.page.locator('.banner.failing').count()).toBe(0);
  });

  test('fail still when they are turned off and on again, until an attempt succeeds', async () => {
    const path = `/web/in/${at.project}/channels/${await idOf('Broken')}`;
    for (const disabled of [true, false]) await at.owner.post(path, { disabled });
    await at.open('integrations');
    await at.page
      .locator('.integration[aria-label="Broken"]')
      .getByText(/^Failing since/)
      .waitFor();
  });

  test('say of a notification that was never sent why, where the last one is', async () => {
    const [{ uuid }] = (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
    await at.knell.api('POST', `/api/v3/checks/${uuid}/snooze`, { for: 3600 });
    const last = at.page.locator('.integration[aria-label="Broken"] .last');
    const words = async () => {
      await at.clock.advance(20_000);
      await at.open('integrations');
      return last.textContent();
    };
    await expect.poll(words).toMatch(/, not sent, snoozed.*Down: job/);
  });

  test('are members of a group only if they get alerts', async () => {
    await at.open('integrations/new/group');
    const form = at.page.locator('form.check-form');
    await form.getByRole('checkbox', { name: 'Broken Webhook' }).waitFor();
    await expect.poll(() => form.getByRole('checkbox', { name: 'Event subscription' }).count()).toBe(0);
  });

  test('fail still where what failed was before the last start', async () => {
    const id = asChannelId(await idOf('Works'));
    const settings = { disabled: false, lastError: 'status 500', failingSinceMs: at.clock.nowMs() - 1000 };
    await at.knell.app.engine.change.editChannel(id, { settings });
    // As after a start: what was sent is in memory only.
    const path = '**/web/in/*/integrations';
    await at.page.route(path, async (route) => {
      const answer = await route.fetch();
      const { integrations, ...view } = await answer.json();
      const started = integrations.map((one: object) => ({ ...one, recent: [] }));
      await route.fulfill({ response: answer, json: { ...view, integrations: started } });
    });
    await at.open('integrations');
    const line = at.page.locator('.integration[aria-label="Works"]');
    await line.getByText(/^Failing since/).waitFor();
    await line.getByText('status 500').waitFor();
    await at.page.unroute(path);
  });

  test('are all counted in the line above every page, as in the list, once one fails for a while', async () => {
    const { change } = at.knell.app.engine;
    // Broken fails, too, since it was first used.
    for (const [name, forMs] of [
      ['Works', 600_000],
      ['Events', 1000],
    ] as const)
      await change.editChannel(asChannelId(await idOf(name)), {
        settings: { disabled: false, lastError: 'status 500', failingSinceMs: at.clock.nowMs() - forMs },
      });
    await at.open('badges');
    const line = at.page.locator('.banner.failing .words');
    await expect
      .poll(() => line.textContent())
      .toMatch(/^Works has been failing since .*, 2 more are failing\.$/);
  });

  async function idOf(name: string): Promise<string> {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    return integrations.find((one: { readonly name: string }) => one.name === name).id;
  }
});
