/**
 * Three nats-servers and three Knells as processes of their own, under load, while one after the other is killed, stopped or
 * asked to end: nothing acknowledged is lost, nothing counts twice, every deadline is alerted once. For more of it, at random:
 * `npm run test:cluster`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { connectCluster } from '../../src/cluster/joining/connect.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { Alerts, graceS } from '../kills/alerts.ts';
import { blows } from '../kills/blows.ts';
import { Cluster } from '../kills/cluster.ts';
import { playRound, type Round } from '../kills/round.ts';
import { tableOf } from '../kills/table.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';

const natsServer = findNatsServer();
const deadlines = 40;
/** About as long as all rounds take: some fall due in each. */
const deadlinesMs = 60_000;
const options = { clients: 8, pingsBefore: 60, pingsAfter: 60 };

/** Jobs of a minute that do not end, begun within the last minute: by a Knell whose clock is behind. */
async function beginJobs(servers: NatsServers, alerts: Alerts): Promise<string> {
  const name = 'past';
  const startedMs = Date.now();
  let atMs = startedMs;
  const link = await connectCluster({
    cluster: servers.urls().split(','),
    clusterName: 'knell',
    clusterCa: null,
    name,
    logger: silentLogger,
    signal: new AbortController().signal,
  });
  await link.createLog(1);
  const knell = await Knell.start({
    link,
    clock: { ...systemClock, nowMs: () => atMs },
    env: { KNELL_CLUSTER: 'nats://given', KNELL_NODE: name },
  });
  await knell.leading();
  const channel = { project: 'default', kind: 'webhook', name: 'receiver' };
  await runAdmin(
    readConfig({ KNELL_DATA_DIR: knell.dataDir }, {}).config,
    { command: 'channel create', args: { ...channel, value: JSON.stringify({ url_down: alerts.url }) } },
    () => {},
  );
  for (let at = 0; at < deadlines; at++) {
    const { uuid } = await knell.create({ grace: graceS, channels: '*' });
    atMs = startedMs - graceS * 1000 + 5000 + (at * deadlinesMs) / deadlines;
    expect((await knell.request(`/ping/${uuid}/start`)).text).toBe('OK');
    alerts.expect(uuid, atMs + graceS * 1000);
  }
  await knell.stop();
  return knell.keys.readWrite;
}

if (natsServer === null) test.skip(noNatsServer);
else
  describe('a cluster of three under load', () => {
    let cluster: Cluster;
    const alerts = new Alerts();
    const rounds: Round[] = [];

    beforeAll(async () => {
      await alerts.start();
      const servers = await NatsServers.start(natsServer);
      const key = await beginJobs(servers, alerts);
      cluster = new Cluster({ main: builtFile('main.js'), servers, key });
      await cluster.start();
    });

    afterAll(async () => {
      await cluster.remove();
      await alerts.stop();
    });

    test.each(blows.map((blow) => [blow.name, blow] as const))(
      '%s loses nothing and counts nothing twice',
      async (_, blow) => {
        const round = await playRound(cluster, blow, options);
        rounds.push(round);
        expect(round.lost).toEqual([]);
        expect(round.recorded).toBeGreaterThanOrEqual(round.acknowledged);
        if (blow.isGentle) expect(round.refused).toBe(0);
        expect(alerts.problems(0)).toEqual([]);
      },
    );

    test('every deadline that fell due meanwhile was alerted, once', async () => {
      await eventually(() => expect(alerts.problems(alerts.latestDueMs)).toEqual([]));
      expect(alerts.count).toBe(deadlines);
      expect(cluster.stops).toHaveLength(1);
      expect(alerts.repeatedByStopped(cluster.stops)).toEqual([]);
      process.stdout.write(`${tableOf(rounds)}\n`);
    });
  });
