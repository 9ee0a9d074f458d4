/** `knell serve` as a user starts it: what it prints first, and how it ends. */
import { describe, expect, test } from 'vitest';
import { DirectoryCommands } from '../support/process/directory-commands.ts';

const commands = DirectoryCommands.forFile();
const { end, knell, serve } = commands;

describe('knell serve', () => {
  test('prints the first keys once, with a line to paste, and then that it is ready', async () => {
    const first = await serve();
    expect(first.said).toMatch(
      /read-write {2}hcw_\w{28}\n[\s\S]*read-only {3}hcr_\w{28}\n[\s\S]*ping key {4}\w{22}\n/,
    );
    const { port } = new URL(first.url);
    const curl = new RegExp(`curl -fsS 'http://localhost:${port}/ping/\\w{22}/my-first-job\\?create=1'`);
    expect(first.said).toMatch(curl);
    expect(first.said).toContain(`http://localhost:${port}/set-password#`);
    expect((await knell(['password', 'reset'])).stdout).toContain(`http://localhost:${port}/set-password#`);
    expect(first.said).toMatch(/knell: ready http=http:\/\/127\.0\.0\.1:\d+ smtp=off\n$/);
    expect(await end(first.process, 'SIGTERM')).toBe(0);
    const second = await serve();
    expect(second.said).toMatch(/^knell: ready [^\n]+\n$/);
    expect(await end(second.process, 'SIGINT')).toBe(0);
  });

  test('says in its log, in one line and before it is ready, where it keeps its data', async () => {
    const server = commands.spawnServer();
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    await expect.poll(() => log).toContain('data directory');
    const lines = log.split('\n').filter((line) => line.includes('data directory'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 30, dataDir: commands.dataDir }]);
    expect(await end(server, 'SIGTERM')).toBe(0);
  });

  test('creates no project with KNELL_BOOTSTRAP=off, and goes on with what Kubernetes injects', async () => {
    const injected = { KNELL_PORT: 'tcp://10.0.0.1:8000', KNELL_SERVICE_HOST: '10.0.0.1' };
    const server = await serve({ KNELL_BOOTSTRAP: 'off', ...injected });
    expect(server.said).toMatch(/^knell: ready/);
    expect((await knell(['project', 'list', '--json'])).stdout).toBe('[]\n');
  });
});

test('knell serve outlives the reader of its first lines', async () => {
  const server = commands.spawnServer();
  server.stdout?.destroy();
  server.stderr?.resume();
  await expect.poll(async () => (await knell(['project', 'list'])).stdout).toContain('default');
  expect(await end(server, 'SIGTERM')).toBe(0);
});
