/**
 * The data on a node's disk, as it reports it to the others from its start on, also while it cannot join. Pure.
 * Invariant: numbers of batches are compared within one line of logs: a new log begins behind what it was made from, so that
 * numbers never go back. Between logs that have nothing to do with each other they say nothing, and checks are compared too.
 */

export interface HeldData {
  /** The incarnation of the log that it belongs to; null for data that were in no cluster. */
  readonly log: string | null;
  /** The number of the last batch; 0 for an empty disk. */
  readonly lastSeq: number;
  readonly checks: number;
  /** When the latest was written, epoch milliseconds; null where that is not known. */
  readonly writtenAtMs: number | null;
}

export interface Holder {
  readonly name: string;
  /** Null where it has not said it. */
  readonly held: HeldData | null;
  readonly isAlive: boolean;
  /** When it said so, epoch milliseconds. */
  readonly saidAtMs: number;
}

/** Whether a node is empty: it may be the first of its cluster, or have a new disk. */
export function isEmpty(held: HeldData): boolean {
  return held.lastSeq === 0;
}

/** Empty, and never part of a cluster, whose log may be lost. */
export function isNew(held: HeldData): boolean {
  return isEmpty(held) && held.log === null;
}

/** Whether `other` has, or may have, what `own` lacks. */
export function holdsMore(other: HeldData, own: HeldData): boolean {
  if (isEmpty(other)) return false;
  return other.lastSeq > own.lastSeq || (other.log !== own.log && other.checks > own.checks);
}

/** The one that holds the most; null where none is known to hold anything. */
export function fullest<One extends Holder>(holders: readonly One[]): (One & { held: HeldData }) | null {
  const all = holders.flatMap((one) => (one.held && !isEmpty(one.held) ? [{ ...one, held: one.held }] : []));
  return all.reduce<(typeof all)[number] | null>(
    (best, one) => (best === null || holdsMore(one.held, best.held) ? one : best),
    null,
  );
}

/** `batch 812, 14 checks, written until 2026-11-24 03:36:33 UTC` */
export function heldWords({ lastSeq, checks, writtenAtMs }: HeldData): string {
  if (lastSeq === 0) return 'nothing';
  const until = writtenAtMs === null ? '' : `, written until ${instantWords(writtenAtMs)}`;
  return `batch ${lastSeq}, ${checks} ${checks === 1 ? 'check' : 'checks'}${until}`;
}

/** Describes a node's data, as a sentence without its end, with the age of that status if the node does not run. */
export function holderWords({ name, held, isAlive, saidAtMs }: Holder): string {
  const when = isAlive ? '' : ` (it does not run; said at ${instantWords(saidAtMs)})`;
  return held === null
    ? `node ${name} has not said what it holds${when}`
    : `node ${name} holds ${heldWords(held)}${when}`;
}

function instantWords(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Null for what is damaged, or of an older Knell, which does not say it. */
export function readHeld(said: unknown): HeldData | null {
  if (typeof said !== 'object' || said === null) return null;
  const { log, lastSeq, checks, writtenAtMs } = said as Readonly<Record<string, unknown>>;
  if (typeof lastSeq !== 'number' || typeof checks !== 'number') return null;
  return {
    log: typeof log === 'string' ? log : null,
    lastSeq,
    checks,
    writtenAtMs: typeof writtenAtMs === 'number' ? writtenAtMs : null,
  };
}
