/** What `kill -9` may take away: nothing that was acknowledged. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { LogKind } from '../../src/store/disk/log-kind.ts';
import { logKinds } from '../../src/store/disk/log-kind.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { builtUrl } from '../support/process/built.ts';
import { checkOf, loaded } from '../support/store/store-facts.ts';
import { storeOptions } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

/** Of kills, each with more pings before it. */
const rounds = isLong ? 4 : 2;
const ids = [1, 2, 3, 4].map((number) => checkOf(number).id);

interface Killed {
  readonly dataDir: string;
  readonly journal: LogKind;
  readonly retention?: string;
}

/** Runs the child until it has acknowledged `acks` pings, kills it, and returns the highest n it acknowledged per check. */
async function pingAndKill(
  { dataDir, journal, retention }: Killed,
  from: readonly number[],
  acks: number,
): Promise<readonly number[]> {
  const script = fileURLToPath(new URL('../support/process/child-pinger.js', import.meta.url));
  const dist = builtUrl('').href;
  const checks = JSON.stringify(ids.map((id, index) => ({ id, n: from[index] })));
  const child = spawn(process.execPath, [script, dist, dataDir, checks, journal, retention ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const highest = [...from];
  let left = acks;
  for await (const line of createInterface(child.stdout)) {
    const [index = 0, n = 0] = line.split(' ').map(Number);
    highest[index] = Math.max(highest[index] ?? 0, n);
    if (--left === 0) child.kill('SIGKILL');
  }
  expect(
    child.signalCode ?? (await new Promise((resolve) => child.once('exit', (_c, signal) => resolve(signal)))),
  ).toBe('SIGKILL');
  return highest;
}

// The usual one in `npm test`, both in `npm run test:long`.
test.each(logKinds.filter((kind) => isLong || kind === 'lmdb'))(
  'a store over the %s log, killed between commits and during folds, keeps every acknowledged ping, without a gap',
  async (journal) => {
    const dataDir = join(tempDir(), 'data');
    let reached: readonly number[] = ids.map(() => 0);
    for (let round = 1; round <= rounds; round++) {
      const acked = await pingAndKill({ dataDir, journal }, reached, 200 * round);
      const store = await openStore(storeOptions(dataDir, { journal, bodyBudgetBytes: 1_000_000 }));
      const facts = await loaded(store);
      for (const isFolded of [false, true]) {
        if (isFolded) await store.folded();
        for (const [index, id] of ids.entries()) {
          const nPings = facts.checks.get(id)?.state.nPings ?? 0;
          expect(nPings).toBeGreaterThanOrEqual(acked[index] ?? 0);
          const listed = store.pings(id, 2000).map((ping) => ping.n);
          const expected = Array.from({ length: Math.min(nPings, 1000) }, (_, back) => nPings - back);
          expect(listed).toEqual(expected);
          const withBody = nPings - (nPings % 5);
          expect(Buffer.from(store.body(id, withBody) ?? []).toString()).toBe(`body ${withBody}`);
        }
      }
      await store.close();
      reached = ids.map((id) => facts.checks.get(id)?.state.nPings ?? 0);
    }
  },
);

/** What the rules below keep of `nPings` pings a minute apart, of which every seventh failed. Newest first. */
function keptOf(nPings: number): readonly number[] {
  const all = Array.from({ length: nPings }, (_, back) => nPings - back);
  const failures = all.filter((n) => n % 7 === 0).slice(0, 60);
  return all.filter((n) => (n % 7 === 0 ? failures.includes(n) : n > nPings - 50));
}

const rules = 'pings last 50\nfailures last 60\nbodies of successes 1 hour';

test('killed while rules of retention are applied, a store shows what they keep, no more and no less', async () => {
  const dataDir = join(tempDir(), 'data');
  let reached: readonly number[] = ids.map(() => 0);
  const lives = isLong ? rounds : 1;
  for (let round = 1; round <= lives; round++) {
    await pingAndKill({ dataDir, journal: 'lmdb', retention: rules }, reached, 900 * round);
    const store = await openStore(storeOptions(dataDir, { bodyBudgetBytes: 1_000_000 }));
    const facts = await loaded(store);
    const aliveMs = facts.singles.aliveMs ?? 0;
    for (const isFolded of [false, true]) {
      if (isFolded) await store.folded();
      for (const id of ids) {
        const nPings = facts.checks.get(id)?.state.nPings ?? 0;
        const retention = { rules, former: [], aliveMs, nPings, pingsMax: 1000 };
        const pings = store.pings(id, 2000, retention);
        expect(pings.map(({ n }) => n)).toEqual(keptOf(nPings));
        for (const { n, bodyBytes } of pings) {
          const isKept = n % 5 === 0 && (n % 7 === 0 || n * 60_000 >= aliveMs - 3_600_000);
          expect([n, bodyBytes > 0]).toEqual([n, isKept]);
          if (isKept) expect(Buffer.from(store.body(id, n) ?? []).toString()).toBe(`body ${n}`);
        }
      }
    }
    // Applied: what the rules dropped of the oldest is not there, whatever is asked for.
    const all = { rules: 'failures 10 years', former: [], aliveMs: 0, nPings: 1e6, pingsMax: 1e6 };
    if (round === lives) {
      // Each fold is followed by a sixteenth of the checks.
      for (let fold = 0; fold < 40; fold++) {
        await new Promise<void>((resolve) =>
          store.append({ type: 'alive', atMs: aliveMs }, { durable: resolve, rolledBack: resolve }),
        );
        await store.folded();
      }
      for (const id of ids)
        await eventually(() =>
          expect(store.pings(id, 1e6, all).length).toBeLessThan(facts.checks.get(id)?.state.nPings ?? 0),
        );
    }
    await store.close();
    reached = ids.map((id) => facts.checks.get(id)?.state.nPings ?? 0);
  }
});
