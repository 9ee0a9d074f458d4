/** Nodes that cannot join their cluster, or not yet: each says why in a line, and touches nothing. Over real nats-servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectServers } from '../../src/cluster/joining/connect.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { ClusterNode } from '../kills/node.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { KeptProcess } from '../support/process/kept-process.ts';
import { createNewLog } from '../support/store/new-log.ts';
import { freePort } from '../support/wire/free-port.ts';

const natsServer = findNatsServer();

if (natsServer === null) test.skip(noNatsServer);
else
  describe('a node', () => {
    const dir = mkdtempSync(join(tmpdir(), 'knell-test-joining-'));
    const nodes: ClusterNode[] = [];
    let servers: NatsServers;
    /** Of the cluster `late`. */
    let member: ClusterNode;

    function nodeOf(cluster: string, name: string, env: Readonly<Record<string, string>> = {}): ClusterNode {
      const given = { KNELL_CLUSTER: servers.urls(), KNELL_CLUSTER_NAME: cluster, ...env };
      const dataDir = env.KNELL_DATA_DIR ?? join(dir, `${nodes.length}`);
      const node = new ClusterNode({ main: builtFile('main.js'), name, dataDir, env: given });
      nodes.push(node);
      return node;
    }

    const said = (node: ClusterNode, text: string): number =>
      node.lines.filter(({ msg }) => msg.includes(text)).length;

    /** What it says when it ends, which it must. */
    async function refusalOf(node: ClusterNode): Promise<string> {
      node.launch();
      expect(await node.untilEnded()).toBe(1);
      return node.lines
        .filter(({ level }) => level === 0)
        .map(({ msg }) => msg)
        .join('\n');
    }

    const leads = (node: ClusterNode) =>
      eventually(() => expect(said(node, 'leading the cluster')).toBeGreaterThan(0));

    beforeAll(async () => {
      servers = await NatsServers.prepare(natsServer);
    });

    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
      await servers.remove();
      rmSync(dir, { recursive: true, force: true });
    });

    test('that reaches no nats-server says so once, and joins when there is one', async () => {
      member = nodeOf('late', 'member');
      member.launch();
      await eventually(() => expect(said(member, 'cannot reach NATS')).toBe(1));
      await servers.startAll();
      // Alone it creates no log: the others may have data.
      await eventually(() => expect(said(member, 'waiting until 3 nodes say that they are empty')).toBe(1));
      expect(await servers.leaderOf('knell-late')).toBeNull();
      await createNewLog(servers, 'late');
      await member.ready();
      await leads(member);
      expect([said(member, 'cannot reach NATS'), member.endings]).toEqual([1, []]);
    });

    test('with the wrong token ends, and does not say the token', async () => {
      const line = await refusalOf(
        nodeOf('late', 'stranger', { KNELL_CLUSTER: servers.urls('not-the-token') }),
      );
      expect(line).toMatch(/^knell: NATS at [\d.:, ]+ refuses the token: .*nats-server$/);
      expect(line).not.toContain('not-the-token');
    });

    test('that speaks TLS to servers without it says which of the two to change', async () => {
      const urls = servers.urls().replaceAll('nats://', 'tls://');
      const node = nodeOf('late', 'private', { KNELL_CLUSTER: urls });
      node.launch();
      await eventually(() =>
        expect(said(node, 'KNELL_CLUSTER has tls://, and its files have no TLS;')).toBe(1),
      );
      expect(await node.end('SIGTERM')).toBe(0);
    });

    test('whose stream belongs to somebody else ends, and leaves it alone', async () => {
      const { signal } = new AbortController();
      const ours = { clusterName: 'taken', clusterCa: null, name: 'test', logger: silentLogger, signal };
      const link = await connectServers({ cluster: servers.urls().split(','), ...ours });
      const info = async () =>
        (await link.request('$JS.API.STREAM.INFO.knell-taken', '', 5000)).data.toString();
      const theirs = { name: 'knell-taken', subjects: ['orders.*'], num_replicas: 3, storage: 'file' };
      await link.request('$JS.API.STREAM.CREATE.knell-taken', JSON.stringify(theirs), 5000);
      expect(await refusalOf(nodeOf('taken', 'newcomer'))).toMatch(
        /^knell: the stream knell-taken was not created by Knell: give this cluster another KNELL_CLUSTER_NAME, /,
      );
      expect(JSON.parse(await info())).toMatchObject({ config: theirs, state: { messages: 0 } });
      await link.close();
    });

    test('with a single nats-server ends and says what is missing', async () => {
      const [port, monitor] = [await freePort(), await freePort()];
      const file = join(dir, 'single.conf');
      const store = JSON.stringify(join(dir, 'single'));
      writeFileSync(
        file,
        `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitor}"\njetstream { store_dir: ${store}, sync_interval: always }\n`,
      );
      const single = new KeptProcess(natsServer, ['-c', file], { stdio: 'ignore' });
      const url = `nats://127.0.0.1:${port}?monitor=${monitor}`;
      const line = await refusalOf(nodeOf('late', 'alone', { KNELL_CLUSTER: url }));
      expect(line).toMatch(
        /^knell: the stream knell-late is on 1 server, and a cluster needs 3: .*run Knell without KNELL_CLUSTER$/,
      );
      await single.end('SIGKILL');
    });

    test('with the name of another one that runs is noticed by both', async () => {
      const second = nodeOf('late', 'member');
      await second.start();
      for (const node of [member, second])
        await eventually(() => expect(said(node, 'two running nodes are called member')).toBe(1));
      expect(said(second, 'leading the cluster')).toBe(0);
      expect(await second.end('SIGTERM')).toBe(0);
    });

    test('with data, and no log in its cluster, creates none', async () => {
      expect(await member.end('SIGTERM')).toBe(0);
      const { dataDir } = member.options;
      const node = nodeOf('nowhere', 'member', { KNELL_DATA_DIR: dataDir });
      node.launch();
      await eventually(() =>
        expect(node.lines.map(({ msg }) => msg)).toContainEqual(
          expect.stringMatching(
            /^the cluster has no log, and this node holds batch \d+, 0 checks, written until .* UTC: waiting until there is one\. .*"knell cluster rebuild"$/,
          ),
        ),
      );
      expect(await node.end('SIGTERM')).toBe(0);
      expect(await servers.leaderOf('knell-nowhere')).toBeNull();
    });

    test('with data of another cluster, or of none, does not join', async () => {
      const other = nodeOf('other', 'other');
      await createNewLog(servers, 'other');
      await other.start();
      await leads(other);
      const { dataDir } = member.options;
      expect(await refusalOf(nodeOf('other', 'member', { KNELL_DATA_DIR: dataDir }))).toMatch(
        /^knell: the log of the cluster is another one than that of this data directory \(is KNELL_CLUSTER_NAME right\?\)\. This node holds batch \d+, .*/,
      );
      const single = nodeOf('', 'single', { KNELL_CLUSTER: '', KNELL_CLUSTER_NAME: 'knell' });
      await single.start();
      expect(await single.end('SIGTERM')).toBe(0);
      const joining = nodeOf('other', 'single', { KNELL_DATA_DIR: single.options.dataDir });
      expect(await refusalOf(joining)).toMatch(
        /^knell: this data directory was in no cluster, and the cluster has a log\. This node holds batch \d+, 0 checks, .*; node other holds batch \d+, .* and keep this one; .*"knell cluster rebuild"$/,
      );
    });

    test('that ended and starts again has what it had', async () => {
      await member.start();
      await eventually(() => expect(said(member, 'leading the cluster')).toBe(2));
      expect(member.endings).toEqual([]);
    });
  });
