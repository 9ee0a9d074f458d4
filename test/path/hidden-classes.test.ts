/**
 * No object of its own kind for each ping, change or notification. V8 of Node 20 makes another hidden class for each object that gains
 * a key after a spread (`{ ...known, added }`, not `{ added, ...known }`), in the old generation: it stays there with whatever it refers
 * to until the heap is marked. Later versions do not, and log nothing here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { eventually } from '../support/patience.ts';
import { ChildKnell } from '../support/process/child-knell.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const checks = 60;

/** How many hidden classes were made of each key that objects gained after a spread. */
function classesMade(log: string): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  for (const [, key = ''] of log.matchAll(/^map,Transition,.*,prototype,(.*)$/gm))
    made.set(key, (made.get(key) ?? 0) + 1);
  return made;
}

async function live(knell: ChildKnell, key: string): Promise<void> {
  const headers = { 'X-Api-Key': key };
  const call = async (path: string, init?: RequestInit): Promise<string> => {
    const answer = await fetch(`${knell.url}${path}`, { ...init, headers });
    expect(answer.ok, path).toBe(true);
    return answer.text();
  };
  for (let at = 0; at < checks; at++) {
    const made = await call('/api/v3/checks/', { method: 'POST', body: '{"channels":"*"}' });
    const { uuid } = JSON.parse(made) as { uuid: string };
    for (const signal of ['', '/start', '/log', '/fail', '']) await call(`/ping/${uuid}${signal}`);
    await call(`/ping/${uuid}`, { method: 'POST', body: 'some output' });
    await call(`/api/v3/checks/${uuid}`, { method: 'POST', body: JSON.stringify({ name: `check ${at}` }) });
    for (const part of ['', '/pings/', '/flips/']) await call(`/api/v3/checks/${uuid}${part}`);
    await call('/api/v3/incidents/');
  }
}

test('pings, alerts and calls of the API make no hidden class for a single object', async () => {
  const dataDir = tempDir();
  const log = join(dataDir, 'v8.log');
  const receiver = await HttpReceiver.start();
  onTestFinished(() => receiver.stop());
  let key = '';
  const knell = await ChildKnell.start(
    dataDir,
    { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' },
    (text) => {
      key = /hcw_\w+/.exec(text)?.[0] ?? '';
    },
    ['--log-maps', '--no-logfile-per-isolate', `--logfile=${log}`],
  );
  onTestFinished(() => knell.kill());
  const value = JSON.stringify({ url_down: receiver.url('/down'), url_up: receiver.url('/up') });
  const args = { project: 'default', kind: 'webhook', name: 'hook', value };
  const { config } = readConfig({ KNELL_DATA_DIR: dataDir }, {});
  await runAdmin(config, { command: 'channel create', args }, () => {});
  const started = readFileSync(log, 'utf8').length;
  await live(knell, key);
  await eventually(() => expect(receiver.all.length).toBeGreaterThanOrEqual(checks));
  await knell.kill('SIGTERM');
  const made = classesMade(readFileSync(log, 'utf8').slice(started));
  expect([...made].filter(([, count]) => count >= checks)).toEqual([]);
});
