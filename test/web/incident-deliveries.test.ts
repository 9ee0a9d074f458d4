/** Deliveries that fail, in a real browser: an incident's timeline and its check's page say what went wrong, and what comes next. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a delivery that fails', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = ({ path }, response) => {
      response.statusCode = path === '/pager' ? 500 : 200;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    for (const name of ['pager', 'tickets']) {
      const value = JSON.stringify({ url_down: receiver.url(`/${name}`) });
      const args = { project: 'default', kind: 'webhook', name, value };
      await at.knell.app.admin({ command: 'channel create', args }, () => {});
    }
    ({ uuid: check } = await at.knell.create({ name: 'db', channels: '*' }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
    await at.page.clock.setFixedTime(at.clock.nowMs());
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  const line = (words: RegExp) => at.page.locator('.timeline li', { hasText: words });

  test('is in the timeline of its incident, with the error and the next try', async () => {
    await at.open(`incidents/${incident}`);
    // Outcomes are written together, a moment later.
    await at.clock.advance(200);
    const failing = line(/Down alert to pager \(Webhook\): failed/);
    const words = async () => {
      // The page asks for it every 30 seconds.
      await at.page.reload();
      return failing.textContent({ timeout: 2000 }).catch(() => '');
    };
    await expect.poll(words).toMatch(/Status 500\. Next try at \d/);
    await expect.poll(() => failing.getAttribute('class')).toBe('wrong');
    await line(/Down alert to tickets \(Webhook\): delivered/).waitFor();
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('stays in it once it was given up', async () => {
    const outcomes = async (): Promise<readonly string[]> => {
      await at.clock.advance(hour);
      const { notifications } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
      return notifications.map(({ outcome }: { outcome: string }) => outcome);
    };
    await expect.poll(outcomes).toContain('failed');
    await at.open(`incidents/${incident}`);
    await line(
      /Down alert to pager \(Webhook\): failedStatus 500\. Given up after \d+ attempts\. It is sent only if somebody retries it/,
    ).waitFor();
  });

  test('is counted with those that failed, and not what was not tried yet', async () => {
    for (let n = 0; n < 12; n++) {
      const { uuid } = await at.knell.create({ name: `job ${n}`, channels: '*' });
      await at.knell.request(`/ping/${uuid}/fail`);
    }
    const head = at.page.locator('.troubles-head');
    const counted = async () => {
      await at.clock.advance(1000);
      await at.open('integrations');
      return head.getByRole('button').first().textContent();
    };
    await expect.poll(counted).toMatch(/^[1-9]\d* failed notifications?, [1-9]\d* not tried yet/);
    const { deliveries } = (await at.owner.get(`/web/in/${at.project}/outbox`)).json();
    const tried = deliveries.filter(({ attempts }: { attempts: number }) => attempts > 0).length;
    await expect.poll(counted).toMatch(new RegExp(`^(${tried}|${tried + 1}|${tried + 2}) failed`));
  });

  test('leaves an incident that somebody has acknowledged behind the others, and calmer', async () => {
    const [newest] = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents;
    await at.knell.api('POST', `/api/v3/incidents/${newest.id}/acknowledge`, {});
    await at.open('incidents');
    const lines = at.page.locator('[aria-labelledby=open] .incidents > li');
    await expect.poll(() => lines.count()).toBe(13);
    await expect
      .poll(() => lines.last().textContent())
      .toMatch(new RegExp(`${newest.title}.*Acknowledged by API key`));
    await expect.poll(() => lines.last().locator('.mark.acknowledged').count()).toBe(1);
    await expect.poll(() => lines.first().locator('.mark.down').count()).toBe(1);
    const { uuid } = (await at.knell.api('GET', `/api/v3/incidents/${newest.id}`)).json().checks[0];
    await at.open(`checks/${uuid}`);
    // The audit log knows the beginning of the key; here it has the name that it has everywhere else.
    await at.page.locator('.log > li', { hasText: /Acknowledged by API key$/ }).waitFor();
    await at.open('incidents');
    await lines.last().getByRole('link').click();
    await at.page.locator('.now .who', { hasText: /^Acknowledged by API key, / }).waitFor();
    await at.page.locator('.now .big', { hasText: /^Open for / }).waitFor();
    const colors = await at.page.evaluate<readonly string[]>(
      `(() => { const of = (one) => getComputedStyle(document.querySelector(one)).color; return [of('.now .big'), of('body')]; })()`,
    );
    expect(colors[0]).toBe(colors[1]);
    expect(await at.findings()).toEqual([]);
  });

  test('of a check that goes down and comes up all night is a timeline that begins short', async () => {
    const { uuid } = await at.knell.create({ name: 'sensor', channels: '' });
    for (let n = 0; n < 20; n++) {
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.clock.advance(1000);
      await at.knell.request(`/ping/${uuid}`);
      await at.clock.advance(1000);
    }
    const [newest] = (await at.knell.api('GET', '/api/v3/incidents/?state=resolved')).json().incidents;
    await at.open(`incidents/${newest.id}`);
    await at.page.locator('.now .why', { hasText: / · from .* until .* · reopened 19 times$/ }).waitFor();
    const lines = at.page.locator('.timeline > li');
    await expect.poll(() => lines.count()).toBe(30);
    await expect.poll(() => line(/^.*sensor is no longer down: resolved$/).count()).toBeGreaterThan(10);
    await at.page.getByRole('button', { name: /^Show all \d+$/ }).press('Enter');
    await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(40);
    await expect.poll(() => lines.last().textContent()).toContain('sensor went down: the incident opened');
  });
});
