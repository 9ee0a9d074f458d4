/**
 * `npm run test:cluster -- --minutes N [--seed S]`: three nats-servers and three Knells under load, and random blows to them for
 * N minutes. Prints each round, and in the end a table.
 * Invariant: exit status 0 only when nothing that was acknowledged is lost, nothing is counted twice, and every deadline was
 * alerted once.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../simulation/random.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { pause, until } from '../support/real-time.ts';
import { Alerts } from './alerts.ts';
import { blows } from './blows.ts';
import { Cluster } from './cluster.ts';
import { playRound, type Round } from './round.ts';
import { tableOf } from './table.ts';

const minuteMs = 60_000;
const alertedWithinMs = 30_000;
const begunPerRound = 5;
const roundOptions = { clients: 12, pingsBefore: 200, pingsAfter: 200 };

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** This file's compiled form is in `dist/kills/test/kills/`. */
const main = fileURLToPath(new URL('../../../main.js', import.meta.url));
const file = findNatsServer();
const chosen = blows.filter(({ name }) => name.includes(values.only));
const minutes = Number(values.minutes);

if (values.help) say('usage: npm run test:cluster -- [--minutes N] [--seed S] [--only PART-OF-A-NAME]');
else if (!(minutes > 0) || chosen.length === 0)
  fail(2, '--minutes: a number; --only: a part of the name of a blow');
else if (file === null) fail(2, noNatsServer);
else await playAll(file);

async function playAll(natsServer: string): Promise<void> {
  const random = new Random(Number(values.seed));
  const cluster = new Cluster({ main, servers: await NatsServers.start(natsServer), key: null });
  const alerts = new Alerts();
  const rounds: Round[] = [];
  try {
    await alerts.start();
    await cluster.start();
    await cluster.command(...webhookCommand(alerts.url));
    for (const untilMs = performance.now() + minutes * minuteMs; performance.now() < untilMs; ) {
      await alerts.begin(cluster, begunPerRound);
      const round = await playRound(cluster, random.pick(chosen), roundOptions);
      rounds.push(round);
      say(lineOf(rounds.length, round));
      must(round.lost.length === 0, `lost: ${round.lost.slice(0, 10).join(', ')}`);
      must(
        alerts.problems(Date.now() - alertedWithinMs).length === 0,
        alerts.problems(Date.now()).join('\n'),
      );
    }
    await pause(Math.max(0, alerts.latestDueMs - Date.now()));
    await until('all deadlines are alerted', () => alerts.problems(Date.now()).length === 0).catch(() => {});
    must(alerts.problems(Date.now()).length === 0, alerts.problems(Date.now()).join('\n'));
    const stale = alerts.repeatedByStopped(cluster.stops);
    must(stale.length === 0, stale.join('\n'));
  } catch (error) {
    fail(1, `FAILED: ${error instanceof Error ? error.stack : error}`);
    for (const node of cluster.nodes) say(`--- ${node.name}\n${node.lastLines(30)}`);
  }
  say(tableOf(rounds));
  say(
    `${alerts.count} deadlines alerted, ${alerts.repeated} repeated under the same key; seed ${values.seed}`,
  );
  await cluster.remove();
  await alerts.stop();
}

function webhookCommand(url: string): readonly string[] {
  return ['channel', 'create', 'default', '--kind', 'webhook', '--name', 'receiver', '--url-down', url];
}

function lineOf(
  number: number,
  { name, firstMs, ownedMs, longestMs, acknowledged, recorded, refused, cut }: Round,
): string {
  const times = `first answer after ${firstMs.toFixed(0)} ms, owned after ${ownedMs?.toFixed(0) ?? '-'}, longest ${longestMs.toFixed(0)} ms`;
  return `${number} ${name}: ${times}; ${acknowledged} acknowledged, ${recorded} recorded, ${refused} refused, ${cut} cut`;
}

function must(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(status: number, line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = status;
}
