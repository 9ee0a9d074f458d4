/** The integrations page of one project in a real browser, for the tests of its parts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelKind } from '../../../src/domain/accounts/project.ts';
import { OwnerBrowser } from './owner-browser.ts';

export class IntegrationsScene {
  at = undefined as unknown as OwnerBrowser;

  /** For the test file that calls it. `fill`: makes what is there from the start. */
  static forFile(fill: (at: OwnerBrowser) => Promise<void> = async () => {}): IntegrationsScene {
    const scene = new IntegrationsScene();
    beforeAll(async () => {
      scene.at = await OwnerBrowser.start();
      await scene.at.knell.create({ name: 'first job', channels: '' });
      await fill(scene.at);
      await scene.at.open('integrations');
    });
    afterAll(() => scene.at?.stop());
    return scene;
  }

  form() {
    return this.at.page.locator('form.check-form');
  }

  /** Its page, also of a kind that this server lacks something for: the gallery has no link to that. */
  async kind(name: ChannelKind): Promise<void> {
    await this.at.open(`integrations/new/${name}`);
    await this.form().waitFor();
  }

  /** Without a test, which would go out of this machine; see `first-steps.test.ts`. */
  add(): Promise<void> {
    return this.form()
      .getByRole('button', { name: /^Add (?:integration|without a test|and send verification email)$/ })
      .click();
  }

  line(name: string) {
    return this.at.page.getByRole('listitem', { name, exact: true });
  }

  async fromMenu(name: string, action: string): Promise<void> {
    await this.at.page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
    await this.at.page.getByRole('menuitem', { name: action }).click();
  }

  async remove(name: string): Promise<void> {
    await this.fromMenu(name, 'Delete');
    await this.at.page.locator('dialog[open]').getByRole('button', { name: 'Delete' }).click();
    await this.line(name).waitFor({ state: 'detached' });
  }

  keptOf(name: string): string {
    const { read } = this.at.knell.app.engine;
    const channels = read.projects().flatMap(({ id }) => read.channels(id));
    return channels.find((one) => one.name === name)?.value ?? '';
  }

  /** The names of the checks that notify it. */
  async assigned(name: string): Promise<readonly string[]> {
    const { at } = this;
    const { channels } = (await at.owner.get(`/web/in/${at.project}/settings`)).json();
    const { id } = channels.find((one: { name: string }) => one.name === name);
    const { read } = at.knell.app.engine;
    return read
      .projects()
      .flatMap((project) => [...read.checks(project.id, at.clock.nowMs())])
      .filter(({ config }) => config.channels.includes(id))
      .map(({ config }) => config.name);
  }

  /** The last test of a file. */
  endsWithoutComplaints(): void {
    test('had nothing to complain of but what was refused on purpose', () => {
      expect(this.at.complaints.filter((text) => !/status of (400|409)/.test(text))).toEqual([]);
    });
  }
}
