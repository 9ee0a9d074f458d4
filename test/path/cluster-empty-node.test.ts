/**
 * Empty nodes, nodes with data, and no log: before a cluster is new, and after its stream was lost. An empty node creates nothing
 * where another one has data, and a new log begins with the most that is known. Over real nats-servers.
 */
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

const natsServer = findNatsServer();

interface Row {
  readonly name: string;
  readonly isAlive: boolean;
  readonly held: { readonly lastSeq: number; readonly checks: number } | null;
}

if (natsServer === null) test.skip(noNatsServer);
else
  describe('a cluster without a log', () => {
    const dir = mkdtempSync(join(tmpdir(), 'knell-test-empty-'));
    const all: ClusterNode[] = [];
    let servers: NatsServers;
    let commands: CommandRunner;
    let key = '';

    function nodeOf(name: string): ClusterNode {
      const env = { KNELL_CLUSTER: servers.urls() };
      const node = new ClusterNode({ main: builtFile('main.js'), name, dataDir: join(dir, name), env });
      all.push(node);
      return node;
    }

    const command = (node: ClusterNode, ...args: readonly string[]) =>
      commands.run(['cluster', ...args, '--data-dir', node.options.dataDir], {
        KNELL_CLUSTER: servers.urls(),
        KNELL_NODE: node.name,
      });
    const rowsAt = async (node: ClusterNode): Promise<readonly Row[]> =>
      JSON.parse((await command(node, 'status', '--json')).stdout).nodes;
    const waits = (node: ClusterNode, words: RegExp) =>
      eventually(() => expect(node.lines.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(words)));
    const hasLog = async (): Promise<boolean> => (await servers.leaderOf('knell-knell')) !== null;

    async function createCheck(node: ClusterNode, name: string): Promise<void> {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const body = JSON.stringify({ name, timeout: 3600 });
      const url = `${node.url}/api/v3/checks/`;
      await eventually(async () =>
        expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201),
      );
    }

    async function loseStream(): Promise<void> {
      const link = await connectServers({
        ...{ cluster: servers.urls().split(','), clusterName: 'knell', clusterCa: null, name: 'test' },
        logger: silentLogger,
        signal: new AbortController().signal,
      });
      await deleteJetStreamLog(link, 'knell');
      await link.close();
    }

    beforeAll(async () => {
      servers = await NatsServers.start(natsServer);
      commands = CommandRunner.start();
    });

    afterAll(async () => {
      await Promise.all(all.map((node) => node.end('SIGKILL')));
      await commands?.stop();
      await servers?.remove();
      rmSync(dir, { recursive: true, force: true });
    });

    test('gets none from fewer empty nodes than servers; `init` creates it at once, and once', async () => {
      const [a, b] = [nodeOf('a'), nodeOf('b')];
      for (const node of [a, b]) node.launch();
      for (const node of [a, b])
        await waits(
          node,
          /this node is empty: waiting until 3 nodes .*\(so far a, b\).*"knell cluster init"/,
        );
      expect(await hasLog()).toBe(false);
      expect((await rowsAt(a)).map(({ name, held }) => [name, held?.lastSeq])).toEqual([
        ['a', 0],
        ['b', 0],
      ]);
      const { status, stdout, stderr } = await command(a, 'init');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('node b holds nothing');
      for (const node of [a, b]) await node.ready();
      key = await eventually(() => {
        const found = [a, b].map(({ printed }) => /hcw_\w+/.exec(printed)?.[0]).find(Boolean);
        if (!found) throw new Error('no key was printed yet');
        return found;
      });
      expect((await command(a, 'init')).stderr).toMatch(/has a log: nothing was changed/);
    });

    test('that was lost is not begun by an empty node, which names who holds data', async () => {
      const [a, b] = all;
      if (!a || !b) throw new Error('there are two');
      await createCheck(a, 'one');
      await eventually(async () => {
        const rows = await rowsAt(a);
        expect(rows.map(({ held }) => held?.checks)).toEqual([1, 1]);
      });
      await b.end('SIGTERM');
      await createCheck(a, 'two');
      await a.end('SIGTERM');
      await loseStream();

      const c = nodeOf('c');
      for (const node of [a, b, c]) node.launch();
      await waits(a, /no log, and this node holds batch \d+, 2 checks, .*"knell cluster rebuild"$/);
      await waits(
        b,
        /no log, and this node holds batch \d+, 1 check, .*; node a holds batch \d+, 2 checks, .* which is more: /,
      );
      await waits(c, /this node is empty, and node a holds batch \d+, 2 checks, .*"knell cluster rebuild"$/);
      expect([await hasLog(), c.url]).toEqual([false, null]);
      const rows = await rowsAt(c);
      expect(rows.map(({ name, held, isAlive }) => [name, held?.checks, isAlive])).toEqual([
        ['a', 2, true],
        ['b', 1, true],
        ['c', 0, true],
      ]);
      const refused = await command(c, 'init');
      expect([refused.status, await hasLog()]).toEqual([1, false]);
      expect(refused.stderr).toMatch(/^knell: node a holds batch \d+, 2 checks, .*; node b holds /);
      expect(all.flatMap(({ endings }) => endings)).toEqual([]);
    });

    test('is not begun with less than another node holds, running or not, unless it is forced', async () => {
      const [a, b] = all;
      if (!a || !b) throw new Error('there are three');
      await b.end('SIGTERM');
      const less = await command(b, 'rebuild', '--yes');
      expect([less.status, await hasLog()]).toEqual([1, false]);
      expect(less.stderr).toMatch(
        /^knell: node a holds batch \d+, 2 checks, .*, and this node holds batch \d+, 1 check, .*nothing was changed\. Rebuild there; .*--force/,
      );
      // Gone, and remembered: by the node that asks too.
      await a.end('SIGKILL');
      await eventually(async () => {
        const known = (await rowsAt(b)).map(({ name, held, isAlive }) => [name, held?.checks, isAlive]);
        expect(known).toEqual([
          ['a', 2, false],
          ['b', 1, false],
          ['c', 0, true],
        ]);
      });
      const { stdout } = await command(b, 'status');
      expect(stdout).toMatch(/^a +gone +\d+ +2 /m);
      const still = await command(b, 'rebuild', '--yes');
      expect([still.status, await hasLog()]).toEqual([1, false]);
      expect(still.stderr).toMatch(
        /node a holds .* \(it does not run; said at .* UTC\), and this node holds/,
      );
    });

    test('gets one from the node that holds the most; the others say who, and to keep what they have', async () => {
      const [a, b, c] = all;
      if (!a || !b || !c) throw new Error('there are three');
      const rebuilt = await command(a, 'rebuild', '--yes');
      expect([rebuilt.status, rebuilt.stdout]).toEqual([
        0,
        expect.stringMatching(/^the log begins anew at /),
      ]);
      expect(rebuilt.stderr).toMatch(/For comparison, node b holds batch \d+, 1 check, /);
      await a.start();
      await c.ready();
      await eventually(async () => {
        const answer = await fetch(`${c.url}/api/v3/checks/`, { headers: { 'x-api-key': key } });
        expect([answer.status, (await answer.text()).match(/"name":/g)?.length]).toEqual([200, 2]);
      });
      b.launch();
      expect(await b.untilEnded()).toBe(1);
      const line = b.lines.filter(({ level }) => level === 0).at(-1)?.msg;
      expect(line).toMatch(
        /^knell: the log of the cluster is another one .* This node holds batch \d+, 1 check, .*; node a holds batch \d+, 2 checks, .*[ac] follows the log and holds no less: .* keep this one until you have compared them$/,
      );
    });

    test('of a new cluster is created when three empty nodes have found each other', async () => {
      const env = { KNELL_CLUSTER: servers.urls(), KNELL_CLUSTER_NAME: 'new' };
      const three = ['x', 'y', 'z'].map(
        (name) => new ClusterNode({ main: builtFile('main.js'), name, dataDir: join(dir, name), env }),
      );
      all.push(...three);
      for (const node of three) node.launch();
      for (const node of three) await node.ready();
      const created = three.filter(({ lines }) => lines.some(({ msg }) => msg.includes('created the log')));
      expect(created.map(({ name }) => name)).toEqual(['x']);
    });
  });
