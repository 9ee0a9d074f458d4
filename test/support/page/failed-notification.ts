/** A check that is down, and a webhook whose real receiver answers as a test says: what failed can be sent again from the page. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { second } from '../../../src/lib/units.ts';
import type { Json } from '../knell.ts';
import { HttpReceiver } from '../wire/receivers.ts';
import { OwnerBrowser } from './owner-browser.ts';

export class FailedNotification {
  readonly at: OwnerBrowser;
  readonly #receiver: HttpReceiver;
  /** What the receiver answers. */
  status: number;
  /** How many notifications have come. */
  received = 0;
  check = '';
  incident = '';

  private constructor(at: OwnerBrowser, receiver: HttpReceiver, status: number) {
    this.at = at;
    this.#receiver = receiver;
    this.status = status;
    receiver.answering = (_, response) => {
      this.received++;
      response.statusCode = this.status;
      response.end();
    };
  }

  /** `status`: of the answer to the alert that the check `db` is down. */
  static async start(status: number): Promise<FailedNotification> {
    const receiver = await HttpReceiver.start();
    const at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const scene = new FailedNotification(at, receiver, status);
    const urls = { url_down: receiver.url('/down'), url_up: receiver.url('/up') };
    const args = { project: 'default', kind: 'webhook', name: 'pager', value: JSON.stringify(urls) };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    const { uuid } = await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: '*' });
    await at.knell.request(`/ping/${uuid}`);
    await at.knell.request(`/ping/${uuid}/fail`);
    scene.check = uuid;
    scene.incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
    return scene;
  }

  async stop(): Promise<void> {
    await this.at.stop();
    await this.#receiver.stop();
  }

  line(words: RegExp): Locator {
    return this.at.page.locator('.timeline li', { hasText: words });
  }

  retry(of: RegExp): Locator {
    return this.line(of).getByRole('button', { name: 'Retry now' });
  }

  /** Of all notifications of the incident, a second later: outcomes are written together. */
  async outcomes(): Promise<readonly string[]> {
    await this.at.clock.advance(second);
    return (await this.#incident()).notifications.map(({ event, outcome }: Json) => `${event} ${outcome}`);
  }

  /** From attempt to attempt: hours must not pass while the outcome of one is still on its way. */
  async untilGivenUp(): Promise<void> {
    const { clock } = this.at;
    const waiting = async (): Promise<Json> => (await this.#incident()).waiting?.[0];
    for (let next = await waiting(); next; next = await waiting()) {
      const { attempts, next_attempt } = next;
      const dueMs = next_attempt ? Date.parse(next_attempt) : 0;
      await clock.advance(Math.max(1, dueMs - clock.nowMs()));
      await expect
        .poll(async () => (await waiting())?.attempts ?? Number.POSITIVE_INFINITY, { interval: 5 })
        .toBeGreaterThan(attempts);
    }
  }

  async #incident(): Promise<Json> {
    return (await this.at.knell.api('GET', `/api/v3/incidents/${this.incident}`)).json();
  }

  /** Opens a page with the clock of the server, to which the session belongs. */
  async open(path: string): Promise<void> {
    const { at } = this;
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await at.open(path);
  }
}
