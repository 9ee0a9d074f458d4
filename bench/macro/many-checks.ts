/**
 * What many checks cost: memory, the time from `kill -9` to ready, and listing 10,000 of them.
 */
import { join } from 'node:path';
import type { Bench, Context, Figure, Found, Size } from '../harness/bench.ts';
import { median } from '../harness/numbers.ts';
import { residentBytes, type Server, startKnell } from '../harness/process.ts';
import { type Seeded, seed } from '../harness/seed.ts';

const counts: Readonly<Record<Size, readonly number[]>> = {
  smoke: [200],
  quick: [10_000],
  normal: [10_000, 100_000],
  full: [1000, 10_000, 100_000, 1_000_000],
};

interface Targets {
  readonly readyMs: number;
  readonly megabytes: number;
}

const targets: Readonly<Record<number, Targets>> = { 100000: { readyMs: 5000, megabytes: 600 } };

export const manyChecks: Bench = {
  name: 'many-checks',
  about: 'memory, time to ready after kill -9, listing',
  run,
};

async function run(context: Context): Promise<Found> {
  const figures: Figure[] = [];
  const sizes = counts[context.size];
  for (const [at, checks] of sizes.entries()) {
    const dataDir = join(context.dir, `data-${checks}`);
    const seeded = await seed(dataDir, {
      checks,
      progress: (part) => context.progress((at + part / 2) / sizes.length),
    });
    figures.push(...(await measure(dataDir, checks, seeded)));
    context.progress((at + 1) / sizes.length);
  }
  return { figures };
}

async function measure(dataDir: string, checks: number, seeded: Seeded): Promise<readonly Figure[]> {
  const first = await startKnell({ dataDir });
  await fetch(`${first.url}/ping/${seeded.uuids[0]}`);
  await first.end('SIGKILL');
  const knell = await startKnell({ dataDir });
  const megabytes = residentBytes(knell.pid) / 1_000_000;
  const target = targets[checks];
  const figures: Figure[] = [
    {
      name: `ready after kill -9 with ${checks} checks`,
      value: knell.readyMs,
      unit: 'ms',
      ...(target ? { target: { atMost: target.readyMs } } : {}),
    },
    {
      name: `memory with ${checks} checks`,
      value: megabytes,
      unit: 'MB',
      ...(target ? { target: { atMost: target.megabytes } } : {}),
    },
  ];
  if (checks === 10_000) figures.push(...(await list(knell, seeded)));
  await knell.end();
  return figures;
}

async function list(knell: Server, { apiKey }: Seeded): Promise<readonly Figure[]> {
  const times: number[] = [];
  for (let round = 0; round < 12; round++) {
    const startedMs = performance.now();
    const reply = await fetch(`${knell.url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
    await reply.arrayBuffer();
    times.push(performance.now() - startedMs);
  }
  return [
    { name: 'listing 10000 checks, first', value: times[0] ?? Number.NaN, unit: 'ms' },
    { name: 'listing 10000 checks, median', value: median(times), unit: 'ms', target: { atMost: 100 } },
  ];
}
