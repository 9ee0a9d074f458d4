/** Web Push by the program as it is built, whose encryption is in its bundle; and the key of the server after a kill. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProcess } from '../support/process/commands.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';
import { PushBrowser } from '../support/wire/push-browser.ts';
import { verifiedClaims } from '../support/wire/push-service.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

test('what the built program sends can be read, before and after a kill with the same key', async () => {
  const directory = tempDir();
  const certificate = selfSigned(directory, 1, 'localhost');
  const service = await HttpReceiver.start(certificate);
  service.answering = (_, response) => response.writeHead(201).end();
  const dataDir = join(directory, 'data');
  const env = { NODE_EXTRA_CA_CERTS: certificate.certFile, KNELL_WEBHOOK_ALLOW: '127.0.0.0/8,::1' };
  let knell = await KnellProcess.start(dataDir, env);
  const browser = PushBrowser.random();
  const value = browser.subscription(`https://localhost:${service.port}/send/1`);
  const command = (...args: readonly string[]) =>
    runProcess(['channel', ...args], { env: { KNELL_DATA_DIR: dataDir } });
  const created = await command(
    'create',
    'default',
    '--kind',
    'webpush',
    '--name',
    'Firefox',
    '--value',
    value,
  );
  expect([created.status, created.stderr]).toEqual([0, '']);
  const keys: string[] = [];
  for (const count of [1, 2]) {
    expect(await command('test', 'Firefox')).toMatchObject({ status: 0, stderr: '' });
    const received = (await service.until(count))[count - 1];
    const message = JSON.parse(browser.decrypt(received?.bytes ?? Buffer.of()));
    expect(message).toMatchObject({ title: '🔴 Test notification from Knell', status: 'down' });
    keys.push((await verifiedClaims(String(received?.headers.authorization))).key);
    await knell.end('SIGKILL');
    knell = await KnellProcess.start(dataDir, env);
  }
  expect(keys[0]).toBe(keys[1]);
  await knell.end('SIGTERM');
  await service.stop();
});
