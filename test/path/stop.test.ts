/** A Knell that is asked to end, while a notification waits for its next try, ends at once and not when that is due. */
import { expect, test } from 'vitest';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { limits } from '../../src/limits.ts';
import { eventually } from '../support/patience.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';

test('SIGTERM while a delivery waits to be tried again', async () => {
  const dataDir = tempDir();
  const knell = await KnellProcess.start(dataDir, { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
  const { config } = readConfig({ KNELL_DATA_DIR: dataDir }, {});
  const admin = async (command: string, args: Readonly<Record<string, unknown>>): Promise<string> =>
    JSON.stringify(await runAdmin(config, { command, args }, () => {}));
  // Nobody listens there.
  const value = JSON.stringify({ url_down: 'http://127.0.0.1:1/', url_up: '' });
  await admin('channel create', { project: 'default', kind: 'webhook', name: 'hook', value });
  const ping = `${knell.httpUrl}/ping/${knell.pingKey}/job/fail?create=1&channels=*`;
  expect((await fetch(ping)).status).toBe(201);
  // After a few tries the next one is seconds away.
  await eventually(async () => expect(await admin('outbox list', {})).toMatch(/"attempts":[4-9]/));
  const askedMs = performance.now();
  expect(await knell.end('SIGTERM')).toBe(0);
  // By then it would be ended for hanging.
  expect(performance.now() - askedMs).toBeLessThan(limits.shutdownMs);
});
