/**
 * `knell cluster init` and `rebuild` create a new log, empty or behind the data of this node. The reports of nodes are read here
 * too, for when no Knell can be asked. `cluster/joining/init` and `cluster/joining/rebuild` decide what is refused.
 */

import type { ConnectOptions } from '../../cluster/joining/connect.ts';
import { type Holder, holderWords } from '../../cluster/status/held.ts';
import { type Config, nodeNameOf } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Flags } from '../io/flags.ts';
import { natsWithinMs } from '../io/limits.ts';
import { show } from '../io/show.ts';
import { print } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';

export async function init(settings: Config, flags: Flags): Promise<number> {
  const [{ initLog }, { connectCluster }] = await Promise.all([
    import('../../cluster/joining/init.ts'),
    import('../../cluster/joining/connect.ts'),
  ]);
  const link = await connectCluster(await connectOptions(settings, new AbortController().signal));
  try {
    const nodes = await initLog({ link, ...settings });
    return show(flags, { cluster: settings.clusterName, nodes: nodes.map(({ name }) => name) }, () => {
      print(`created the log of the cluster ${settings.clusterName}, which is empty`);
      for (const node of nodes) print(holderWords(node));
    });
  } finally {
    await link.close();
  }
}

export async function rebuild(settings: Config, flags: Flags): Promise<number> {
  const [{ rebuildLog }, { openStore }, { createMeter }] = await Promise.all([
    import('../../cluster/joining/rebuild.ts'),
    import('../../store/open/open-store.ts'),
    import('../../lib/meter.ts'),
  ]);
  const options = await connectOptions(settings, new AbortController().signal);
  const rebuilt = await rebuildLog({
    ...options,
    dataDir: settings.dataDir,
    isForced: flags.force === true,
    agree: (sentences) => agree(sentences, flags),
    async withStore(join) {
      const store = await openStore({
        ...settings,
        join,
        logger: options.logger,
        meter: createMeter(),
        nowMs: () => systemClock.nowMs(),
        onBroken(error) {
          throw error;
        },
      });
      await store.close();
    },
  });
  return show(flags, rebuilt, () => {
    print(`the log begins anew at batch ${rebuilt?.firstSeq}`);
    print('start this node first (knell serve), then each of the others with another, empty KNELL_DATA_DIR');
    print('keep the directories of the others until you have compared them with this one');
  });
}

/** Resolves to what nodes report over NATS, and to the last reports of others that the node of this data directory remembers. */
export async function saidByNodes(settings: Config): Promise<{
  readonly nodes: readonly (Holder & { readonly role: string; readonly lastError: string })[];
}> {
  const silent = `no Knell answers on ${settings.dataDir}: it does not run, or it has not joined its cluster yet, and its log says what it waits for`;
  if (settings.cluster.length === 0) throw new KnellError('not-found', silent);
  const [{ connectServers }, { nodesThatRun, withRemembered }] = await Promise.all([
    import('../../cluster/joining/connect.ts'),
    import('../../cluster/status/listen.ts'),
  ]);
  const signal = AbortSignal.timeout(natsWithinMs);
  const options = await connectOptions(settings, signal);
  const link = await connectServers(options).catch((error: unknown) => {
    if (signal.aborted) throw new KnellError('not-found', silent);
    throw error;
  });
  try {
    const running = await nodesThatRun(link.bus(), settings.clusterName);
    const byName = new Map(running.map((node) => [node.name, node]));
    const nodes = withRemembered(running, settings.dataDir).map((node) => ({
      ...node,
      role: byName.get(node.name)?.role ?? '',
      lastError: byName.get(node.name)?.lastError ?? '',
    }));
    return { nodes };
  } finally {
    await link.close();
  }
}

async function connectOptions(settings: Config, signal: AbortSignal): Promise<ConnectOptions> {
  if (settings.cluster.length === 0)
    throw new KnellError('usage', 'KNELL_CLUSTER is not set: which NATS servers is it?');
  const { createLogger } = await import('../../lib/logger.ts');
  const logger: Logger = createLogger({ level: 'warn', pretty: process.stderr.isTTY });
  const { cluster, clusterName, clusterCa } = settings;
  return { cluster, clusterName, clusterCa, name: nodeNameOf(settings), logger, signal };
}

async function agree(sentences: readonly string[], flags: Flags): Promise<boolean> {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  if (flags.yes === true) return true;
  if (!process.stdin.isTTY)
    throw new KnellError('usage', 'nothing was changed; add --yes to continue without it');
  return (await typedAnswer('Begin anew? Type yes: ')) === 'yes';
}
