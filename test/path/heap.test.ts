/** What the collector does to a small server under load: seldom mark its whole heap, since every ping waits for that. */
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { builtFile } from '../support/process/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const pings = 15_000;
const connections = 16;
const body = Buffer.alloc(5000, 'x');

/** A server that reports each collection, and what it has printed so far. */
async function startTraced(): Promise<{ readonly pingUrl: string; readonly printed: () => string }> {
  const child = spawn(process.execPath, ['--trace-gc', builtFile('main.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      KNELL_DATA_DIR: tempDir(),
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
      KNELL_SNAPSHOTS: 'off',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  closers.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed).toMatch(/ready http=\S+ smtp=off\n/);
  const [, httpUrl] = /ready http=(\S+) /.exec(printed) ?? [];
  const [, key] = /ping key +(\S+)/.exec(printed) ?? [];
  return { pingUrl: `${httpUrl}/ping/${key}/`, printed: () => printed };
}

test('75 MB of pings have the heap of a small server marked a few times at most', async () => {
  const { pingUrl, printed } = await startTraced();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  closers.push(() => agent.destroy());
  const before = printed().length;
  let sent = 0;
  const pingOn = async (): Promise<void> => {
    while (sent < pings)
      expect(await ping(agent, `${pingUrl}job-${sent++ % 100}?create=1`)).toBeLessThan(300);
  };
  await Promise.all(Array.from({ length: connections }, pingOn));
  // Of the main thread: what it prints first is its own. V8 alone marks it six to nine times.
  const [, main = ''] = /\[\d+:(0x\w+)\]/.exec(printed()) ?? [];
  const collections = printed()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes(`:${main}]`));
  expect(collections.length).toBeGreaterThan(4);
  expect(collections.filter((line) => line.includes('Mark-Compact')).length).toBeLessThanOrEqual(4);
});

function ping(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method: 'POST', headers: { 'content-length': body.length } });
    sending.once('error', reject);
    sending.once('response', (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    });
    sending.end(body);
  });
}
