/** A check with ten days of runs in a real browser, for the tests of its page: of two minutes each; the fourth and the last one fail. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../knell.ts';
import { eventually } from '../patience.ts';
import { OwnerBrowser } from './owner-browser.ts';

const minute = 60_000;
const day = 1440 * minute;

export class NightlyBackup {
  at = undefined as unknown as OwnerBrowser;
  backup: Json;
  /** Another check, which was never pinged. */
  busy: Json;

  /** For the test file that calls it, which ends with a look at what the browser complained of. */
  static forFile(): NightlyBackup {
    const scene = new NightlyBackup();
    beforeAll(() => scene.#fill(), 120_000);
    afterAll(() => scene.at?.stop());
    return scene;
  }

  async #fill(): Promise<void> {
    const at = await OwnerBrowser.start({
      KNELL_SMTP: '127.0.0.1:0',
      KNELL_EMAIL_DOMAIN: 'ping.example.org',
    });
    this.at = at;
    await this.wide(1300);
    // A private address: refused without a connection, so nothing leaves this machine.
    const hook = { kind: 'webhook', name: 'Blocked', fields: { url_down: 'http://127.0.0.1:9/' } };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json();
    const spec = { slug: 'nightly', tags: 'prod', timeout: 90_000, grace: 3600, channels: id };
    this.backup = await at.knell.create({ name: 'Nightly backup', ...spec });
    this.busy = await at.knell.create({ name: 'Queue', timeout: 3600, grace: 3600 });
    for (let n = 1; n <= 10; n++) await this.#run(n);
    const sent = `/api/v3/checks/${this.backup.uuid}/notifications/?seconds=3600`;
    await eventually(async () => {
      await at.clock.advance(5);
      expect((await at.knell.api('GET', sent)).json().notifications).toHaveLength(1);
    });
    await at.clock.advance(189 * minute);
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
  }

  async #run(n: number): Promise<void> {
    const { at, backup } = this;
    await this.ping(backup, '/start');
    await at.clock.advance(2 * minute);
    const fails = n === 4 || n === 10;
    await this.ping(backup, fails ? '/3' : '', fails ? `step ${n}: no space left` : `copied ${n} files`);
    // Nothing is due meanwhile: a day second by second would take long.
    if (n < 10) at.clock.skip(day - 3 * minute);
    if (n < 10) await at.clock.advance(minute);
  }

  open(): Promise<void> {
    return this.at.open(`checks/${this.backup.uuid}`);
  }

  ping({ uuid }: Json, rest = '', body = '') {
    return this.at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body });
  }

  button(name: string) {
    return this.at.page.getByRole('button', { name, exact: true });
  }

  wide(width: number): Promise<void> {
    return this.at.page.setViewportSize({ width, height: 900 });
  }

  lines() {
    return this.at.page.locator('.log > li');
  }

  kinds(): Promise<readonly string[]> {
    return this.lines().evaluateAll((nodes: Json) => nodes.map((node: Json) => node.className.split(' ')[0]));
  }

  inLog(name: string) {
    return this.at.page.locator('.log-card').getByRole('button', { name, exact: true });
  }

  /** The last test of a file. */
  endsWithoutComplaints(): void {
    test('had nothing to complain of but what was refused on purpose', () => {
      // 403: its page may ask once more for what has moved to another project.
      expect(this.at.complaints.filter((text) => !/status of 40[034]/.test(text))).toEqual([]);
    });
  }
}
