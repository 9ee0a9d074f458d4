/**
 * The status of a running node in `knell cluster status`. Not here: what nodes say of themselves (`node-status`).
 * Invariant: a leader is named only if it has just written something. Of a log that does not answer it is not known who may write
 * next, and what was read of a claim may be over. A node that does not follow the log does not know it either.
 */

import { eventLoop } from '../../store/disk/scheduler.ts';
import type { ReplicatedJournal } from '../../store/replicated/replicated-journal.ts';
import type { Leadership } from '../../store/replicated/replicated-log.ts';
import type { ClusterLink } from '../bus/link.ts';
import type { KnownNode } from './node-status.ts';

interface StatusFacts {
  /** The cluster's name. */
  readonly cluster: string;
  readonly link: Pick<ClusterLink, 'servers' | 'unreachable'>;
  /** The leader by the latest claim that this node has read in the log. */
  readonly leader: Leadership | null;
  readonly journal: ReplicatedJournal | null;
  readonly nodes: readonly KnownNode[];
  readonly nowMs: number;
  /** Resolves when the leader has written something, or could not. */
  readonly canLeaderWrite: () => Promise<boolean>;
  /** A proof that takes longer is none. */
  readonly proofMsMax: number;
}

/** Shows an earlier leader as a standby: its status from before the claim of another node is kept for some seconds. */
export function nodesWithRoles(nodes: readonly KnownNode[], epoch: number | undefined): readonly KnownNode[] {
  return nodes.map((node) =>
    node.role === 'leader' && node.epoch !== epoch ? { ...node, role: 'standby' } : node,
  );
}

export async function shownStatus(facts: StatusFacts): Promise<unknown> {
  const { cluster, link, leader, journal, nodes, nowMs, canLeaderWrite, proofMsMax } = facts;
  const isFollowing = !journal?.trouble;
  const isGone = nodes.some(({ name, isAlive }) => name === leader?.node && !isAlive);
  const isAsked = isFollowing && leader !== null && !isGone;
  const isProven = isAsked && (await inTime(canLeaderWrite(), proofMsMax));
  // A leader that runs and cannot write has a log that does not answer, however short that is.
  const silentForMs = isAsked && !isProven ? (journal?.sinceEntryMs ?? null) : (journal?.silentForMs ?? null);
  const follows = silentForMs === null && isFollowing;
  return {
    cluster,
    follows,
    leader: isProven ? leader.node : null,
    epoch: leader?.epoch ?? 0,
    silentSinceMs: silentForMs === null ? null : Math.round(nowMs - silentForMs),
    servers: link.servers,
    unreachable: silentForMs === null ? [] : await link.unreachable(),
    nodes,
  };
}

function inTime(proof: Promise<boolean>, proofMsMax: number): Promise<boolean> {
  return Promise.race([
    proof,
    new Promise<boolean>((resolve) => eventLoop.after(proofMsMax, () => resolve(false))),
  ]);
}
