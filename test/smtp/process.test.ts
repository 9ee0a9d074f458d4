/** The mail endpoint of a whole process: what a kill may take away, how it ends in good order, swaks as a client. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { addressOf, MailClient } from '../support/wire/mail-client.ts';

/** Of the only check. */
async function pingsOf(knell: KnellProcess, key: string): Promise<{ n: number; scheme: string }[]> {
  const get = async (path: string): Promise<Json> =>
    (await fetch(`${knell.httpUrl}/api/v3/checks/${path}`, { headers: { 'X-Api-Key': key } })).json();
  const [{ uuid }] = (await get('')).checks;
  return (await get(`${uuid}/pings/`)).pings;
}

async function makeCheck({ httpUrl, pingKey }: KnellProcess): Promise<string> {
  await fetch(`${httpUrl}/ping/${pingKey}/job?create=1`);
  return `${pingKey}+job@localhost`;
}

test('kill -9 right after 250 loses nothing', async () => {
  const dataDir = tempDir();
  let knell = await KnellProcess.start(dataDir);
  const { readWriteKey } = knell;
  const to = await makeCheck(knell);
  let acknowledged = 1;
  for (let round = 0; round < 3; round++) {
    const clients = await Promise.all(Array.from({ length: 4 }, () => MailClient.greeted(knell.smtp)));
    const sending = clients.map(async (client) => {
      for (let reply = '250'; reply.startsWith('250'); reply = await client.send([to], `round ${round}`)) {
        if (reply !== '250') acknowledged++;
        if (acknowledged % 50 === 0) knell.end('SIGKILL');
      }
    });
    await Promise.all(sending);
    expect(await knell.end('SIGKILL')).toBe('SIGKILL');
    knell = await KnellProcess.start(dataDir);
    const pings = await pingsOf(knell, readWriteKey);
    expect(pings.length).toBeGreaterThanOrEqual(acknowledged);
    expect(pings.map(({ n }) => n)).toEqual(pings.map((_, back) => pings.length - back));
    acknowledged = pings.length;
  }
  expect(await knell.end('SIGTERM')).toBe(0);
});

test('SIGTERM lets a mail in flight come to its end, and does not wait for one that does not come', async () => {
  const dataDir = tempDir();
  let knell = await KnellProcess.start(dataDir);
  const { readWriteKey } = knell;
  const to = await makeCheck(knell);
  const client = await MailClient.greeted(knell.smtp);
  for (const command of ['MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA']) await client.ask(command);
  const idle = await MailClient.greeted(knell.smtp);
  const ended = knell.end('SIGTERM');
  expect(await idle.reply()).toMatch(/^421 /);
  expect(await client.ask('late\r\n.')).toMatch(/^250 /);
  expect(await ended).toBe(0);
  knell = await KnellProcess.start(dataDir);
  expect((await pingsOf(knell, readWriteKey)).map(({ scheme }) => scheme)).toEqual(['email', 'http']);
  const stuck = await MailClient.greeted(knell.smtp);
  for (const command of ['MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA']) await stuck.ask(command);
  expect(await knell.end('SIGTERM')).toBe(0);
});

test('the ready line says off where no mail is wanted', async () => {
  const knell = await KnellProcess.start(tempDir(), { KNELL_SMTP: 'off' });
  expect(knell.smtp).toBe('off');
  expect(await knell.end('SIGTERM')).toBe(0);
});

const hasSwaks = spawnSync('swaks', ['--version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasSwaks)('swaks pings (skipped where it is not installed)', async () => {
  const knell = await KnellProcess.start(tempDir());
  const to = await makeCheck(knell);
  const { host, port } = addressOf(knell.smtp);
  const server = ['--server', host, '--port', String(port)];
  const words = ['--from', 'nas@example.org', '--to', to, '--header', 'Subject: done'];
  const { stdout } = await promisify(execFile)('swaks', [...server, ...words]);
  expect(stdout).toMatch(/<- {2}250 2\.6\.0 OK: recorded/);
  expect((await pingsOf(knell, knell.readWriteKey))[0]?.scheme).toBe('email');
  const missing = [...server, '--from', 'nas@example.org', '--to', 'nobody@localhost'];
  await expect(promisify(execFile)('swaks', missing)).rejects.toMatchObject({
    stdout: expect.stringContaining('550 5.1.1'),
  });
  expect(await knell.end('SIGTERM')).toBe(0);
});
