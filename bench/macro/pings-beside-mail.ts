/**
 * How long an HTTP ping waits while mail pours in, and while none does: pings at a steady rate, rounds interleaved. At
 * its end the pings on disk are counted.
 */

import { join } from 'node:path';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad } from '../harness/load.ts';
import { mailClient, pour } from '../harness/mail-load.ts';
import { median } from '../harness/numbers.ts';
import { type Server, startKnell } from '../harness/process.ts';
import { inRounds, type Plans } from '../harness/rounds.ts';
import { lostPings, seed } from '../harness/seed.ts';

interface Plan {
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
}

const plans: Plans<Plan> = {
  smoke: { rate: 100, seconds: 0.3, rounds: 1 },
  quick: { rate: 1000, seconds: 0.5, rounds: 1 },
  normal: { rate: 1000, seconds: 1, rounds: 5 },
  full: { rate: 1000, seconds: 8, rounds: 5 },
};

const connections = 16;
const mailConnections = 8;
/** More than any round takes: it ends the load. */
const endless = 100_000_000;
const p99FactorTarget = 1.5;

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids, apiKey } = await seed(dataDir, { checks: 1000 });
  const knell = await startKnell({ dataDir, env: { KNELL_SMTP: '127.0.0.1:0' } });
  const { rounds, acknowledged, mailSeconds } = await interleave(context, plan, knell, uuids);
  const mails = await emailPings(knell, apiKey, uuids[0] ?? '');
  await knell.end();
  const figures = [
    { name: 'pings offered', value: plan.rate, unit: '/s' },
    { name: 'mails that came meanwhile', value: mails / mailSeconds, unit: '/s' },
    ...figuresOf(rounds),
    await lostPings(dataDir, acknowledged + mails),
  ];
  return { figures, load: `own for pings, ${mailClient} for mails` };
}

type Round = readonly [quiet: Loaded, busy: Loaded];

interface Measured {
  readonly rounds: readonly Round[];
  /** Pings over HTTP. */
  readonly acknowledged: number;
  /** For how long mail came, all rounds together. */
  readonly mailSeconds: number;
}

/** The first check gets the mails, the others the pings. */
async function interleave(
  context: Context,
  plan: Plan,
  knell: Server,
  [mailed, ...pinged]: readonly string[],
): Promise<Measured> {
  const load = { url: knell.url, paths: pinged.map((uuid) => `/ping/${uuid}`), connections, ...plan };
  const rounds: Round[] = [];
  let mailSeconds = 0;
  let acknowledged = 0;
  await inRounds(context, plan, async (round) => {
    const quiet = await applyLoad(load);
    const ending = new AbortController();
    const sinceMs = performance.now();
    const mail = { connections: mailConnections, mails: endless };
    const poured = pour(knell.smtp, `${mailed}@localhost`, mail, ending.signal);
    const busy = await applyLoad(load).finally(() => ending.abort());
    await poured;
    acknowledged += quiet.requests + busy.requests;
    mailSeconds += (performance.now() - sinceMs) / 1000;
    if (round >= 0) rounds.push([quiet, busy]);
  });
  return { rounds, acknowledged, mailSeconds };
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const factors = rounds.map(([quiet, busy]) => busy.p99Ms / quiet.p99Ms);
  const of = (side: 0 | 1, name: 'p50Ms' | 'p99Ms'): number => median(rounds.map((pair) => pair[side][name]));
  const spread = { min: Math.min(...factors), max: Math.max(...factors) };
  return [
    { name: 'p50, no mail', value: of(0, 'p50Ms'), unit: 'ms' },
    { name: 'p50, mail pours in', value: of(1, 'p50Ms'), unit: 'ms' },
    { name: 'p99, no mail', value: of(0, 'p99Ms'), unit: 'ms' },
    { name: 'p99, mail pours in', value: of(1, 'p99Ms'), unit: 'ms' },
    { name: 'p99 factor', value: median(factors), ...spread, unit: '×', target: { atMost: p99FactorTarget } },
  ];
}

/** The first check's pings, the seed's aside. */
async function emailPings({ url }: Server, apiKey: string, uuid: string): Promise<number> {
  const reply = await fetch(`${url}/api/v3/checks/${uuid}`, { headers: { 'X-Api-Key': apiKey } });
  const { n_pings }: { n_pings: number } = JSON.parse(await reply.text());
  return n_pings - 1;
}
