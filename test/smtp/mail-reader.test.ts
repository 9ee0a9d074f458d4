/** Reading on a thread of its own: order, poison, a thread that dies. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../src/lib/logger.ts';
import { MailReader } from '../../src/smtp/mail-reader.ts';
import { isLong } from '../support/long.ts';
import { builtUrl } from '../support/process/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

let reader: MailReader | null = null;

afterEach(async () => {
  await reader?.stop();
  reader = null;
});

function readerOf(readMsMax: number, url = builtUrl('smtp/read-worker.js')): MailReader {
  reader = new MailReader({ readMsMax, readHeapMB: 64, logger: silentLogger, unreadable: '', url });
  return reader;
}

const mail = (subject: string, body = 'hi'): Buffer => Buffer.from(`Subject: ${subject}\r\n\r\n${body}\r\n`);
const unreadable = { subject: '', texts: [] };

test('many at once are each answered with their own', async () => {
  const mails = readerOf(5000);
  const read = await Promise.all(Array.from({ length: 200 }, (_, n) => mails.read(mail(`s${n}`, `b${n}`))));
  expect(read).toEqual(Array.from({ length: 200 }, (_, n) => ({ subject: `s${n}`, texts: [`b${n}\n`] })));
});

test('a mail that keeps the parser busy is unreadable, and those behind it are read', async () => {
  // Long enough for a thread to start on a busy machine, too short for the poison.
  const mails = readerOf(isLong ? 5000 : 2000);
  await mails.read(mail('warm'));
  const poison = `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'\t'.repeat(1_000_000)}x`;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const [before, stuck, behind] = await Promise.all([
    mails.read(mail('before')),
    mails.read(Buffer.from(poison)),
    mails.read(mail('behind')),
  ]);
  clearInterval(timer);
  expect(before.subject).toBe('before');
  expect(stuck).toEqual(unreadable);
  expect(behind.subject).toBe('behind');
  expect(turns, 'turns of this thread meanwhile').toBeGreaterThan(100);
});

test('a thread that dies takes one mail with it', async () => {
  const file = join(tempDir(), 'dies.mjs');
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (bytes) => {
      if (bytes[0] === 33) throw new Error('poison');
      parentPort.postMessage({ subject: String.fromCharCode(...bytes), texts: [] });
    });`;
  writeFileSync(file, code);
  const mails = readerOf(5000, pathToFileURL(file));
  const read = await Promise.all(['a', '!', 'b', '!', 'c'].map((text) => mails.read(Buffer.from(text))));
  expect(read.map(({ subject }) => subject)).toEqual(['a', '', 'b', '', 'c']);
});

test('when it is stopped, what was not read is unreadable', async () => {
  const mails = readerOf(5000);
  const reading = mails.read(mail('x'));
  await mails.stop();
  expect(await reading).toEqual(unreadable);
});
