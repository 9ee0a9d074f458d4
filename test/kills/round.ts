/**
 * One round: load, a blow, the times until answers come again, what was taken away is brought back, the audit. The caller
 * judges what a round found.
 */
import { type Audited, audit } from './audit.ts';
import type { Blow } from './blows.ts';
import type { Cluster } from './cluster.ts';
import { type Attempt, Load } from './load.ts';

export interface Round extends Audited {
  readonly name: string;
  /** From the blow to the first answer to a ping that was sent after it. */
  readonly firstMs: number;
  /** From the blow until a node has claimed the log; null when none had to. With `firstMs`: what came after the claim. */
  readonly ownedMs: number | null;
  /** The longest that a ping waited which was acknowledged. */
  readonly longestMs: number;
  /** Pings that got a 503, and those whose connection failed. */
  readonly refused: number;
  readonly cut: number;
}

export interface RoundOptions {
  readonly clients: number;
  /** Acknowledged pings before the blow, and after it. */
  readonly pingsBefore: number;
  readonly pingsAfter: number;
}

export async function playRound(cluster: Cluster, blow: Blow, options: RoundOptions): Promise<Round> {
  const load = await Load.start(cluster, options.clients);
  await load.untilAnswered(options.pingsBefore);
  let dealtMs = performance.now();
  let dealtAtMs = Date.now();
  const restore = await blow.deal(cluster, () => {
    dealtMs = performance.now();
    dealtAtMs = Date.now();
  });
  await load.untilAnswered(options.pingsAfter);
  const ownedAtMs = cluster.ownedSince(dealtAtMs);
  const ownedMs = ownedAtMs === null ? null : ownedAtMs - dealtAtMs;
  // What was away comes back under load, too.
  await restore();
  await load.untilAnswered(options.pingsAfter);
  await load.stop();
  const audited = await audit(cluster, load.jobs);
  await Promise.all(load.jobs.map(({ uuid }) => cluster.ask('DELETE', `/api/v3/checks/${uuid}`)));
  return { ...audited, name: blow.name, ownedMs, ...timesOf(load.attempts, dealtMs) };
}

function timesOf(attempts: readonly Attempt[], dealtMs: number) {
  const acknowledged = attempts.filter(({ status }) => status === 200);
  const tookMs = ({ sentMs, endedMs }: Attempt): number => (endedMs ?? sentMs) - sentMs;
  const after = acknowledged.filter(({ sentMs }) => sentMs >= dealtMs);
  return {
    firstMs: Math.min(...after.map(({ endedMs }) => (endedMs ?? 0) - dealtMs)),
    longestMs: acknowledged.reduce((longest, attempt) => Math.max(longest, tookMs(attempt)), 0),
    refused: attempts.filter(({ status }) => status >= 500).length,
    cut: attempts.filter(({ status }) => status === 0).length,
  };
}
