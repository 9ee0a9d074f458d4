/**
 * Finds the log of the cluster for a node that starts: joins the one that there is, waits for one, or creates it. Not here:
 * whether data and log belong together (`store/replicated/join-log`), a new log in the place of a lost one (`rebuild`).
 * Invariants: a log is created here only by a node that is empty, and only when as many nodes as there are NATS servers say that they
 * are empty and no node is known that does not. Every sentence about data names the node that holds the most.
 */
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import { joinStep } from '../../store/replicated/join-log.ts';
import { replicatedJournalLimits } from '../../store/replicated/journal-limits.ts';
import type { LogBounds, ReplicatedLog } from '../../store/replicated/replicated-log.ts';
import { findLogLimits } from '../bus/limits.ts';
import type { ClusterLink } from '../bus/link.ts';
import {
  fullest,
  type HeldData,
  type Holder,
  heldWords,
  holderWords,
  holdsMore,
  isEmpty,
  isNew,
} from '../status/held.ts';

/** The statuses of the cluster's nodes, and this node's own. */
export interface Peers {
  /** From now on this node says that it holds this and waits for that; empty while it waits for nothing. */
  say(held: HeldData, waitsFor: string): void;
  /** This one too, those that are gone too, by name. */
  nodes(): readonly Holder[];
  /** So many nodes that are empty are all of a new cluster. */
  readonly emptyMin: number;
}

interface FindOptions {
  /** This node's. */
  readonly name: string;
  readonly link: ClusterLink;
  readonly peers: Peers;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** If it is empty and lacks more entries than these, and another node has most of them, that one's snapshot is nearer. */
  readonly entriesReadMax: number;
}

/** Data with which a node can follow the log. */
export interface WantedData {
  /** Incarnation of the log. */
  readonly incarnation: string;
  /** The log can be followed from the entry behind it. */
  readonly lastSeqMin: number;
  /** The log has all of it, but reading it takes longer. */
  readonly isNearer: boolean;
}

/** `behind`: the data of another node are needed first. */
export type Found =
  | { readonly kind: 'log'; readonly log: ReplicatedLog }
  | { readonly kind: 'behind'; readonly wanted: WantedData };

/** Waits for as long as there is no log. Rejects with a KnellError where `held` and the log do not belong together. */
export async function findLog(options: FindOptions, held: HeldData): Promise<Found> {
  const { link, peers, scheduler } = options;
  const wait = new Wait(options, held);
  peers.say(held, '');
  for (;;) {
    const log = await link.openLog();
    if (log) {
      peers.say(held, '');
      return join(options, held, log);
    }
    if (mayCreate(options, held)) await create(options);
    else {
      wait.say();
      await pause(scheduler, findLogLimits.againMs);
    }
  }
}

/** One of them creates it, so that the others do not try in vain: the first by name of those that run. */
function mayCreate({ name, peers }: FindOptions, held: HeldData): boolean {
  const nodes = peers.nodes();
  const alive = nodes.filter(({ isAlive }) => isAlive);
  const isCertain = nodes.every((one) => one.held !== null && isNew(one.held));
  return isNew(held) && isCertain && alive.length >= peers.emptyMin && alive[0]?.name === name;
}

async function create({ link, logger, scheduler }: FindOptions): Promise<void> {
  try {
    await link.createLog(1);
    logger.info('all nodes are empty: created the log of a new cluster');
  } catch (error) {
    if (error instanceof KnellError && error.code === 'cluster-unfit') throw error;
    logger.info(messageOf(error));
    await pause(scheduler, findLogLimits.againMs);
  }
}

/** Says what a node waits for that finds no log: when it comes to be so, when it changes, and again from time to time. */
class Wait {
  readonly #options: FindOptions;
  readonly #held: HeldData;
  #said = '';
  #sayAtMs = 0;

  constructor(options: FindOptions, held: HeldData) {
    this.#options = options;
    this.#held = held;
  }

  say(): void {
    const { peers, logger, scheduler } = this.#options;
    const sentence = missingSentence(this.#held, peers);
    const nowMs = scheduler.elapsedMs();
    if (sentence === this.#said && nowMs < this.#sayAtMs) return;
    this.#said = sentence;
    this.#sayAtMs = nowMs + findLogLimits.reminderMs;
    peers.say(this.#held, sentence);
    logger.warn(sentence);
  }
}

function missingSentence(held: HeldData, peers: Peers): string {
  const nodes = peers.nodes();
  const most = fullest(nodes);
  if (!isEmpty(held)) {
    const others = most && holdsMore(most.held, held) ? `; ${holderWords(most)}, which is more` : '';
    return (
      `the cluster has no log, and this node holds ${heldWords(held)}${others}: waiting until there is one. ` +
      'Compare all nodes with "knell cluster status", and on the node that holds the most run "knell cluster rebuild"'
    );
  }
  if (most)
    return (
      `the cluster has no log, this node is empty, and ${holderWords(most)}: waiting until there is a log. ` +
      'On the node that holds the most run "knell cluster rebuild"'
    );
  const empty = nodes
    .filter((one) => one.isAlive && one.held !== null && isNew(one.held))
    .map(({ name }) => name);
  return (
    `the cluster has no log, and this node is empty: waiting until ${peers.emptyMin} nodes say that they are empty ` +
    `(so far ${empty.join(', ')}), or for a log. If this cluster is new, "knell cluster init" creates one at once`
  );
}

async function join(options: FindOptions, held: HeldData, log: ReplicatedLog): Promise<Found> {
  const { logger, scheduler } = options;
  const { incarnation } = log;
  const bounds = await boundsOf(log, logger, scheduler);
  const step = joinStep({ incarnation: held.log, lastSeq: held.lastSeq }, { incarnation, bounds });
  if (step === 'join') {
    const wanted = await nearerData(options, held, log, bounds);
    if (wanted) {
      await log.close();
      return { kind: 'behind', wanted };
    }
    if (bounds.firstSeq > held.lastSeq + 1)
      logger.warn(
        `the log has discarded all but its latest entries; this node has all of it, up to ${held.lastSeq}, and goes on from there`,
      );
    return { kind: 'log', log };
  }
  await log.close();
  if (step === 'behind')
    return {
      kind: 'behind',
      wanted: { incarnation, lastSeqMin: Math.min(bounds.firstSeq - 1, bounds.lastSeq), isNearer: false },
    };
  await pause(scheduler, findLogLimits.listenMs);
  throw new KnellError('cluster-log-foreign', foreignSentence(options, held, incarnation));
}

/**
 * Null where the log is the shorter way, or no other node that runs has more than half of what is missing. Also for a node that has
 * data: a snapshot takes their place before it is known to be restored whole, and with the log they are not given up.
 */
async function nearerData(
  { name, peers, scheduler, entriesReadMax }: FindOptions,
  held: HeldData,
  { incarnation }: ReplicatedLog,
  { lastSeq }: LogBounds,
): Promise<WantedData | null> {
  const missing = lastSeq - held.lastSeq;
  if (missing <= entriesReadMax || !isEmpty(held)) return null;
  await pause(scheduler, findLogLimits.listenMs);
  const lastSeqMin = lastSeq - Math.floor(missing / 2);
  const hasMost = peers
    .nodes()
    .some(
      (one) =>
        one.isAlive && one.name !== name && one.held?.log === incarnation && one.held.lastSeq >= lastSeqMin,
    );
  return hasMost ? { incarnation, lastSeqMin, isNearer: true } : null;
}

function foreignSentence({ name, peers }: FindOptions, held: HeldData, incarnation: string): string {
  const others = peers.nodes().filter((one) => one.name !== name);
  const following = fullest(others.filter((one) => one.isAlive && one.held?.log === incarnation));
  const named = others.map(holderWords).join('; ') || 'no other node has said what it holds';
  const compared = `This node holds ${heldWords(held)}; ${named}`;
  const apart = 'start this node with another KNELL_DATA_DIR, an empty one, and keep this one';
  if (held.log === null)
    return (
      `this data directory was in no cluster, and the cluster has a log. ${compared}. To have the data of the cluster here, ` +
      `${apart}; to have this data in the cluster instead, see "knell cluster rebuild"`
    );
  const what =
    'the log of the cluster is another one than that of this data directory (is KNELL_CLUSTER_NAME right?)';
  if (following === null || holdsMore(held, following.held))
    return (
      `${what}. ${compared}. No node that follows the log is known to hold as much: keep this directory, and see ` +
      '"knell cluster rebuild", which begins the log with its data'
    );
  return (
    `${what}. ${compared}. ${following.name} follows the log and holds no less: to have its data here, ${apart} ` +
    'until you have compared them'
  );
}

async function boundsOf(log: ReplicatedLog, logger: Logger, scheduler: Scheduler): Promise<LogBounds> {
  for (let said = false; ; said = true) {
    try {
      return await log.bounds();
    } catch (error) {
      if (!said) logger.warn(`waiting for the cluster's log: ${messageOf(error)}`);
      await pause(scheduler, replicatedJournalLimits.followAgainMs);
    }
  }
}

function pause(scheduler: Scheduler, ms: number): Promise<void> {
  return new Promise((resolve) => scheduler.after(ms, resolve));
}

/** Peers of a node that has no others. */
export const noPeers: Peers = { say() {}, nodes: () => [], emptyMin: Number.POSITIVE_INFINITY };
