/** `knell cluster config`, as it is typed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandRunner } from '../../support/process/commands.ts';

describe('knell cluster config', () => {
  const dir = mkdtempSync(join(tmpdir(), 'knell-test-'));
  let commands: CommandRunner;
  beforeAll(() => {
    commands = CommandRunner.start();
  });
  afterAll(async () => {
    await commands.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('writes a file for each machine, which asks for synced writes', async () => {
    const out = join(dir, 'nats');
    const run = await commands.run(
      ['cluster', 'config', 'a.example', 'b.example', '10.0.0.3', '--out', out],
      {},
    );
    expect(run.status).toBe(0);
    const files = readdirSync(out).sort();
    expect(files).toEqual(['nats-10.0.0.3.conf', 'nats-a.example.conf', 'nats-b.example.conf']);
    const text = readFileSync(join(out, 'nats-a.example.conf'), 'utf8');
    expect(text).toContain('sync_interval: always');
    const token = /token: "([^"]+)"/.exec(text)?.[1];
    expect(text).toContain(`nats-route://knell:${token}@10.0.0.3:6222`);
    expect(run.stdout).toContain(
      `KNELL_CLUSTER=nats://${token}@a.example,nats://${token}@b.example,nats://${token}@10.0.0.3`,
    );
    expect(statSync(join(out, 'nats-a.example.conf')).mode & 0o777).toBe(0o600);
  });

  test('prints them without --out; with TLS the addresses say so', async () => {
    const run = await commands.run(
      ['cluster', 'config', 'a', 'b', 'c', '--tls', '--token', 'secret-token'],
      {},
    );
    expect(run.stdout.match(/^# ---- nats-[abc]\.conf$/gm)).toHaveLength(3);
    expect(run.stdout).toContain(
      'KNELL_CLUSTER=tls://secret-token@a,tls://secret-token@b,tls://secret-token@c',
    );
    expect(run.stdout.match(/tls \{/g)).toHaveLength(6);
  });

  test.each([
    [['a', 'b'], 'three machines'],
    [['a', 'b', 'a'], 'another machine'],
    [['a', 'b', 'c d'], 'is not a host name'],
    [['a', 'b', 'c', '--token', 'x"y'], '--token'],
  ])('refuses %j in one line', async (args, words) => {
    const run = await commands.run(['cluster', 'config', ...args], {});
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(words);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  });
});
