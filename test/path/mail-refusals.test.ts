/** What becomes of an alert mail that the mail server does not take. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

let mail: MailReceiver;
let knell: Knell;

beforeEach(async () => {
  mail = await MailReceiver.start();
  knell = await Knell.start({ env: { KNELL_MAIL_URL: mail.url } });
});

afterEach(async () => {
  await knell.stop();
  await mail.stop();
});

const admin = (command: string, args: Readonly<Record<string, unknown>> = {}) =>
  knell.app.admin({ command, args }, () => {});

/** A failure of a check that notifies this address. */
async function alert(address: string): Promise<void> {
  await admin('channel create', { project: 'default', kind: 'email', name: '', value: address });
  const { uuid } = await knell.create({ channels: '*' });
  await knell.request(`/ping/${uuid}/fail`);
}

test('a mailbox that does not exist: it is given up at once, and its integration is disabled', async () => {
  mail.refuse = () => ({ code: 550, message: '5.1.1 no such user' });
  await alert('nobody@example.org');
  await eventually(async () =>
    expect(await admin('outbox list')).toMatchObject([
      { state: 'dead', error: 'the mail server replied 550 5.1.1' },
    ]),
  );
  await eventually(async () =>
    expect(await admin('channel list', { project: 'default' })).toMatchObject([
      { disabled: true, disabled_reason: 'it is gone for good (the mail server replied 550 5.1.1)' },
    ]),
  );
});

test('another reason: it is given up, and its integration stays as it is', async () => {
  mail.refuse = () => ({ code: 550, message: '5.7.1 we do not like this' });
  await alert('ops@example.org');
  await eventually(async () => expect(await admin('outbox list')).toMatchObject([{ state: 'dead' }]));
  expect(await admin('channel list', { project: 'default' })).toMatchObject([{ disabled: false }]);
});
