/**
 * Which nodes there are: each says once a second what it is and how far it has read the log, and keeps what the others say.
 * For people, metrics and upgrades; who leads is in the log.
 * Invariant: two processes under one name are noticed while both live, and a restart is not taken for that.
 */
import { clockWords } from '../../domain/words/clock-words.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { nodeStatusLimits } from '../bus/limits.ts';
import type { Subjects } from '../requests/subjects.ts';
import { type HeldData, readHeld } from './held.ts';

export const nodeRoles = ['starting', 'standby', 'leader', 'stopped'] as const;
/** `stopped`: it reads no further, and `lastError` says why. */
export type NodeRole = (typeof nodeRoles)[number];

/** The status that a node reports of itself. */
export interface NodeStatus {
  readonly name: string;
  /** Id of its process: see `Client`. */
  readonly id: number;
  readonly version: string;
  /** The newest formats of batches and messages that it reads, by name. */
  readonly formats: Readonly<Record<string, number>>;
  readonly role: NodeRole;
  /** The latest claim that it has read of. */
  readonly epoch: number;
  /** The latest entry of the log that it has applied. */
  readonly appliedSeq: number;
  readonly startedAtMs: number;
  /** Empty for none. */
  readonly lastError: string;
  /** Null while it is not known yet, and of an older Knell. */
  readonly held: HeldData | null;
}

export interface KnownNode extends NodeStatus {
  /** It has said something within the last seconds. */
  readonly isAlive: boolean;
  /** Epoch milliseconds of this node's clock. */
  readonly saidAtMs: number;
  /**
   * Entries of the log that it lacked when it last spoke; of this node and of those that are gone, those that it lacks now. What
   * was written since a node spoke says nothing about it.
   */
  readonly lag: number;
  /** Milliseconds until it lacks nothing, as its lag shrinks now; null where it lacks little, or its lag does not shrink. */
  readonly catchUpMs: number | null;
  /** Milliseconds by which its clock is ahead of this node's, or behind if negative; 0 if unknown. */
  readonly aheadMs: number;
}

export interface NodeStatusLimits {
  readonly everyMs: number;
  readonly silenceMsMax: number;
  readonly goneKeptMs: number;
  readonly nodesMax: number;
  /** Between two lines of the log that say the same. */
  readonly reminderMs: number;
}

interface NodeStatusOptions {
  readonly bus: Bus;
  readonly subjects: Pick<Subjects, 'status'>;
  readonly scheduler: Scheduler;
  readonly nowMs: () => number;
  readonly limits: NodeStatusLimits;
  /** This node's own, as it is now. */
  readonly own: () => NodeStatus;
  /** Called with the sentence of `sameName` when it comes to be so, and again from time to time while it is. */
  readonly doubled?: (sentence: string) => void;
  /** Called with a sentence when the clock of another node comes to differ from this one's. */
  readonly skewed?: (sentence: string) => void;
}

interface Seen {
  readonly status: NodeStatus;
  readonly firstMs: number;
  readonly latestMs: number;
  readonly saidAtMs: number;
  /** The latest entry of the log that a live node was known to have then. */
  readonly newestSeq: number;
  /** Entries a second by which its lag shrinks. */
  readonly closing: number;
  /** How far its clock was ahead by its latest messages. The time on the way makes each smaller: the largest is nearest. */
  readonly aheadMs: readonly number[];
}

const messageVersion = 1;

export class NodeStatuses {
  readonly #options: NodeStatusOptions;
  readonly #subscription: { stop(): void };
  /** Maps the id of a process to its latest status. */
  readonly #seen = new Map<number, Seen>();
  #cancel: () => void;
  #startedMs: number | null = null;
  /** This node's own lag when it last spoke. */
  #own: Lag = { entries: 0, atMs: 0, closing: 0 };
  /** Nodes whose clock was reported to differ, and does. */
  readonly #skewed = new Set<number>();
  /** When the next line about a name that two have is due; null while none is. */
  #sayDoubledMs: number | null = null;

  constructor(options: NodeStatusOptions) {
    this.#options = options;
    this.#subscription = options.bus.subscribe(options.subjects.status, (message) => this.#take(message));
    this.#cancel = options.scheduler.soon(() => this.#everySecond());
  }

  /** One of each name, this node too, by name. Of several processes of a name the one that spoke last. */
  nodes(): readonly KnownNode[] {
    const byName = new Map<string, Seen>();
    for (const seen of [...this.#seen.values(), this.#ownSeen()]) {
      const known = byName.get(seen.status.name);
      if (known === undefined || known.latestMs <= seen.latestMs) byName.set(seen.status.name, seen);
    }
    const newestSeq = this.#newestSeq();
    return [...byName.values()]
      .map((seen) => {
        const isAlive = this.#isAlive(seen);
        const lag = (isAlive ? seen.newestSeq : newestSeq) - seen.status.appliedSeq;
        const { status, saidAtMs } = seen;
        const catchUpMs = isAlive ? catchUpMsOf(lag, seen.closing) : null;
        return { ...status, isAlive, saidAtMs, lag: Math.max(0, lag), catchUpMs, aheadMs: aheadOf(seen) };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A sentence when two live processes have the same name; null otherwise. */
  sameName(): string | null {
    const own = this.#ownSeen();
    const alive = [...this.#seen.values(), own].filter((seen) => this.#isAlive(seen));
    const { everyMs } = this.#options.limits;
    const isOwn = (one: Seen): boolean => one !== own && one.status.name === own.status.name;
    // This process lives, so one word of the other is enough.
    const other = alive.find((one) => isOwn(one) && one.latestMs > own.firstMs + everyMs / 2);
    if (other) return doubledSentence(other);
    const doubled = alive.find((one) =>
      alive.some(
        (other) =>
          other !== one && other.status.name === one.status.name && areBothAlive(one, other, everyMs),
      ),
    );
    return doubled ? doubledSentence(doubled) : null;
  }

  stop(): void {
    this.#subscription.stop();
    this.#cancel();
  }

  #ownSeen(): Seen {
    const { scheduler, nowMs, own } = this.#options;
    const elapsedMs = scheduler.elapsedMs();
    this.#startedMs ??= elapsedMs;
    const times = { firstMs: this.#startedMs, latestMs: elapsedMs, saidAtMs: nowMs(), aheadMs: [] };
    return { status: own(), newestSeq: this.#newestSeq(), closing: this.#own.closing, ...times };
  }

  #newestSeq(): number {
    const alive = [...this.#seen.values()].filter((seen) => this.#isAlive(seen));
    return Math.max(this.#options.own().appliedSeq, ...alive.map(({ status }) => status.appliedSeq));
  }

  #isAlive({ latestMs }: Seen): boolean {
    const { scheduler, limits } = this.#options;
    return scheduler.elapsedMs() - latestMs <= limits.silenceMsMax;
  }

  #everySecond(): void {
    const { scheduler, limits } = this.#options;
    this.#noteOwnLag();
    this.say();
    this.#forget();
    this.#cancel = scheduler.after(limits.everyMs, () => this.#everySecond());
  }

  #noteOwnLag(): void {
    const { scheduler, own } = this.#options;
    this.#own = nextLag(this.#own, this.#newestSeq() - own().appliedSeq, scheduler.elapsedMs());
  }

  /** Now, and not only when it is time: for what others wait for. */
  say(): void {
    const { bus, subjects } = this.#options;
    const { status, saidAtMs: atMs } = this.#ownSeen();
    bus.publish(subjects.status, Buffer.from(JSON.stringify({ messageVersion, atMs, ...status })));
  }

  /** Forgets nodes that have gone long since, and of the others the longest gone when there are too many. */
  #forget(): void {
    const { scheduler, limits } = this.#options;
    const oldestMs = scheduler.elapsedMs() - limits.goneKeptMs;
    const bySilence = [...this.#seen].sort(([, a], [, b]) => a.latestMs - b.latestMs);
    for (const [id, { latestMs }] of bySilence)
      if (latestMs < oldestMs || this.#seen.size > limits.nodesMax) {
        this.#seen.delete(id);
        this.#skewed.delete(id);
      }
  }

  #take(message: Uint8Array): void {
    const read = readStatus(message);
    const { scheduler, nowMs, own } = this.#options;
    if (read === null || read.status.id === own().id) return;
    const { status, atMs } = read;
    const [latestMs, saidAtMs] = [scheduler.elapsedMs(), nowMs()];
    const known = this.#seen.get(status.id);
    const ahead =
      atMs === null ? [] : [...(known?.aheadMs ?? []), atMs - saidAtMs].slice(-nodeStatusLimits.aheadKept);
    const firstMs = known?.firstMs ?? latestMs;
    const newestSeq = this.#newestSeq();
    const before = known && { entries: lagOf(known), atMs: known.latestMs, closing: known.closing };
    const { closing } = nextLag(before ?? noLag, newestSeq - status.appliedSeq, latestMs);
    const seen = { status, firstMs, latestMs, saidAtMs, newestSeq, closing, aheadMs: ahead };
    this.#seen.set(status.id, seen);
    this.#lookForNames();
    this.#lookAtClock(seen);
  }

  #lookAtClock(seen: Seen): void {
    const { id, name } = seen.status;
    if (seen.aheadMs.length < nodeStatusLimits.aheadKept) return;
    const words = clockWords(aheadOf(seen));
    // One that wavers around the difference that is named is said once.
    if (Math.abs(aheadOf(seen)) < nodeStatusLimits.alikeAgainMs) this.#skewed.delete(id);
    else if (words !== '' && !this.#skewed.has(id)) {
      this.#skewed.add(id);
      this.#options.skewed?.(
        `the clock of node ${name} is ${words}, compared with this one's: pings and deadlines are dated by both, so let both follow one time server`,
      );
    }
  }

  #lookForNames(): void {
    const { doubled, scheduler, limits } = this.#options;
    const sentence = this.sameName();
    const elapsedMs = scheduler.elapsedMs();
    if (sentence === null) this.#sayDoubledMs = null;
    else if (this.#sayDoubledMs === null || elapsedMs >= this.#sayDoubledMs) {
      this.#sayDoubledMs = elapsedMs + limits.reminderMs;
      doubled?.(sentence);
    }
  }
}

interface Lag {
  readonly entries: number;
  readonly atMs: number;
  readonly closing: number;
}

const noLag: Lag = { entries: 0, atMs: 0, closing: 0 };

function lagOf({ newestSeq, status }: Seen): number {
  return newestSeq - status.appliedSeq;
}

function nextLag(before: Lag, entries: number, atMs: number): Lag {
  const apartMs = atMs - before.atMs;
  const closing =
    apartMs < nodeStatusLimits.apartMsMin ? before.closing : ((before.entries - entries) * 1000) / apartMs;
  return { entries, atMs, closing };
}

function catchUpMsOf(lag: number, closing: number): number | null {
  return lag >= nodeStatusLimits.shownLagMin && closing > 0 ? (lag * 1000) / closing : null;
}

function aheadOf({ aheadMs }: Seen): number {
  return aheadMs.length === 0 ? 0 : Math.max(...aheadMs);
}

function doubledSentence({ status }: Seen): string {
  return `two running nodes are called ${status.name}: give each its own KNELL_NODE`;
}

/** Whether both processes run: a message of one that ended may come after its successor has begun, but not for so long. */
function areBothAlive(one: Seen, other: Seen, everyMs: number): boolean {
  const beganMs = Math.max(one.firstMs, other.firstMs);
  return Math.min(one.latestMs, other.latestMs) > beganMs + everyMs / 2;
}

/** Null for what is damaged or newer: it is not known which fields it has. */
function readStatus(message: Uint8Array): { status: NodeStatus; atMs: number | null } | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(message).toString());
  } catch {
    return null;
  }
  if (typeof json !== 'object' || json === null) return null;
  const said = json as Readonly<Record<string, unknown>>;
  const { formats } = said;
  const role = nodeRoles.find((known) => known === said.role);
  if (said.messageVersion !== messageVersion || role === undefined) return null;
  if (typeof formats !== 'object' || formats === null) return null;
  const status: NodeStatus = {
    name: String(said.name),
    id: Number(said.id),
    version: String(said.version),
    formats: Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, Number(format)])),
    role,
    epoch: Number(said.epoch),
    appliedSeq: Number(said.appliedSeq),
    startedAtMs: Number(said.startedAtMs),
    lastError: String(said.lastError),
    held: readHeld(said.held),
  };
  // Older ones do not say what time it is.
  return { status, atMs: typeof said.atMs === 'number' ? said.atMs : null };
}
