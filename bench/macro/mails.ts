/**
 * Durable mails a second, as a ratio to a bare smtp-server that drops what it takes, under the same load in the same
 * run: rounds interleaved, medians. At its end the pings on disk are counted. Also, without a target: every mail read
 * for keywords.
 */
import { join } from 'node:path';
import type { Bench, Context, Figure, Found, Size } from '../harness/bench.ts';
import { type MailLoad, mailClient, pour } from '../harness/mail-load.ts';
import { median } from '../harness/numbers.ts';
import { type Server, startBareSmtp, startKnell } from '../harness/process.ts';
import { seed } from '../harness/seed.ts';

interface Plan extends MailLoad {
  readonly rounds: number;
}

const plans: Readonly<Record<Size, Plan>> = {
  smoke: { connections: 4, mails: 40, rounds: 1 },
  quick: { connections: 32, mails: 6000, rounds: 3 },
  normal: { connections: 32, mails: 10_000, rounds: 3 },
  full: { connections: 32, mails: 20_000, rounds: 5 },
};

const ratioTarget = 0.6;

export const mails: Bench = {
  name: 'mails',
  about: 'durable email pings against a bare smtp-server that drops them',
  run,
};

async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids, apiKey } = await seed(dataDir, { checks: 2 });
  const [plain = '', filtering = ''] = uuids;
  const env = { KNELL_SMTP: '127.0.0.1:0' };
  const [knell, bare] = await Promise.all([startKnell({ dataDir, env }), startBareSmtp()]);
  try {
    await filter(knell, apiKey, filtering);
    const rounds = await interleave(context, plan, [
      [knell, plain],
      [bare, plain],
      [knell, filtering],
    ]);
    const sent = plan.mails * (plan.rounds + 1);
    const lost = 2 * sent - (await recorded(knell, apiKey, uuids.length));
    const figures: Figure[] = [
      ...figuresOf(rounds),
      { name: 'acknowledged mails lost', value: lost, unit: '', target: { atMost: 0 } },
    ];
    return { figures, load: mailClient };
  } finally {
    await Promise.all([knell.end(), bare.end()]);
  }
}

type Sides = readonly (readonly [server: Server, uuid: string])[];

/** Mails a second of each side, round by round. The first round is not counted: code is compiled while it runs. */
async function interleave(context: Context, plan: Plan, sides: Sides): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let round = 0; round <= plan.rounds; round++) {
    const rates: number[] = [];
    for (const [{ smtp }, uuid] of sides) rates.push(await pour(smtp, `${uuid}@localhost`, plan));
    if (round > 0) rounds.push(rates);
    context.progress((round + 1) / (plan.rounds + 1));
  }
  return rounds;
}

function figuresOf(rounds: readonly (readonly number[])[]): Figure[] {
  const of = (side: number): number[] => rounds.map((rates) => rates[side] ?? Number.NaN);
  const [kept, dropped, read] = [of(0), of(1), of(2)];
  const ratios = kept.map((rate, round) => rate / (dropped[round] ?? Number.NaN));
  const spread = { min: Math.min(...ratios), max: Math.max(...ratios) };
  return [
    { name: 'durable mails', value: median(kept), unit: '/s' },
    { name: 'bare smtp-server, mails dropped', value: median(dropped), unit: '/s' },
    { name: 'ratio', value: median(ratios), ...spread, unit: '×', target: { atLeast: ratioTarget } },
    { name: 'durable mails, each read for keywords', value: median(read), unit: '/s' },
  ];
}

async function filter({ url }: Server, apiKey: string, uuid: string): Promise<void> {
  await fetch(`${url}/api/v3/checks/${uuid}`, {
    method: 'POST',
    headers: { 'X-Api-Key': apiKey },
    body: JSON.stringify({ filter_subject: true, filter_body: true, success_kw: 'OK' }),
  });
}

/** Pings on disk, those of the seed aside. */
async function recorded({ url }: Server, apiKey: string, seeded: number): Promise<number> {
  const reply = await fetch(`${url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
  const { checks }: { checks: { n_pings: number }[] } = JSON.parse(await reply.text());
  return checks.reduce((sum, check) => sum + check.n_pings, 0) - seeded;
}
