/** A real Knell that writes its own snapshots every second, with pings going on all the time. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { builtFile } from '../support/process/built.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';

const running: KnellProcess[] = [];

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.end('SIGKILL');
});

async function start(dataDir: string): Promise<KnellProcess> {
  const knell = await KnellProcess.start(dataDir, { KNELL_SNAPSHOTS: '1s:2' });
  running.push(knell);
  return knell;
}

function command(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, KNELL_DATA_DIR: dataDir };
  return spawnSync(process.execPath, [builtFile('main.js'), ...args], { env, encoding: 'utf8' });
}

/** Pings until it is asked to end; says how many were answered with OK. */
function pinging(knell: KnellProcess): () => Promise<number> {
  const url = `${knell.httpUrl}/ping/${knell.pingKey}/job?create=1`;
  let isOn = true;
  const pings = (async () => {
    for (let count = 0; ; count++) {
      if (!isOn) return count;
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`ping ${count}: ${answer.status}`);
    }
  })();
  return () => {
    isOn = false;
    return pings;
  };
}

const snapshotsIn = (dataDir: string): readonly string[] => {
  const dir = join(dataDir, 'snapshots');
  return existsSync(dir)
    ? readdirSync(dir).filter((name) => /^knell-\d{8}T\d{6}Z\.snapshot$/.test(name))
    : [];
};

test('writes them beside the pings, keeps two, ends when asked to, and restores from the latest', async () => {
  const dataDir = join(tempDir(), 'data');
  const knell = await start(dataDir);
  const ended = pinging(knell);
  const seen = new Set<string>();
  await expect
    .poll(() => snapshotsIn(dataDir).reduce((all, name) => all.add(name), seen).size, {
      timeout: 300_000,
      interval: 50,
    })
    .toBeGreaterThanOrEqual(4);
  const manual = command(dataDir, 'snapshot');
  expect([manual.status, manual.stderr]).toEqual([0, '']);
  const pings = await ended();
  expect(await knell.end('SIGTERM')).toBe(0);

  const left = readdirSync(join(dataDir, 'snapshots'));
  expect(left.filter((name) => name.startsWith('manual-'))).toHaveLength(1);
  expect(snapshotsIn(dataDir).length).toBeLessThanOrEqual(3);
  expect(command(dataDir, 'snapshot', 'verify').status).toBe(0);

  for (const name of readdirSync(dataDir).filter((one) => one !== 'snapshots'))
    rmSync(join(dataDir, name), { recursive: true });
  const restored = command(dataDir, 'restore', '--json');
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  const summary = JSON.parse(restored.stdout);
  expect(summary).toMatchObject({ checks: 1, pings: expect.any(Number) });
  expect(summary.pings).toBeGreaterThan(0);
  expect(summary.pings).toBeLessThanOrEqual(pings);
});

test('a Knell that is killed again and again while it writes them leaves none that is damaged', async () => {
  const dataDir = join(tempDir(), 'data');
  for (let kills = 0; kills < 4; kills++) {
    const knell = await start(dataDir);
    const before = new Set(snapshotsIn(dataDir));
    await expect
      .poll(() => snapshotsIn(dataDir).some((name) => !before.has(name)), { interval: 10 })
      .toBe(true);
    await knell.end('SIGKILL');
  }
  const run = command(dataDir, 'snapshot', 'verify', '--json');
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(JSON.parse(run.stdout).length).toBeGreaterThanOrEqual(2);
});
