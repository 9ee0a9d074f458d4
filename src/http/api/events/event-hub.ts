/**
 * The listeners of `GET /api/v3/events`. Each has a place in the journal and is sent what follows it. Those that have come to the
 * end share one reading of what is new, some forty times a second, or less often where they are many; those that are behind it,
 * since they came back or their connection takes slowly, read a page each, one after the other.
 *
 * Nothing is kept for a listener: one that is slow falls back in the journal, not in memory. While nobody listens there is no
 * timer, and nothing on the path of a ping knows of this file.
 * Invariant: what a listener was written ends at its place, and its place never goes back.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineRead, EventPlace, WantedEvents } from '../../../engine/contract/engine.ts';
import { messageOf } from '../../../lib/errors.ts';
import type { KeyId, ProjectId } from '../../../lib/ids.ts';
import { type Logger, silentLogger } from '../../../lib/logger.ts';
import {
  eventCharsPerTurn,
  eventCheckKeysMs,
  eventPositionMs,
  eventRetryMs,
  eventsGatheredMax,
  eventsRenderedPerTurn,
  eventTickMs,
  eventWaitsMax,
  eventWritesAtOnce,
  eventWritesPauseMs,
} from '../../limits.ts';
import type { StreamConnection } from '../../wire/message.ts';
import { idOfPlace, type ProjectEvent, type ProjectEventReads } from './event-json.ts';
import type { EventListeners, Listening } from './listening.ts';
import { eventsBehind, isBefore, isWanted, later, type ProjectEvents, wantedOf } from './project-events.ts';

type Reads = ProjectEventReads &
  Pick<EngineRead, 'events' | 'eventsFrom' | 'eventsUntil' | 'durably' | 'keys'>;

interface Listener extends Listening {
  readonly connection: StreamConnection;
  readonly wanted: WantedEvents;
  /** The same for all that are sent the same events in the same words. */
  readonly wish: string;
  place: EventPlace;
  /** Whether it is behind the end, and reads by itself. */
  isBehind: boolean;
  isBlocked: boolean;
  isClosed: boolean;
  /** When something was written to it last, by `performance.now`. */
  wroteMs: number;
}

type Wanting = Pick<Listener, 'place' | 'filter' | 'readOnly'>;

export class EventHub implements EventListeners {
  readonly #read: Reads;
  readonly #logger: Logger;
  readonly #noteUse: (keyId: KeyId) => void;
  readonly #listeners = new Set<Listener>();
  readonly #behind = new Set<Listener>();
  /** Up to where the listeners that are not behind have been written. */
  #head: EventPlace = { seq: 0, place: 0 };
  #timer: NodeJS.Timeout | null = null;
  #isPumping = false;
  #isCatchingUp = false;
  #keysCheckedMs = 0;
  #waits = 0;

  /** `noteUse` is called again and again with each key that somebody listens by. */
  constructor(read: Reads, logger: Logger = silentLogger, noteUse: (keyId: KeyId) => void = () => {}) {
    this.#read = read;
    this.#logger = logger;
    this.#noteUse = noteUse;
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
    const listener: Listener = {
      ...listening,
      connection,
      wanted: wantedOf(listening.filter.types),
      wish: wishOf(listening),
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

  async whileWaiting(wait: () => Promise<void>): Promise<void> {
    if (this.#waits >= eventWaitsMax) return;
    this.#waits++;
    try {
      await wait();
    } finally {
      this.#waits--;
    }
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
      this.#checkKeys();
    }
    for (const listener of this.#listeners)
      if (!listener.isBlocked && monotonicMs - listener.wroteMs >= eventPositionMs)
        // A client that comes back after hours of nothing need not go through all that it did not want.
        this.#write(listener, `id: ${this.#idOf(listener.place)}\n\n`);
    if (!this.#isPumping && this.#read.eventsUntil().seq > this.#head.seq) void this.#pump();
  }

  /** Ends what listens by a key that was revoked. By the others it is in use, however long ago it came. */
  #checkKeys(): void {
    const known = new Map<KeyId, boolean>();
    for (const listener of [...this.#listeners]) {
      const { keyId, projectId } = listener;
      const isKnown = known.get(keyId) ?? this.#read.keys(projectId).some(({ id }) => id === keyId);
      known.set(keyId, isKnown);
      if (!isKnown) this.#end(listener, revokedWords);
    }
    for (const [keyId, isKnown] of known) if (isKnown) this.#noteUse(keyId);
  }

  /** Writes what is new to all that are not behind. What comes meanwhile is for the next look: each goes through all listeners. */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      for (let isAtEnd = false; !isAtEnd && this.#listeners.size > 0; ) {
        const live = new Set([...this.#listeners].filter(({ isBehind }) => !isBehind));
        const found = await this.#gathered({
          pings: [...live].some(({ wanted: { pings } }) => pings),
          runs: [...live].some(({ wanted: { runs } }) => runs),
        });
        const from = this.#head;
        this.#head = found.until;
        ({ isAtEnd } = found);
        await this.#sendToAll(live, found, from);
      }
    } catch {
      // Each of them reads by itself, and learns what is wrong if it concerns its own events.
      for (const listener of this.#listeners) this.#fallBehind(listener);
    } finally {
      this.#isPumping = false;
    }
  }

  /** What is new, in turns: as much as has come while the listeners were written, so that they do not fall back for being many. */
  async #gathered(wanted: WantedEvents): Promise<ProjectEvents> {
    const events: ProjectEvent[] = [];
    let page: Omit<ProjectEvents, 'events'> = { until: this.#head, isAtEnd: false };
    while (!page.isAtEnd && events.length < eventsGatheredMax) {
      const { events: found, ...rest } = await eventsBehind(this.#read, page.until, wanted);
      events.push(...found);
      page = rest;
      if (!page.isAtEnd) await nextTurn();
    }
    return { events, ...page };
  }

  /**
   * A few at a time, evenly: a write to a socket takes some twenty microseconds, and as long for the client that reads it, which may be on
   * the same machine. In a burst of a thousand pings waited 20 ms. Those that want the same get the same text, which is made once.
   */
  async #sendToAll(
    live: ReadonlySet<Listener>,
    { events: all, until }: ProjectEvents,
    from: EventPlace,
  ): Promise<void> {
    const byProject = groupedByProject(all);
    const texts = new Map<string, string>();
    let [writes, chars] = [0, 0];
    for (const listener of this.#listeners) {
      // One that fell back meanwhile reads these by itself; so must one that has come to the end since, as it may want others.
      if (listener.isBehind) continue;
      if (!live.has(listener) && isBefore(listener.place, until)) this.#fallBehind(listener);
      if (!live.has(listener)) continue;
      const events = byProject.get(listener.projectId) ?? [];
      const shared =
        texts.get(listener.wish) ?? (await this.#textInTurns({ ...listener, place: from }, events));
      texts.set(listener.wish, shared);
      // It may have fallen back in these turns, and have read some of them by itself.
      if (listener.isBehind || listener.isClosed) continue;
      const text = isBefore(from, listener.place) ? this.#textOf(listener, events) : shared;
      listener.place = later(listener.place, until);
      if (text === '') continue;
      this.#write(listener, text);
      chars += text.length;
      if (++writes % eventWritesAtOnce === 0) await delay(eventWritesPauseMs, undefined, { ref: false });
      else if (chars > eventCharsPerTurn) await nextTurn();
      else continue;
      chars = 0;
    }
  }

  /** As `#textOf`, some in each turn. */
  async #textInTurns(wanting: Wanting, events: readonly ProjectEvent[]): Promise<string> {
    let text = '';
    for (let begin = 0; begin < events.length; begin += eventsRenderedPerTurn) {
      if (begin > 0) await nextTurn();
      text += this.#textOf(wanting, events.slice(begin, begin + eventsRenderedPerTurn));
    }
    return text;
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

  /** One that cannot be read for is ended: it comes back, and perhaps to another node. */
  async #sendPage(listener: Listener): Promise<void> {
    try {
      await this.#sendNextPage(listener);
    } catch (error) {
      // The store is closed when Knell ends, and its listeners are.
      if (listener.isClosed) return;
      this.#logger.error({ error: messageOf(error) }, 'events could not be read');
      this.#end(listener, unreadWords);
    }
  }

  async #sendNextPage(listener: Listener): Promise<void> {
    if (listener.isBlocked || listener.isClosed) {
      this.#behind.delete(listener);
      return;
    }
    this.#sayGap(listener);
    const { events, until, isAtEnd } = await eventsBehind(this.#read, listener.place, listener.wanted);
    if (listener.isClosed) return;
    this.#send(
      listener,
      events.filter(({ projectId }) => projectId === listener.projectId),
      until,
    );
    if (!isAtEnd || listener.isBlocked) return;
    // Where none is at the end, this one says where that is. Otherwise it joins the others where they are, or reads on up to there;
    // of what a pump then sends both, `#send` leaves out what this one has.
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

  #send(listener: Listener, events: readonly ProjectEvent[], until: EventPlace): void {
    const text = this.#textOf(listener, events);
    listener.place = later(listener.place, until);
    if (text !== '') this.#write(listener, text);
  }

  /** Those behind the place that are wanted. */
  #textOf({ place, filter, readOnly }: Wanting, events: readonly ProjectEvent[]): string {
    let text = '';
    for (const event of events)
      if (isBefore(place, event.place) && isWanted(this.#read, filter, event))
        text += `id: ${event.id}\nevent: ${event.type}\ndata: ${event.json(readOnly)}\n\n`;
    return text;
  }

  #end(listener: Listener, message: string): void {
    this.#write(listener, `event: end\ndata: ${JSON.stringify({ message })}\n\n`);
    listener.connection.end();
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
const unreadWords =
  'the events could not be read: the log of Knell says why. Come back, or ask for newer ones';
const slowWords =
  'events are missing: they were dropped before this connection had taken them. What happened is in the lists of pings, flips, runs and incidents';

export function gapText(gap: { readonly message: string; readonly next: string }): string {
  return `id: ${gap.next}\nevent: gap\ndata: ${JSON.stringify(gap)}\n\n`;
}

function wishOf({ projectId, readOnly, filter: { types, checks, tags } }: Listening): string {
  return JSON.stringify([projectId, readOnly, [...types], checks, tags]);
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
