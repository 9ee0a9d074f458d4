/**
 * `knell cluster rebuild`: a new log behind what one node has, in the place of the one that there was. For when the stream was
 * lost or damaged, and to bring the data of a single Knell into a cluster.
 * Invariants: nothing is deleted while a node leads, nor, unless it is forced, where another node is known to hold more, or
 * has not said what it holds. The data directory's lock is held.
 */
import { KnellError } from '../../lib/errors.ts';
import type { BatchLog } from '../../store/journal/batch-log.ts';
import type { Standby } from '../../store/journal/standby.ts';
import type { LocalLog, StoreOptions } from '../../store/open/open-store.ts';
import { createJetStreamLog, deleteJetStreamLog } from '../../store/replicated/jetstream-log.ts';
import { type HeldData, type Holder, heldWords, holderWords, holdsMore } from '../status/held.ts';
import { nodesThatRun, withRemembered } from '../status/listen.ts';
import type { KnownNode } from '../status/node-status.ts';
import { type ConnectOptions, connectServers, logOptions, newIncarnation } from './connect.ts';

export interface Rebuilt {
  readonly firstSeq: number;
  readonly incarnation: string;
}

interface RebuildOptions extends ConnectOptions {
  readonly dataDir: string;
  /** Also where another node holds more. */
  readonly isForced: boolean;
  /** Asked with what would be lost or overruled; nothing happens unless it says yes. */
  agree(sentences: readonly string[]): Promise<boolean>;
  /** Opens the store with that join, and closes it. */
  withStore(join: NonNullable<StoreOptions['join']>): Promise<void>;
}

/** Null when it was not agreed to. Rejects with a KnellError `conflict` while the cluster works. */
export async function rebuildLog(options: RebuildOptions): Promise<Rebuilt | null> {
  const { clusterName } = options;
  const link = await connectServers(options);
  let rebuilt: Rebuilt | null = null;
  try {
    const nodes = await nodesThatRun(link.bus(), clusterName);
    refuseWhileLed(nodes);
    await options.withStore(async ({ spool, incarnation, contents }: LocalLog) => {
      const lastSeq = spool.lastSeq;
      const own = { log: incarnation, lastSeq, ...contents };
      const others = withRemembered(nodes, options.dataDir).filter(({ name }) => name !== options.name);
      if (!options.isForced) refuseWhereLess(own, others);
      if (!(await options.agree(sentencesOf(own, others))))
        throw new KnellError('usage', 'nothing was changed');
      const stream = { firstSeq: lastSeq + 1, incarnation: newIncarnation() };
      await deleteJetStreamLog(link, clusterName);
      const created = await createJetStreamLog(logOptions(options, link), stream);
      if (created.incarnation !== stream.incarnation)
        throw new KnellError('conflict', 'another node created the log at the same time');
      await created.close();
      rebuilt = stream;
      return { incarnation: stream.incarnation, journal: new IdleJournal(spool.log) };
    });
    return rebuilt;
  } finally {
    await link.close();
  }
}

function refuseWhileLed(nodes: readonly KnownNode[]): void {
  const leader = nodes.find(({ role }) => role === 'leader');
  if (leader)
    throw new KnellError('conflict', `the cluster works: node ${leader.name} leads; nothing was changed`);
}

function refuseWhereLess(own: HeldData, others: readonly Holder[]): void {
  const more = others.filter(({ held }) => held !== null && holdsMore(held, own));
  const silent = others.filter(({ held, isAlive }) => held === null && isAlive);
  if (more.length > 0)
    throw new KnellError(
      'conflict',
      `${more.map(holderWords).join('; ')}, and this node holds ${heldWords(own)}: nothing was changed. Rebuild there; if that data is gone or does not count, add --force here`,
    );
  if (silent.length > 0)
    throw new KnellError(
      'conflict',
      `${silent.map(holderWords).join('; ')}: nothing was changed. Wait until it says so, or stop it; if what it holds does not count, add --force`,
    );
}

function sentencesOf(own: HeldData, others: readonly Holder[]): readonly string[] {
  return [
    `The log of the cluster is deleted, and a new one begins behind what this node holds: ${heldWords(own)}.`,
    ...others.map((one) => `For comparison, ${holderWords(one)}.`),
    'Nodes that are not listed here are not known: what they hold cannot be compared.',
    'What another node has and this one lacks is not in the new log. Let each of the others start with another KNELL_DATA_DIR, an empty one, and keep the old ones until you have compared.',
  ];
}

/** Journal of a store that is opened for its lock and its marks. */
class IdleJournal implements BatchLog, Standby {
  readonly mayAct = false;
  readonly heartbeatMs = 0;
  readonly isQuiet = false;
  readonly #spool: BatchLog;

  constructor(spool: BatchLog) {
    this.#spool = spool;
  }

  append(): never {
    throw new Error('nothing is appended while a log is rebuilt');
  }

  untilLeading(): Promise<void> {
    return Promise.reject(new Error('nothing is loaded while a log is rebuilt'));
  }

  lastNumber(): number {
    return 0;
  }

  release(): void {}

  close(): Promise<void> {
    return this.#spool.close();
  }
}
