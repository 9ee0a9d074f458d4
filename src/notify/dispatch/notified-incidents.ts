/**
 * What each integration was notified of about an incident: which checks are down, with no end sent since, and in which message it reads
 * that. What a message says of the whole follows from it: an alert is over once none of these is down, whatever else is.
 * Invariant: what is not in memory, as after a start, is what the logs of the checks say.
 */
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { notificationKindOf } from '../../domain/deliveries/delivery.ts';
import { lastDelivered, lastMessage, type SentMessage } from '../../domain/deliveries/sent-notification.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChannelId, CheckId, IncidentId } from '../../lib/ids.ts';
import type { MessageAbout } from '../contract/channel.ts';
import {
  gatheredPerTurn,
  membersReadPerTurn,
  notifiedIncidentsMax,
  refreshedPerTurn,
} from '../contract/limits.ts';
import type { DispatchSources } from './dispatch-options.ts';
import { Turns } from './turns.ts';

interface Notified {
  readonly down: Set<CheckId>;
  /** The latest. */
  message: SentMessage | null;
}

interface Place {
  readonly channelId: ChannelId;
  readonly incident: IncidentId;
}

export class NotifiedIncidents {
  readonly #sources: Pick<DispatchSources, 'incidentChecks' | 'sent' | 'isOpenIn'>;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #known = new Map<string, Notified>();

  constructor(
    sources: Pick<DispatchSources, 'incidentChecks' | 'sent' | 'isOpenIn'>,
    clock: Pick<Clock, 'elapsedMs'>,
  ) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /**
   * What is down when this message is out. A check that is paused or gone by now is not, of which no end is sent. In turns of the event
   * loop: an incident may have ten thousand checks.
   */
  async after(
    incident: IncidentId,
    members: readonly Delivery[],
  ): Promise<Pick<MessageAbout, 'down' | 'message'>> {
    const [lead] = members;
    if (!lead) return { down: new Set(), message: null };
    const before = await this.#inTurns(lead.channelId, incident);
    const known = [...before.down];
    const down = new Set<CheckId>();
    const looks = new Turns(this.#clock, gatheredPerTurn);
    for (const id of known) {
      if (looks.isOver()) await looks.next();
      if (this.#sources.isOpenIn(id, incident)) down.add(id);
    }
    const changes = new Turns(this.#clock, membersReadPerTurn);
    for (const { checkId, change } of members) {
      if (changes.isOver()) await changes.next();
      if (notificationKindOf(change) === 'down') down.add(checkId);
      else down.delete(checkId);
    }
    // A message of the end is the last of its outage.
    return { down, message: before.down.size > 0 ? before.message : null };
  }

  /** Those of which the integration was notified that are down still. */
  openIn(channelId: ChannelId, incident: IncidentId): readonly CheckId[] {
    return [...this.#of(channelId, incident).down].filter((id) => this.#sources.isOpenIn(id, incident));
  }

  /** Whether it was notified of the end of all. One that was paused since had none. */
  isOver(channelId: ChannelId, incident: IncidentId): boolean {
    return this.#of(channelId, incident).down.size === 0;
  }

  /** Whether the integration was notified that the check is down, and of no end since. */
  has({ incident, channelId, checkId }: Delivery): boolean {
    return incident === undefined
      ? lastDelivered(this.#sources.sent(checkId), channelId) === 'down'
      : this.#of(channelId, incident).down.has(checkId);
  }

  delivered({ incident, channelId, checkId, change }: Delivery): void {
    if (incident === undefined) return;
    const { down } = this.#of(channelId, incident);
    if (notificationKindOf(change) === 'down') down.add(checkId);
    else down.delete(checkId);
  }

  /** The message by the vendor's id, new or updated. */
  sentAs({ incident, channelId }: Delivery, id: string, atMs: number): void {
    if (incident === undefined) return;
    const notified = this.#of(channelId, incident);
    if (notified.message?.id !== id) notified.message = { id, sentMs: atMs };
  }

  #of(channelId: ChannelId, incident: IncidentId): Notified {
    const known = this.#known.get(keyOf(channelId, incident));
    if (known) return known;
    const notified = nothingNotified();
    for (const id of this.#sources.incidentChecks(incident))
      this.#readLog(notified, id, { channelId, incident });
    return this.#keep(channelId, incident, notified);
  }

  /** As `#of`. Somebody else may have read it by the time that this has. */
  async #inTurns(channelId: ChannelId, incident: IncidentId): Promise<Notified> {
    const key = keyOf(channelId, incident);
    const notified = nothingNotified();
    const turns = new Turns(this.#clock, refreshedPerTurn);
    for (const id of [...this.#sources.incidentChecks(incident)]) {
      const known = this.#known.get(key);
      if (known) return known;
      if (turns.isOver()) await turns.next();
      this.#readLog(notified, id, { channelId, incident });
    }
    return this.#known.get(key) ?? this.#keep(channelId, incident, notified);
  }

  #keep(channelId: ChannelId, incident: IncidentId, notified: Notified): Notified {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= notifiedIncidentsMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(keyOf(channelId, incident), notified);
    return notified;
  }

  #readLog(notified: Notified, id: CheckId, place: Place): void {
    const sent = this.#sources.sent(id);
    if (lastDelivered(sent, place.channelId) === 'down') notified.down.add(id);
    notified.message = latestOf(notified.message, lastMessage(sent, place));
  }
}

function nothingNotified(): Notified {
  return { down: new Set(), message: null };
}

function keyOf(channelId: ChannelId, incident: IncidentId): string {
  return `${channelId} ${incident}`;
}

/** A check that an update was about has no entry of the time before it. */
function latestOf(one: SentMessage | null, other: SentMessage | null): SentMessage | null {
  if (one === null || other === null) return one ?? other;
  const isOther = other.id === one.id ? other.sentMs < one.sentMs : other.sentMs > one.sentMs;
  return isOther ? other : one;
}
