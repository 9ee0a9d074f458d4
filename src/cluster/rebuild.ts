/**
 * `knell cluster rebuild`: a new log behind what one node has, in the place of the one that there was. For when the stream was
 * lost or damaged, and to bring the data of a single Knell into a cluster.
 * Invariants: nothing is deleted while a node owns the log, or one that runs has more. The data directory's lock is held.
 */
import { systemClock } from '../lib/clock.ts';
import { KnellError } from '../lib/errors.ts';
import type { BatchLog } from '../store/journal/batch-log.ts';
import type { Standby } from '../store/journal/standby.ts';
import type { LocalLog, StoreOptions } from '../store/open-store.ts';
import { createJetStreamLog, deleteJetStreamLog } from '../store/replicated/jetstream-log.ts';
import { eventLoop } from '../store/scheduler.ts';
import { type ConnectOptions, connectServers, logOptions, newIncarnation } from './connect.ts';
import { type KnownNode, NodeStatuses } from './node-status.ts';
import { subjectsOf } from './subjects.ts';

/** Nodes say what they are once a second. */
const listenMs = 2500;

export interface Rebuilt {
  readonly firstSeq: number;
  readonly incarnation: string;
}

interface RebuildOptions extends ConnectOptions {
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
    refuseWhileOwned(nodes);
    await options.withStore(async ({ spool }: LocalLog) => {
      const lastSeq = spool.lastSeq;
      if (!(await options.agree(sentencesOf(nodes, lastSeq))))
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

async function nodesThatRun(
  bus: Parameters<typeof listenTo>[0],
  clusterName: string,
): Promise<readonly KnownNode[]> {
  const statuses = listenTo(bus, clusterName);
  await new Promise<void>((resolve) => eventLoop.after(listenMs, resolve));
  const nodes = statuses.nodes().filter(({ name }) => name !== '');
  statuses.stop();
  return nodes;
}

/** Says nothing itself: it is no node. */
function listenTo(
  bus: { readonly messageBytesMax: number } & ConstructorParameters<typeof NodeStatuses>[0]['bus'],
  clusterName: string,
): NodeStatuses {
  return new NodeStatuses({
    bus: { ...bus, messageBytesMax: bus.messageBytesMax, publish: () => {} },
    subjects: subjectsOf(clusterName),
    scheduler: eventLoop,
    nowMs: () => systemClock.nowMs(),
    limits: {
      everyMs: listenMs,
      silenceMsMax: 2 * listenMs,
      goneKeptMs: 2 * listenMs,
      nodesMax: 100,
      reminderMs: listenMs,
    },
    own: () => ({
      name: '',
      id: -1,
      version: '',
      formats: {},
      role: 'stopped',
      epoch: 0,
      appliedSeq: 0,
      startedAtMs: 0,
      lastError: '',
    }),
  });
}

function refuseWhileOwned(nodes: readonly KnownNode[]): void {
  const owner = nodes.find(({ role }) => role === 'owner');
  if (owner)
    throw new KnellError(
      'conflict',
      `the cluster works: node ${owner.name} owns its log; nothing was changed`,
    );
}

function sentencesOf(nodes: readonly KnownNode[], lastSeq: number): readonly string[] {
  const ahead = nodes.filter(({ appliedSeq }) => appliedSeq > lastSeq);
  return [
    `The log of the cluster is deleted, and a new one begins behind batch ${lastSeq}, the last one of this node.`,
    'All other nodes must then be started with an empty KNELL_DATA_DIR.',
    ...ahead.map(
      ({ name, appliedSeq }) =>
        `Node ${name} has more: up to batch ${appliedSeq}. What is behind ${lastSeq} is lost; rebuild there instead.`,
    ),
  ];
}

/** Of a store that is opened for its lock and its marks. */
class IdleJournal implements BatchLog, Standby {
  readonly mayAct = false;
  readonly beatMs = 0;
  readonly isQuiet = false;
  readonly #spool: BatchLog;

  constructor(spool: BatchLog) {
    this.#spool = spool;
  }

  append(): never {
    throw new Error('nothing is appended while a log is rebuilt');
  }

  untilOwned(): Promise<void> {
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
