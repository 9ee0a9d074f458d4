/**
 * What a search over many outputs takes, through the management API: the time to the first hits of a word that is in one of twenty
 * outputs, and of one that is only in the oldest of all; how late the event loop is meanwhile, and what pings take beside it. The
 * outputs differ, and are twenty days of logs of jobs that run side by side. What is read is in the memory of the system, not of the
 * server: a disk that is slower than that is not part of it.
 */
import { join } from 'node:path';
import { hour, kB, MB } from '../../src/lib/units.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { applyLoad } from '../harness/load.ts';
import { type Spread, spreadOf } from '../harness/numbers.ts';
import { loopDelay, type Server, startKnell } from '../harness/process.ts';
import { inRounds, type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, type Seeded, seed } from '../harness/seed.ts';
import { cpuMsOf } from '../harness/watch-cpu.ts';

interface Plan {
  readonly checks: number;
  /** Outputs of each check; in all not over what a check keeps. */
  readonly outputs: number;
  readonly bytesEach: number;
  readonly rate: number;
  readonly rounds: number;
}

const plans: Plans<Plan> = {
  smoke: { checks: 4, outputs: 20, bytesEach: 2 * kB, rate: 50, rounds: 1 },
  quick: { checks: 40, outputs: 50, bytesEach: 50 * kB, rate: 1000, rounds: 1 },
  normal: { checks: 100, outputs: 100, bytesEach: 50 * kB, rate: 2000, rounds: 3 },
  full: { checks: 1000, outputs: 100, bytesEach: 100 * kB, rate: 2000, rounds: 1 },
};

const connections = 8;
/** Every so many outputs there is the word that is found at once. */
const commonEvery = 20;
const firstHitsTargetMs = 1000;
const loopTargetMs = 10;
const spanMs = 20 * 24 * hour;

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { checks, outputs, bytesEach } = plan;
  const seeded = await seed(dataDir, {
    checks,
    outputs: { each: outputs, spanMs, bodyOf: (check, n) => bodyOf(plan, check, n) },
    progress: (fraction) => context.progress(fraction / 2),
  });
  const knell = await startKnell({ dataDir, watched: true });
  const measured = await measure(context, { plan, knell, seeded, dataDir });
  await knell.end();
  const { whole } = measured;
  const bytes = whole[0]?.bytes ?? 0;
  const speed = spreadOf(whole.map((one) => one.bytes / MB / (one.ms / 1000)));
  const figures: Figure[] = [
    {
      name: 'outputs',
      value: checks * outputs,
      unit: '',
      note: `${checks} checks, ${bytesEach / kB} kB each`,
    },
    { name: 'searched in all', value: bytes / MB, unit: 'MB' },
    {
      name: 'a word of one output in twenty: first 20 hits',
      ...measured.first,
      unit: 'ms',
      target: { atMost: firstHitsTargetMs },
    },
    { name: 'two words, the first search of the process', value: measured.coldMs, unit: 'ms' },
    {
      name: 'a word of the oldest output only: first answer',
      ...spreadOf(whole.map(({ answerMs }) => answerMs)),
      unit: 'ms',
    },
    { name: 'a word of the oldest output only: found', ...spreadOf(whole.map(({ ms }) => ms)), unit: 'ms' },
    { name: 'searched a second', ...speed, unit: 'MB' },
    {
      name: 'ten thousand MB would take',
      value: (10_000 / speed.value) | 0,
      unit: 's',
      note: 'computed from the line above',
    },
    {
      name: 'processor time for 1000 MB',
      ...spreadOf(whole.map((one) => one.cpuMs / (one.bytes / MB / 1000))),
      unit: 'ms',
    },
    ...measured.loop,
    await lostPings(dataDir, checks * outputs + measured.acknowledged),
  ];
  return { figures, load: 'own at a fixed rate' };
}

/** Lines as of a job that copies files, with other numbers in each. */
function bodyOf({ checks, outputs, bytesEach }: Plan, check: number, n: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (let line = 0; size < bytesEach - 200; line++) {
    const text = `2026-06-01T02:${line % 60}:07Z INFO copied /srv/data/${check}/${n}/part-${line * 7919}.bin, ${line * 31} bytes in ${line % 97} ms`;
    lines.push(text);
    size += text.length + 1;
  }
  if ((check * outputs + n) % commonEvery === 0) lines.push('WARNING a retry was needed: connection reset');
  if (n === 1 && check === checks - 1) lines.push('this word is only here: heliotrope');
  return Buffer.from(lines.join('\n'));
}

interface Setting {
  readonly plan: Plan;
  readonly knell: Server;
  readonly seeded: Seeded;
  readonly dataDir: string;
}

interface Whole {
  /** Of the processor, all threads of the server together. */
  readonly cpuMs: number;
  readonly ms: number;
  readonly answerMs: number;
  readonly bytes: number;
}

interface Measured {
  readonly first: Spread;
  readonly coldMs: number;
  readonly whole: readonly Whole[];
  readonly loop: readonly Figure[];
  /** Pings beside the searches and without them. */
  readonly acknowledged: number;
}

async function measure(context: Context, { plan, knell, seeded, dataDir }: Setting): Promise<Measured> {
  const { coldMs, ...rest } = await firstOfAll(knell, seeded);
  if (rest.hits === 0) throw new Error('nothing was found');
  const first: number[] = [];
  const whole: Whole[] = [];
  const delays: {
    readonly quiet: number;
    readonly beside: number;
    readonly p999: number;
    readonly none: number;
  }[] = [];
  const pings: number[] = [];
  const pingsWithout: number[] = [];
  let acknowledged = 0;
  const load = { url: knell.url, paths: pingPaths(seeded.uuids), connections, rate: plan.rate };
  await inRounds(context, plan, async (round) => {
    await loopDelay(knell, dataDir);
    const start = performance.now();
    const { outputs } = await page(knell, seeded, { q: 'retry reset' });
    const firstMs = performance.now() - start;
    if (outputs === 0) throw new Error('nothing was found');
    const one = await searchWhole(knell, seeded);
    const searching = await loopDelay(knell, dataDir);
    const seconds = Math.max(0.5, (one.ms / 1000) * 1.2);
    const without = await applyLoad({ ...load, seconds });
    acknowledged += without.requests;
    const none = await loopDelay(knell, dataDir);
    const pouring = applyLoad({ ...load, seconds });
    await searchWhole(knell, seeded);
    const loaded = await pouring;
    acknowledged += loaded.requests;
    const beside = await loopDelay(knell, dataDir);
    if (round < 0) return;
    first.push(firstMs);
    whole.push(one);
    delays.push({ quiet: searching.maxMs, p999: searching.p999Ms, beside: beside.maxMs, none: none.maxMs });
    pings.push(loaded.p99Ms);
    pingsWithout.push(without.p99Ms);
  });
  const of = (key: 'quiet' | 'beside' | 'p999' | 'none') => spreadOf(delays.map((delay) => delay[key]));
  const loop: Figure[] = [
    {
      name: 'event-loop delay p99.9 of a search without pings',
      ...of('p999'),
      unit: 'ms',
      target: { atMost: loopTargetMs },
    },
    { name: 'event-loop delay max of a search without pings', ...of('quiet'), unit: 'ms' },
    { name: `event-loop delay max of ${plan.rate} pings/s without a search`, ...of('none'), unit: 'ms' },
    { name: `event-loop delay max beside ${plan.rate} pings/s`, ...of('beside'), unit: 'ms' },
    { name: `ping p99 without a search, ${plan.rate} pings/s`, ...spreadOf(pingsWithout), unit: 'ms' },
    { name: `ping p99 meanwhile, ${plan.rate} pings/s`, ...spreadOf(pings), unit: 'ms' },
  ];
  return { first: spreadOf(first), coldMs, whole, loop, acknowledged };
}

async function firstOfAll(knell: Server, seeded: Seeded): Promise<{ coldMs: number; hits: number }> {
  const start = performance.now();
  const { outputs } = await page(knell, seeded, { q: 'connection retry' });
  return { coldMs: performance.now() - start, hits: outputs };
}

/** Until the only output is found, page after page. */
async function searchWhole(knell: Server, seeded: Seeded): Promise<Whole> {
  const start = performance.now();
  const startCpuMs = cpuMsOf(knell.pid);
  let [answerMs, bytes, after] = [0, 0, ''];
  for (;;) {
    const answer = await page(knell, seeded, { q: 'heliotrope', ...(after === '' ? {} : { after }) });
    answerMs ||= performance.now() - start;
    bytes += answer.bytes;
    if (answer.outputs > 0) {
      const cpuMs = cpuMsOf(knell.pid) - startCpuMs;
      return { ms: performance.now() - start, cpuMs, answerMs, bytes };
    }
    if (answer.next === null) throw new Error('the word was not found');
    after = answer.next;
  }
}

interface Page {
  readonly outputs: number;
  readonly bytes: number;
  readonly next: string | null;
}

async function page(knell: Server, { apiKey }: Seeded, query: Record<string, string>): Promise<Page> {
  const words = new URLSearchParams({ in: 'outputs', ...query });
  const reply = await fetch(`${knell.url}/api/v3/search?${words}`, { headers: { 'X-Api-Key': apiKey } });
  if (reply.status !== 200) throw new Error(`a search was answered ${reply.status}`);
  const { outputs, searched, next } = (await reply.json()) as {
    readonly outputs: readonly unknown[];
    readonly searched: { readonly bytes: number };
    readonly next: string | null;
  };
  return { outputs: outputs.length, bytes: searched.bytes, next };
}
