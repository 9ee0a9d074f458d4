/** Decoded mails: what is shown of them, how long they are waited for, how many are remembered. */

import { expect, test } from 'vitest';
import type { MailContents } from '../../../src/notify/contract/notify.ts';
import { PingMails } from '../../../src/notify/reports/ping-mails.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const limits = { waitMsMax: 15_000, keptMax: 2 };
const mail = Buffer.from('mail');
const unreadable = { subject: '', text: 'This email has no text that can be shown.' };

function mailsReading(read: (mail: Uint8Array) => Promise<MailContents>) {
  const clock = new SimulatedClock(0);
  return { clock, mails: new PingMails({ read, clock, limits }) };
}

test.each<readonly [string, MailContents, { subject: string; text: string }]>([
  ['the plain text', { subject: 's', texts: ['plain', 'html'] }, { subject: 's', text: 'plain' }],
  [
    'the HTML, where the plain text is blank',
    { subject: 's', texts: [' \r\n ', 'html'] },
    { subject: 's', text: 'html' },
  ],
  [
    'without the lines that markup leaves',
    { subject: '', texts: ['\n a  \n\n\n\n\nb\r\nc\n'] },
    { subject: '', text: 'a\n\nb\nc' },
  ],
  ['a subject alone', { subject: 's', texts: [] }, { subject: 's', text: '' }],
  ['a sentence, where there is nothing', { subject: '', texts: [] }, unreadable],
])('shows %s', async (_, contents, shown) => {
  const { mails } = mailsReading(async () => contents);
  expect(await mails.read('a', mail)).toEqual(shown);
});

test('a mail that takes too long, or cannot be read, has a sentence as its text', async () => {
  const { clock, mails } = mailsReading(() => new Promise(() => {}));
  const reading = mails.read('a', mail);
  await clock.advance(limits.waitMsMax);
  expect(await reading).toEqual(unreadable);
  const failing = mailsReading(() => Promise.reject(new Error('no thread')));
  expect(await failing.mails.read('a', mail)).toEqual(unreadable);
});

test('each is decoded once, as long as few others come between', async () => {
  const read: string[] = [];
  const { mails } = mailsReading(async (bytes) => {
    read.push(bytes.toString());
    return { subject: bytes.toString(), texts: [] };
  });
  for (const key of ['a', 'a', 'b', 'a', 'c', 'a'])
    expect((await mails.read(key, Buffer.from(key))).subject).toBe(key);
  expect(read).toEqual(['a', 'b', 'c', 'a']);
});
