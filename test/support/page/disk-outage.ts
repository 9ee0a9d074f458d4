/**
 * A database that is down with what depends on it, and incidents that are over, in a real browser: for the tests of what one sees of
 * incidents and does about them.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import type { Json } from '../knell.ts';
import { OwnerBrowser } from './owner-browser.ts';

export class DiskOutage {
  at = undefined as unknown as OwnerBrowser;
  db: Json;
  app: Json;
  /** Of the incident that is open. */
  id = '';

  /** For the test file that calls it. `past`: incidents that are over. */
  static forFile({ past = 0 } = {}): DiskOutage {
    const scene = new DiskOutage();
    beforeAll(() => scene.#fill(past));
    afterAll(() => scene.at?.stop());
    return scene;
  }

  async #fill(past: number): Promise<void> {
    const at = await OwnerBrowser.start();
    this.at = at;
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const ntfy = { project: 'default', kind: 'ntfy', name: 'phone', value };
    await at.knell.app.admin({ command: 'channel create', args: ntfy }, () => {});
    for (let n = 0; n < past; n++) {
      const { uuid } = await at.knell.create({ name: `old job ${n}` });
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.clock.advance(1000);
      await at.knell.request(`/ping/${uuid}`);
    }
    this.db = await at.knell.create({ name: 'db-1', slug: 'db-1', channels: '' });
    this.app = await at.knell.create({ name: 'app', channels: '*', depends_on: 'db-1' });
    const lines = Array.from({ length: 12 }, (_, n) => `step ${n}`);
    const body = ['fatal: no space left on device', ...lines].join('\n');
    await at.knell.request(`/ping/${this.db.uuid}/3`, { method: 'POST', body });
    await at.knell.request(`/ping/${this.app.uuid}/fail`);
    this.id = (await at.knell.api('GET', '/api/v3/incidents/?state=open')).json().incidents[0].id;
  }

  async incident(): Promise<Json> {
    return (await this.at.knell.api('GET', `/api/v3/incidents/${this.id}`)).json();
  }

  /** The checks that are acknowledged or snoozed. */
  async held(): Promise<Json> {
    return (await this.at.knell.api('GET', '/api/v3/snoozes/')).json().snoozes;
  }

  button(name: string) {
    return this.at.page.getByRole('button', { name, exact: true });
  }

  /** Once it can be pressed: by keyboard nothing waits for that. */
  async pressed(name: string): Promise<void> {
    await expect.poll(() => this.button(name).getAttribute('aria-disabled')).not.toBe('true');
    await this.button(name).press('Enter');
  }

  text(words: string | RegExp) {
    return this.at.page.getByText(words).first();
  }

  async openIncident(): Promise<void> {
    await this.at.open(`incidents/${this.id}`);
    await this.at.page.locator('.timeline').waitFor();
  }

  /** Of its buttons, from the upper edge of its card. */
  async places(): Promise<unknown> {
    const names = ['Acknowledge', 'Snooze', 'Maintenance', 'Add note'];
    const boxes = await Promise.all(names.map((name) => this.button(name).boundingBox()));
    const top = await this.at.page.locator('.incident .now').boundingBox();
    return boxes.map((box) => [box?.x, (box?.y ?? 0) - (top?.y ?? 0)]);
  }

  /** Of a page as it is shown: what axe-core finds, and at which widths it is too wide. */
  async faults(): Promise<unknown> {
    const found: unknown[] = [];
    for (const width of [1440, 1024, 390]) {
      await this.at.page.setViewportSize({ width, height: 844 });
      if ((await this.at.overflow()) > 0) found.push(`too wide at ${width}`);
    }
    return [...found, ...(await this.at.findings())];
  }
}
