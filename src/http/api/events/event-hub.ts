/**
 * The listeners of `GET /api/v3/events`. Each has a place in the journal and is sent what follows it. Those that have come to the
 * end share one reading of what is new, some forty times a second; those that are behind it, since they came back or their
 * connection takes slowly, read a page each, one after the other.
 *
 * Nothing is kept for a listener: one that is slow falls back in the journal, not in memory. While nobody listens there is no
 * timer, and nothing on the path of a ping knows of this file.
 * Invariant: what a listener was written ends at its place, and its place never goes back.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineRead, EventPlace, WantedEvents } from '../../../engine/contract/engine.ts';
import type { KeyId, ProjectId } from '../../../lib/ids.ts';
import {
  eventCheckKeysMs,
  eventPositionMs,
  eventRetryMs,
  eventTickMs,
  eventWritesPerTurn,
} from '../../limits.ts';
import type { StreamConnection } from '../../wire/message.ts';
import { idOfPlace, type ProjectEvent, projectEventOf } from './event-json.ts';
import { isCheckWanted } from './event-query.ts';
import type { EventFilter, EventListeners, Listening } from './listening.ts';

type Reads = Pick<
  EngineRead,
  | 'events'
  | 'eventsFrom'
  | 'eventsUntil'
  | 'eventsEpoch'
  | 'checkAsIs'
  | 'deletedCheck'
  | 'durably'
  | 'keys'
  | 'unlistedCount'
>;

interface Listener extends Listening {
  readonly connection: StreamConnection;
  readonly wanted: WantedEvents;
  place: EventPlace;
  /** Whether it is behind the end, and reads by itself. */
  isBehind: boolean;
  isBlocked: boolean;
  isClosed: boolean;
  /** When something was written to it last, by `performance.now`. */
  wroteMs: number;
}

export class EventHub implements EventListeners {
  readonly #read: Reads;
  readonly #listeners = new Set<Listener>();
  readonly #behind = new Set<Listener>();
  /** Up to where the listeners that are not behind have been written. */
  #head: EventPlace = { seq: 0, place: 0 };
  #timer: NodeJS.Timeout | null = null;
  #isPumping = false;
  #isCatchingUp = false;
  #keysCheckedMs = 0;

  constructor(read: Reads) {
    this.#read = read;
  }

  get size(): number {
    return this.#listeners.size;
  }

  countOf(projectId: ProjectId): number {
    let count = 0;
    for (const listener of this.#listeners) if (listener.projectId === projectId) count++;
    return count;
  }

  listen(connection: StreamConnection, listening: Listening): void {
    const { types } = listening.filter;
    const listener: Listener = {
      ...listening,
      connection,
      wanted: { pings: types.has('ping'), runs: types.has('run') },
      place: listening.after,
      ...{ isBehind: true, isBlocked: false, isClosed: false, wroteMs: performance.now() },
    };
    connection.onDrained(() => this.#drained(listener));
    connection.onClosed(() => this.#forget(listener));
    if (listener.isClosed) return;
    this.#listeners.add(listener);
    this.#write(listener, `retry: ${eventRetryMs}\n${listening.first}id: ${this.#idOf(listener.place)}\n\n`);
    this.#fallBehind(listener);
    this.#timer ??= setInterval(() => this.#tick(), eventTickMs).unref();
  }

  /** Ends all of them: they come back, to this process or to another node. */
  stop(): void {
    for (const { connection } of [...this.#listeners]) connection.end();
  }

  #idOf(place: EventPlace): string {
    return idOfPlace(this.#read.eventsEpoch(), place);
  }

  #forget(listener: Listener): void {
    listener.isClosed = true;
    this.#behind.delete(listener);
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #drained(listener: Listener): void {
    listener.isBlocked = false;
    this.#fallBehind(listener);
  }

  #fallBehind(listener: Listener): void {
    if (listener.isClosed) return;
    listener.isBehind = true;
    this.#behind.add(listener);
    if (!this.#isCatchingUp) void this.#catchUp();
  }

  #tick(): void {
    const monotonicMs = performance.now();
    if (monotonicMs - this.#keysCheckedMs >= eventCheckKeysMs) {
      this.#keysCheckedMs = monotonicMs;
      this.#dismissRevoked();
    }
    for (const listener of this.#listeners)
      if (!listener.isBlocked && monotonicMs - listener.wroteMs >= eventPositionMs)
        // A client that comes back after hours of nothing need not go through all that it did not want.
        this.#write(listener, `id: ${this.#idOf(listener.place)}\n\n`);
    if (!this.#isPumping && this.#read.eventsUntil().seq > this.#head.seq) void this.#pump();
  }

  #dismissRevoked(): void {
    const known = new Map<KeyId, boolean>();
    for (const listener of [...this.#listeners]) {
      const { keyId, projectId, connection } = listener;
      const isKnown = known.get(keyId) ?? this.#read.keys(projectId).some(({ id }) => id === keyId);
      known.set(keyId, isKnown);
      if (isKnown) continue;
      this.#write(listener, `event: end\ndata: ${JSON.stringify({ message: revokedWords })}\n\n`);
      connection.end();
    }
  }

  /** Writes what is new to all that are not behind. */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (this.#listeners.size > 0 && this.#read.eventsUntil().seq > this.#head.seq) {
        const live = [...this.#listeners].filter(({ isBehind }) => !isBehind);
        const wanted = {
          pings: live.some(({ wanted: { pings } }) => pings),
          runs: live.some(({ wanted: { runs } }) => runs),
        };
        const { events, until } = await this.#page(this.#head, wanted);
        const byProject = groupedByProject(events);
        this.#head = until;
        await this.#sendToAll(byProject, until);
        await nextTurn();
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** A few in each turn: a write to a socket takes some twenty microseconds, and pings wait for a thousand of them. */
  async #sendToAll(
    byProject: ReadonlyMap<ProjectId, readonly ProjectEvent[]>,
    until: EventPlace,
  ): Promise<void> {
    let left = eventWritesPerTurn;
    for (const listener of this.#listeners) {
      // One that fell back meanwhile, or has just come to the end, reads or has read these by itself.
      if (listener.isBehind) continue;
      if (!this.#send(listener, byProject.get(listener.projectId) ?? [], until)) continue;
      if (--left > 0) continue;
      left = eventWritesPerTurn;
      await nextTurn();
    }
  }

  /** What it sees is durable: names of checks come from memory, where a change may still be rolled back. */
  #page(
    after: EventPlace,
    wanted: WantedEvents,
  ): Promise<{
    readonly events: readonly ProjectEvent[];
    readonly until: EventPlace;
    readonly isAtEnd: boolean;
  }> {
    return this.#read.durably(() => {
      const page = this.#read.events(after, wanted);
      const events = page.events.flatMap((event) => projectEventOf(this.#read, event) ?? []);
      return { events, until: page.until, isAtEnd: page.isAtEnd };
    });
  }

  /** Pages of those that are behind, in turns. */
  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    try {
      while (this.#behind.size > 0) {
        for (const listener of [...this.#behind]) {
          await this.#sendPage(listener);
          await nextTurn();
        }
      }
    } finally {
      this.#isCatchingUp = false;
    }
  }

  async #sendPage(listener: Listener): Promise<void> {
    if (listener.isBlocked || listener.isClosed) {
      this.#behind.delete(listener);
      return;
    }
    this.#sayGap(listener);
    const { events, until, isAtEnd } = await this.#page(listener.place, listener.wanted);
    if (listener.isClosed) return;
    this.#send(
      listener,
      events.filter(({ projectId }) => projectId === listener.projectId),
      until,
    );
    if (!isAtEnd || listener.isBlocked) return;
    // What the others have been written by now may be less or more: the next page, or the next pump, begins at its own place.
    if (this.#listeners.size === this.#behind.size) this.#head = later(this.#head, listener.place);
    if (isBefore(listener.place, this.#head)) return;
    listener.isBehind = false;
    this.#behind.delete(listener);
  }

  /** What it missed may have been dropped while it was slow. */
  #sayGap(listener: Listener): void {
    const from = this.#read.eventsFrom(listener.wanted);
    if (!isBefore(listener.place, from)) return;
    listener.place = from;
    this.#write(listener, gapText({ message: slowWords, next: this.#idOf(from) }));
  }

  /** Returns whether there was something to write. */
  #send(listener: Listener, events: readonly ProjectEvent[], until: EventPlace): boolean {
    let text = '';
    for (const event of events)
      if (isBefore(listener.place, event.place) && isWanted(this.#read, listener.filter, event))
        text += `id: ${event.id}\nevent: ${event.type}\ndata: ${event.json(listener.readOnly)}\n\n`;
    listener.place = later(listener.place, until);
    if (text !== '') this.#write(listener, text);
    return text !== '';
  }

  #write(listener: Listener, text: string): void {
    listener.wroteMs = performance.now();
    if (listener.connection.write(text) || listener.isClosed) return;
    listener.isBlocked = true;
    listener.isBehind = true;
    this.#behind.delete(listener);
  }
}

const revokedWords = 'the key was revoked: ask with another one';
const slowWords =
  'events are missing: they were dropped before this connection had taken them. What happened is in the lists of pings, flips, runs and incidents';

export function gapText(gap: { readonly message: string; readonly next: string }): string {
  return `id: ${gap.next}\nevent: gap\ndata: ${JSON.stringify(gap)}\n\n`;
}

export function isWanted(
  read: Pick<EngineRead, 'checkAsIs'>,
  filter: EventFilter,
  { type, checks }: ProjectEvent,
): boolean {
  if (!filter.types.has(type)) return false;
  if (filter.checks.length === 0 && filter.tags.length === 0) return true;
  return checks.some((id) => isCheckWanted(filter, id, read.checkAsIs(id)));
}

function groupedByProject(events: readonly ProjectEvent[]): ReadonlyMap<ProjectId, readonly ProjectEvent[]> {
  const groups = new Map<ProjectId, ProjectEvent[]>();
  for (const event of events) {
    const group = groups.get(event.projectId) ?? [];
    groups.set(event.projectId, group);
    group.push(event);
  }
  return groups;
}

export function isBefore(one: EventPlace, other: EventPlace): boolean {
  return one.seq < other.seq || (one.seq === other.seq && one.place < other.place);
}

function later(one: EventPlace, other: EventPlace): EventPlace {
  return isBefore(one, other) ? other : one;
}
