/** `knell cluster status` while most nats-servers are gone, at the last leader and at a standby. Over real nats-servers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClusterNode } from '../kills/node.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { CommandRunner } from '../support/process/commands.ts';
import { createNewLog } from '../support/store/new-log.ts';

const natsServer = findNatsServer();

if (natsServer === null) test.skip(noNatsServer);
else
  describe('knell cluster status', () => {
    const dir = mkdtempSync(join(tmpdir(), 'knell-test-status-'));
    const nodes: ClusterNode[] = [];
    let servers: NatsServers;
    let commands: CommandRunner;

    beforeAll(async () => {
      servers = await NatsServers.start(natsServer);
      await createNewLog(servers);
      commands = CommandRunner.start();
      for (const name of ['a', 'b']) {
        const env = { KNELL_CLUSTER: servers.urls() };
        const node = new ClusterNode({ main: builtFile('main.js'), name, dataDir: join(dir, name), env });
        nodes.push(node);
        await node.start();
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
    const readiness = async (node: ClusterNode): Promise<number> =>
      (await fetch(`${node.url}/readyz`)).status;

    async function eachSaysOwned(): Promise<void> {
      for (const node of nodes)
        await eventually(async () => {
          const { status, stdout } = await statusAt(node);
          expect(stdout).toMatch(/^[ab] leads, epoch \d+\n/);
          expect([status, await readiness(node)]).toEqual([0, 200]);
        });
    }

    test('says that the log does not answer, since when, and which servers are gone; then who leads', async () => {
      const ownedMs = Date.now();
      await eachSaysOwned();
      await servers.kill('n2');
      servers.stop('n3');
      for (const node of nodes) {
        // The first word already: what was read of the leader's claim is not enough.
        const { status, stdout } = await statusAt(node);
        expect(status).toBe(1);
        expect(stdout).toMatch(
          /^the log does not answer since \S+: nothing is recorded, nobody is alerted; NATS servers out of reach from here: /,
        );
        expect(stdout).not.toContain('leads');
        const out = servers.addressesOf('n2', 'n3');
        expect(stdout.split('\n')[0]?.split('from here: ')[1]?.split(', ')).toEqual(out);
        const shown = JSON.parse((await statusAt(node, '--json')).stdout);
        expect(shown).toMatchObject({ leader: null, unreachable: out });
        expect(shown.silentSinceMs).toBeGreaterThan(ownedMs);
        expect(shown.silentSinceMs).toBeLessThan(Date.now());
        await eventually(async () => expect(await readiness(node)).toBe(503));
        // The page's settings, with its list of nodes, are served by a leader that is certain, or not at all.
        const page = await fetch(`${node.url}/api/v3/checks/`, { headers: { 'X-Api-Key': 'any' } });
        expect(page.status).toBe(503);
      }
      await servers.restart('n2');
      await servers.restart('n3');
      await eachSaysOwned();
    });

    test('shows no second leader while the one that handed over is not forgotten', async () => {
      const [a, b] = nodes;
      if (!a || !b) throw new Error('there are two');
      await eventually(() => expect(b.lines.length).toBeGreaterThan(0));
      const { leader } = JSON.parse((await statusAt(a, '--json')).stdout);
      const [leaving, staying] = leader === 'a' ? [a, b] : [b, a];
      await leaving.end('SIGTERM');
      // It is the leader once it has claimed the log and opened its store: between the two nobody is.
      const seen: string[][] = [];
      await eventually(async () => {
        const { leader: named, nodes: rows } = JSON.parse((await statusAt(staying, '--json')).stdout);
        const leaders = rows.filter(({ role }: { role: string }) => role === 'leader');
        seen.push(leaders.map(({ name }: { name: string }) => name));
        expect([named, seen.at(-1)]).toEqual([staying.name, [staying.name]]);
      });
      expect(seen.filter((names) => names.length > 1)).toEqual([]);
    });
  });
