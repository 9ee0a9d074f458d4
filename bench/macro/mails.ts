/**
 * Durable mails a second, as a ratio to a bare smtp-server that drops what it takes, under the same load in the same
 * run: rounds interleaved, medians. At its end the pings on disk are counted. Also, without a target: every mail read
 * for keywords.
 */

import { join } from 'node:path';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { type MailLoad, mailClient, pour } from '../harness/mail-load.ts';
import { spreadOf } from '../harness/numbers.ts';
import { type Server, startBareSmtp, startKnell } from '../harness/process.ts';
import { firstRound, inRounds, type Plans } from '../harness/rounds.ts';
import { seed } from '../harness/seed.ts';

interface Plan extends MailLoad {
  readonly rounds: number;
}

const plans: Plans<Plan> = {
  smoke: { connections: 4, mails: 40, rounds: 1 },
  quick: { connections: 32, mails: 500, rounds: 1 },
  normal: { connections: 32, mails: 2000, rounds: 5 },
  full: { connections: 32, mails: 20_000, rounds: 5 },
};

/** Short connections take longer for each mail: so many are enough. */
const shortShare = 5;

const ratioTarget = 0.6;

export async function run(context: Context): Promise<Found> {
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
      [knell, plain, 'short'],
      [bare, plain, 'short'],
    ]);
    const sent = (2 * plan.mails + shortPlan(plan).mails) * (plan.rounds - firstRound(context.size));
    const lost = sent - (await recorded(knell, apiKey, uuids.length));
    const figures: Figure[] = [
      ...figuresOf(rounds),
      { name: 'acknowledged mails lost', value: lost, unit: '', target: { atMost: 0 } },
    ];
    return { figures, load: mailClient };
  } finally {
    await Promise.all([knell.end(), bare.end()]);
  }
}

type Sides = readonly (readonly [server: Server, uuid: string, kind?: 'short'])[];

function shortPlan({ connections, mails }: Plan): MailLoad {
  return { connections, mails: Math.ceil(mails / shortShare), short: true };
}

/** Mails a second of each side, round by round.  */
async function interleave(context: Context, plan: Plan, sides: Sides): Promise<number[][]> {
  const rounds: number[][] = [];
  await inRounds(context, plan, async (round) => {
    const rates: number[] = [];
    for (const [{ smtp }, uuid, kind] of sides) {
      const load = kind === 'short' ? shortPlan(plan) : plan;
      rates.push(await pour(smtp, `${uuid}@localhost`, load));
    }
    if (round >= 0) rounds.push(rates);
  });
  return rounds;
}

function figuresOf(rounds: readonly (readonly number[])[]): Figure[] {
  const of = (side: number) => spreadOf(rounds.map((rates) => rates[side] ?? Number.NaN));
  const ratio = (side: number, other: number) =>
    spreadOf(rounds.map((rates) => (rates[side] ?? Number.NaN) / (rates[other] ?? Number.NaN)));
  return [
    { name: 'durable mails', ...of(0), unit: '/s' },
    { name: 'bare smtp-server, mails dropped', ...of(1), unit: '/s' },
    { name: 'ratio', ...ratio(0, 1), unit: '×', target: { atLeast: ratioTarget } },
    { name: 'durable mails, each read for keywords', ...of(2), unit: '/s' },
    { name: 'short connections: durable mails', ...of(3), unit: '/s' },
    { name: 'short connections: bare smtp-server', ...of(4), unit: '/s' },
    { name: 'short connections: ratio', ...ratio(3, 4), unit: '×' },
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
