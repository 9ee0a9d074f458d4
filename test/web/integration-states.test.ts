/** Integrations that cannot send, in a real browser: turned off by Knell, without what their kind needs, not verified. */
import { describe, expect, test } from 'vitest';
import { defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { asChannelId } from '../../src/lib/ids.ts';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

const gone = '{"url":"https://gotify.example.org","token":"t"}';

describe.skipIf(browserMissing !== '')('an integration', () => {
  const scene = IntegrationsScene.forFile();

  test('says why Knell disabled one, and enables it again', async () => {
    const { channel } = await scene.at.knell.app
      .admin(
        { command: 'channel create', args: { project: 'default', kind: 'gotify', name: 'Old', value: gone } },
        () => {},
      )
      .then((made) => ({ channel: asChannelId((made as { id: string }).id) }));
    const { change, read } = scene.at.knell.app.engine;
    const disabledReason = 'it is gone for good (status 410)';
    await change.editChannel(channel, {
      settings: { ...defaultChannelSettings, disabled: true, disabledReason, lastError: 'status 410' },
    });
    await scene.at.open('integrations');
    await scene.line('Old').getByText('Turned off').waitFor();
    await scene.line('Old').getByText('it is gone for good (status 410)').waitFor();
    await scene.fromMenu('Old', 'Edit');
    const off = scene.form().getByRole('group', { name: 'Turn off' });
    const tick = off.getByRole('checkbox', { name: 'Send nothing to it until it is turned on again' });
    await expect.poll(() => tick.isChecked()).toBe(true);
    await scene.form().getByRole('button', { name: 'Cancel' }).click();
    await scene.fromMenu('Old', 'Turn on');
    await scene.line('Old').getByText('No notification yet').waitFor();
    expect(read.channel(channel)?.settings).toEqual(defaultChannelSettings);
  });

  test('warns of a kind that this server lacks something for, and of a private address', async () => {
    await scene.kind('telegram');
    await scene
      .form()
      .getByText('Telegram needs KNELL_TELEGRAM_TOKEN, which this server does not have')
      .waitFor();
    await scene.kind('webhook');
    await scene.form().getByLabel(/^Name/).fill('Private');
    await scene.form().getByLabel(/^URL/).first().fill('http://127.0.0.1:9/');
    await scene.form().getByRole('button', { name: 'Add and send test' }).click();
    await scene.at.page.getByText('Nothing was sent: 127.0.0.1 is a private address').waitFor();
    expect(await scene.at.findings()).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await scene.at.open('integrations');
    await scene.line('Private').getByRole('link', { name: 'Private', exact: true }).click();
    await scene.form().getByLabel(/^Name/).fill('Private one');
    await scene.form().getByRole('button', { name: 'Save' }).click();
    await scene.at.page.getByText('Saved. Nothing will be sent: 127.0.0.1 is private').waitFor();
    await scene.remove('Private one');
  });

  test('shows an address that is not verified, and lets an owner confirm it', async () => {
    await scene.kind('email');
    await scene.form().getByLabel(/^Name/).fill('Unverified');
    await scene.form().getByLabel('Email address').fill('new@example.org');
    await scene.add();
    await scene.at.page.getByText('Nothing will be sent: Email needs KNELL_MAIL_URL').waitFor();
    // Said once, although the email to the address was not sent for the same reason.
    await expect
      .poll(() => scene.at.page.getByText(/verification email was not sent|once the address/).all())
      .toEqual([]);
    await scene.at.open('integrations');
    const unverified = scene.line('Unverified');
    await unverified.getByRole('button', { name: 'Send the verification email again' }).click();
    await unverified.getByRole('alert').getByText('KNELL_MAIL_URL').waitFor();
    expect(await scene.at.findings()).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await unverified.getByRole('button', { name: 'Skip verification' }).click();
    await unverified.getByRole('button', { name: 'Skip verification' }).waitFor({ state: 'detached' });
    await scene.remove('Unverified');
  });

  scene.endsWithoutComplaints();
});
