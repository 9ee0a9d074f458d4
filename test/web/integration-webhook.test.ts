/** A webhook that is made and changed in a real browser. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

/** Of a form that shows both. */
const twoUrls = 'Enter at least one of the two URLs.';

describe.skipIf(browserMissing !== '')('a webhook', () => {
  const scene = IntegrationsScene.forFile();

  test('makes a webhook for down and for up', async () => {
    await scene.kind('webhook');
    const urls = scene.form().locator('label', { hasText: 'URL' });
    await expect.poll(() => urls.allTextContents()).toEqual(['URL']);
    await expect.poll(() => scene.form().getByText(twoUrls).count()).toBe(0);
    // How a secret is replaced is said where there is one.
    await expect.poll(() => scene.form().getByText('both sign until you remove the old').count()).toBe(0);
    await scene.form().getByLabel(/^Name/).fill('Hook');
    const down = scene.form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    await down.getByLabel(/^URL/).fill('https://example.org/secret-$CODE');
    await down.getByLabel('Method').selectOption('PUT');
    await down.getByLabel('Body').fill('{"name": "$NAME"}');
    await down.getByLabel('Headers').fill('X-Token: abc\nContent-Type: application/json');
    const secret = scene.form().getByRole('textbox', { name: /^Signing secret/ });
    await scene.form().getByRole('button', { name: 'Generate' }).click();
    const old = await secret.inputValue();
    await scene.form().getByRole('button', { name: 'Generate' }).click();
    const both = await secret.inputValue();
    expect(both).toMatch(/^whsec_[\w+/]{43}= whsec_[\w+/]{43}=$/);
    expect(both.endsWith(` ${old}`)).toBe(true);
    expect(await scene.at.findings()).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await scene.add();
    await scene.at.page.getByRole('heading', { name: 'Hook was added' }).waitFor();
    expect(JSON.parse(scene.keptOf('Hook'))).toEqual({
      url_down: 'https://example.org/secret-$CODE',
      method_down: 'PUT',
      body_down: '{"name": "$NAME"}',
      headers_down: { 'X-Token': 'abc', 'Content-Type': 'application/json' },
      secret: both,
    });
  });

  test('says which names are no placeholders, and that a body is no JSON, and adds it all the same', async () => {
    await scene.kind('webhook');
    const hints = scene.form().locator('.template-hint');
    await scene.form().getByLabel(/^Name/).fill('Odd');
    await scene.form().getByLabel(/^URL/).fill('https://example.org/$NAEM/$CODE?tag=$TAG2');
    await expect
      .poll(() => hints.allTextContents())
      .toEqual(['$NAEM is no placeholder, and is sent as written.']);
    await scene.form().getByLabel(/^URL/).fill('https://example.org/$NAME_JSON');
    await expect.poll(() => hints.count()).toBe(0);
    const body = scene.form().getByLabel('Body').first();
    await body.fill('{"name": "$NAME", "exit": $EXITSTATUS, }');
    await expect.poll(() => hints.allTextContents()).toEqual(['The body looks like JSON, but is not valid.']);
    await body.fill('{"name": "$CHECK", "to": "$WHO"}');
    await expect
      .poll(() => hints.allTextContents())
      .toEqual(['$CHECK, $WHO are no placeholders, and are sent as written.']);
    expect(await scene.at.findings('main')).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await scene.add();
    await scene.at.page.getByRole('heading', { name: 'Odd was added' }).waitFor();
  });

  test('says of a wrong address and of wrong headers at once, and the first has the focus', async () => {
    await scene.kind('webhook');
    const down = scene.form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    await down.getByLabel(/^URL/).fill('no address');
    await down.getByLabel('Headers').fill('no header');
    await scene.add();
    const wrong = scene.form().locator('[aria-invalid=true]');
    const names = () => wrong.evaluateAll((all: Json[]) => all.map(({ name }) => name));
    await expect.poll(names).toEqual(['url_down', 'headers_down']);
    await expect.poll(() => scene.at.page.evaluate('document.activeElement.name')).toBe('url_down');
    await expect.poll(() => scene.form().locator('fieldset .problem').count()).toBe(2);
  });

  test('sends what it says when a check recovers: the same request, or another one', async () => {
    const down = scene.form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    const up = scene.form().locator('fieldset fieldset', { hasText: 'When a check recovers' });
    const add = async (name: string, choice: string): Promise<void> => {
      await scene.kind('webhook');
      await scene.form().getByLabel(/^Name/).fill(name);
      await down.getByLabel(/^URL/).fill('https://example.org/$STATUS');
      await down.getByLabel('Headers').fill('X-Token: abc');
      await up.getByLabel('Send another request').check();
      await scene.form().getByText(twoUrls).waitFor();
      await up.getByLabel(/^URL/).fill('https://example.org/up');
      await up.getByLabel(choice).check();
      expect(await scene.at.findings('main')).toEqual([]);
      expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
      await scene.add();
      await scene.at.page.getByRole('heading', { name: `${name} was added` }).waitFor();
    };
    const first = { url_down: 'https://example.org/$STATUS', headers_down: { 'X-Token': 'abc' } };
    await add('Silent', 'Send nothing');
    expect(JSON.parse(scene.keptOf('Silent'))).toEqual(first);
    await add('Twice', 'Send the same request');
    const again = { url_up: first.url_down, headers_up: first.headers_down };
    expect(JSON.parse(scene.keptOf('Twice'))).toEqual({ ...first, ...again });
    await add('Other', 'Send another request');
    expect(JSON.parse(scene.keptOf('Other'))).toEqual({ ...first, url_up: 'https://example.org/up' });
  });

  test('changes open fields, keeps what is secret, and takes it away on asking', async () => {
    await scene.at.open('integrations');
    await scene.fromMenu('Hook', 'Edit');
    const down = scene.form().locator('fieldset fieldset', { hasText: 'When a check goes down' });
    await expect.poll(() => down.getByLabel('Method').inputValue()).toBe('PUT');
    await down.getByText('https://example.org/…').waitFor();
    await scene.form().getByText(twoUrls).waitFor();
    await down.getByText('X-Token, Content-Type').waitFor();
    expect(await scene.at.page.content()).not.toContain('secret-$CODE');
    await scene.form().getByText('Set, not shown').waitFor();
    expect(await scene.at.page.content()).not.toMatch(/whsec_[\w+/]{43}/);
    await scene.form().getByRole('button', { name: 'Change Signing secret' }).click();
    await scene.form().getByText('both sign until you remove the old').waitFor();
    await scene.form().getByRole('button', { name: 'Keep the current Signing secret' }).click();
    await scene.form().getByRole('button', { name: 'Remove Signing secret' }).click();
    expect(await scene.at.findings()).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await down.getByRole('button', { name: 'Remove Headers' }).click();
    await down.getByLabel('Method').selectOption('POST');
    await scene.form().getByRole('button', { name: 'Save' }).click();
    await scene.line('Hook').waitFor();
    expect(JSON.parse(scene.keptOf('Hook'))).toEqual({
      url_down: 'https://example.org/secret-$CODE',
      method_down: 'POST',
      body_down: '{"name": "$NAME"}',
    });
  });

  scene.endsWithoutComplaints();

  test('asks for the one URL that is shown where it is empty', async () => {
    await scene.kind('webhook');
    await scene.form().getByRole('button', { name: 'Add without a test' }).click();
    await scene.form().getByText('Fill this in.', { exact: true }).waitFor();
    await expect.poll(() => scene.form().getByText('one of the two').count()).toBe(0);
  });

  test('has the same words for an empty field as every other kind', async () => {
    await scene.kind('slack');
    await scene.form().getByRole('button', { name: 'Add without a test' }).click();
    await scene.form().getByText('Fill this in.', { exact: true }).first().waitFor();
    await expect.poll(() => scene.form().getByText('is required').count()).toBe(0);
  });
});
