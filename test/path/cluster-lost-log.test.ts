/** The stream is deleted under a cluster that runs: nodes say so without a trace of the stack, and create no log. Over real nats-servers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectServers } from '../../src/cluster/joining/connect.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { deleteJetStreamLog } from '../../src/store/replicated/jetstream-log.ts';
import { ClusterNode } from '../kills/node.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { CommandRunner } from '../support/process/commands.ts';
import { createNewLog } from '../support/store/new-log.ts';

const natsServer = findNatsServer();

if (natsServer === null) test.skip(noNatsServer);
else
  describe('nodes whose stream is deleted', () => {
    const dir = mkdtempSync(join(tmpdir(), 'knell-test-lost-'));
    const nodes: ClusterNode[] = [];
    let servers: NatsServers;
    let commands: CommandRunner;

    beforeAll(async () => {
      servers = await NatsServers.prepare(natsServer);
      commands = CommandRunner.start();
      for (const name of ['a', 'b']) {
        const env = { KNELL_CLUSTER: servers.urls() };
        nodes.push(new ClusterNode({ main: builtFile('main.js'), name, dataDir: join(dir, name), env }));
      }
    });

    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
      await commands?.stop();
      await servers?.remove();
      rmSync(dir, { recursive: true, force: true });
    });

    const statusAt = (node: ClusterNode, ...flags: readonly string[]) =>
      commands.run(['cluster', 'status', '--data-dir', node.options.dataDir, ...flags], {});
    const said = (node: ClusterNode, text: string): boolean =>
      node.lines.some(({ msg }) => msg.includes(text));

    test('say first that they wait, where no server answers', async () => {
      for (const node of nodes) node.launch();
      const [a] = nodes;
      if (!a) throw new Error('there are two');
      await eventually(() => expect(said(a, 'cannot reach NATS')).toBe(true));
      const { status, stderr } = await statusAt(a);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^knell: no Knell answers on .*what it waits for\n$/),
      ]);
    });

    test('end if they led it, stop following if they did not; no new log is created', async () => {
      await servers.startAll();
      await createNewLog(servers);
      for (const node of nodes) await node.ready();
      const leader = await eventually(() => {
        const found = nodes.find((node) => said(node, 'leading the cluster'));
        if (!found) throw new Error('nobody leads yet');
        return found;
      });
      const standby = nodes.find((node) => node !== leader);
      if (!standby) throw new Error('there are two');
      await eventually(() => expect(said(standby, 'following')).toBe(true));
      const link = await connectServers({
        ...{ cluster: servers.urls().split(','), clusterName: 'knell', clusterCa: null, name: 'test' },
        logger: silentLogger,
        signal: new AbortController().signal,
      });
      await deleteJetStreamLog(link, 'knell');
      await link.close();

      expect(await leader.untilEnded()).toBe(1);
      const fatal = leader.lines.filter(({ level }) => level === 60);
      expect(fatal).toHaveLength(1);
      expect(fatal[0]?.msg).toMatch(/the log of the cluster is gone: .*knell cluster rebuild"$/);
      expect(fatal[0]).not.toHaveProperty('err');
      const shown = await eventually(async () => {
        const { status, stdout } = await statusAt(standby, '--json');
        const parsed = JSON.parse(stdout);
        expect([status, parsed.leader, parsed.follows]).toEqual([1, null, false]);
        return parsed;
      });
      expect(shown.nodes.map(({ name }: { name: string }) => name)).toContain(leader.name);
      const { stdout } = await statusAt(standby);
      expect(stdout).toMatch(/^this node does not follow the log, and does not know who leads/);
      expect(stdout).toContain('knell cluster rebuild');
      expect((await fetch(`${standby.url}/readyz`)).status).toBe(503);
      expect(await servers.leaderOf('knell-knell')).toBeNull();
    });
  });
