/** A Knell that is asked to end while a notification waits to be tried again, an hour from now, does not wait for that. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { builtUrl } from '../support/process/built.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const run = promisify(execFile);
/** Less than the five seconds after which whatever is left over is cut off. */
const endedWithinMs = 3000;

test('asked to end, it ends at once', async () => {
  const dataDir = join(tempDir(), 'data');
  const knell = await KnellProcess.start(dataDir, { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
  const command = async (...words: readonly string[]): Promise<string> =>
    (
      await run(process.execPath, [fileURLToPath(builtUrl('main.js')), ...words], {
        env: { PATH: process.env.PATH, KNELL_DATA_DIR: dataDir },
      })
    ).stdout;
  const receiver = await HttpReceiver.start();
  onTestFinished(() => receiver.stop());
  receiver.answering = (_, response) => void response.writeHead(503, { 'Retry-After': '3600' }).end();
  const url = receiver.url('/');
  await command('channel', 'create', 'default', '--kind', 'webhook', '--name', 'resting', '--url-down', url);
  for (const path of ['job?create=1', 'job/fail'])
    await fetch(`${knell.httpUrl}/ping/${knell.pingKey}/${path}`);
  await expect
    .poll(async () => JSON.parse(await command('outbox', 'list', '--json')), { interval: 100 })
    .toMatchObject([{ attempts: 1 }]);
  const askedMs = performance.now();
  expect(await knell.end('SIGTERM')).toBe(0);
  expect(performance.now() - askedMs).toBeLessThan(endedWithinMs);
});
