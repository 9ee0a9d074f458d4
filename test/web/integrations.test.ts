/** Integrations in a real browser: each kind by its own fields, and what is wrong where. */
import { describe, expect, test } from 'vitest';
import { type ChannelKind, channelKinds } from '../../src/domain/accounts/project.ts';
import { kinds } from '../../src/integrations/all.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

describe.skipIf(browserMissing !== '')('the integrations page', () => {
  const scene = IntegrationsScene.forFile();
  /** By way of the gallery, without loading the page anew, which would take most of the time. */
  const nextKind = async (name: ChannelKind) => {
    for (const [path, title] of [
      ['', 'Integrations'],
      [
        `/new/${name}`,
        name === 'webpush' ? 'Add this browser' : `Add integration: ${kinds[name].form.title}`,
      ],
    ]) {
      const address = JSON.stringify(`/project/${scene.at.project}/integrations${path}`);
      await scene.at.page.evaluate(
        `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await scene.at.page.getByRole('heading', { name: title ?? '', exact: true, level: 1 }).waitFor();
    }
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
      await scene.add();
      const wrong = scene.form().locator('[role=alert]').first();
      await wrong.waitFor();
      if (first && first.input !== 'integrations' && first.input !== 'browser') {
        const focused = () => scene.at.page.evaluate<string>('document.activeElement.name');
        await expect
          .poll(focused, { message: title })
          .toMatch(new RegExp(fields.map(({ name }) => name).join('|')));
      }
      expect(await scene.at.findings('form'), title).toEqual([]);
      expect(await scene.at.overflow(), title).toBeLessThanOrEqual(0);
    }
    expect(await scene.at.findings()).toEqual([]);
  });

  test('shows an error at its field, bound to it, and takes it once it is right', async () => {
    await scene.kind('email');
    const address = scene.form().getByLabel('Email address');
    // What is needed comes first, and has the focus.
    await address.and(scene.at.page.locator(':focus')).waitFor();
    const inputs = scene.form().locator('fieldset').first().locator('input');
    const names = () => inputs.evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    expect(await names()).toEqual(['value', 'confirmed', 'name', 'down', 'up']);
    await scene.form().getByLabel(/^Name/).fill('On call');
    await address.fill('nobody');
    await address.press('Enter');
    await scene.form().getByText('Enter a valid email address.').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    const described = await address.getAttribute('aria-describedby');
    await expect
      .poll(() => scene.at.page.locator(`[id="${described}"]`).textContent())
      .toContain('Enter a valid email address.');
    await address.fill('ops@example.org');
    await scene.form().getByLabel('Notify when a check recovers').uncheck();
    await scene.form().getByLabel('Skip verification').check();
    await address.press('Enter');
    await scene.at.page.getByText('Your check notifies it.').waitFor();
    await scene.at.page.getByText('Nothing will be sent: Email needs').waitFor();
    await scene.at.page
      .locator('.notice', { hasText: 'On call cannot send: it needs KNELL_MAIL_URL.' })
      .waitFor();
    expect(JSON.parse(scene.keptOf('On call'))).toEqual({ value: 'ops@example.org', down: true, up: false });
  });

  scene.endsWithoutComplaints();
});
