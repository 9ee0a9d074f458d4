/**
 * What each integration was notified of about an incident: which checks are down, with no end sent since, and in which message it reads
 * that. What a message says of the whole follows from it: an alert is over once none of these is down, whatever else is.
 * Invariant: what is not in memory, as after a start, is what the logs of the checks say. That does not depend on the incident: the end
 * of a check ends what was sent of it before, in whichever incidents it has been.
 */
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { notificationKindOf } from '../../domain/deliveries/delivery.ts';
import {
  lastDelivered,
  lastDeliveredChange,
  lastMessage,
  type SentMessage,
} from '../../domain/deliveries/sent-notification.ts';
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
  readonly channelId: ChannelId;
  /** With when each went down, epoch milliseconds. */
  readonly down: Map<CheckId, number>;
  /** The latest. */
  message: SentMessage | null;
}

export class NotifiedIncidents {
  readonly #sources: Pick<DispatchSources, 'incidentChecks' | 'sent' | 'isOpenIn'>;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #known = new Map<string, Notified>();
  /** For each integration and check, in which of them that is down: nearly always one. */
  readonly #downIn = new Map<ChannelId, Map<CheckId, readonly Notified[]>>();

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
    const known = [...before.down.keys()];
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
    return [...this.#of(channelId, incident).down.keys()].filter((id) =>
      this.#sources.isOpenIn(id, incident),
    );
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
    const own = incident === undefined ? null : this.#of(channelId, incident);
    const kind = notificationKindOf(change);
    if (kind === 'down' && own) this.#add(own, checkId, change.atMs);
    if (kind !== 'up') return;
    // In another one, only what is older than the end.
    for (const one of this.#having(channelId, checkId))
      if (one === own || (one.down.get(checkId) ?? 0) <= change.atMs) this.#remove(one, checkId);
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
    const notified = nothingNotified(channelId);
    for (const id of this.#sources.incidentChecks(incident)) this.#readLog(notified, id, incident);
    return this.#keep(notified, incident);
  }

  /** As `#of`. Somebody else may have read it by the time that this has. */
  async #inTurns(channelId: ChannelId, incident: IncidentId): Promise<Notified> {
    const key = keyOf(channelId, incident);
    const notified = nothingNotified(channelId);
    const turns = new Turns(this.#clock, refreshedPerTurn);
    for (const id of [...this.#sources.incidentChecks(incident)]) {
      if (this.#known.has(key)) break;
      if (turns.isOver()) await turns.next();
      this.#readLog(notified, id, incident);
    }
    const known = this.#known.get(key);
    if (!known) return this.#keep(notified, incident);
    this.#forget(notified);
    return known;
  }

  #keep(notified: Notified, incident: IncidentId): Notified {
    const [oldest] = this.#known;
    if (this.#known.size >= notifiedIncidentsMax && oldest !== undefined) {
      const [key, forgotten] = oldest;
      this.#known.delete(key);
      this.#forget(forgotten);
    }
    this.#known.set(keyOf(notified.channelId, incident), notified);
    return notified;
  }

  #readLog(notified: Notified, id: CheckId, incident: IncidentId): void {
    const { channelId } = notified;
    const sent = this.#sources.sent(id);
    const last = lastDeliveredChange(sent, channelId);
    if (last?.kind === 'down') this.#add(notified, id, last.changedAtMs);
    notified.message = latestOf(notified.message, lastMessage(sent, { channelId, incident }));
  }

  #having(channelId: ChannelId, id: CheckId): readonly Notified[] {
    return this.#downIn.get(channelId)?.get(id) ?? [];
  }

  #add(notified: Notified, id: CheckId, downMs: number): void {
    const isKnown = notified.down.has(id);
    notified.down.set(id, downMs);
    if (isKnown) return;
    const ofChannel = this.#downIn.get(notified.channelId) ?? new Map<CheckId, readonly Notified[]>();
    this.#downIn.set(notified.channelId, ofChannel);
    ofChannel.set(id, [...(ofChannel.get(id) ?? []), notified]);
  }

  #remove(notified: Notified, id: CheckId): void {
    notified.down.delete(id);
    const ofChannel = this.#downIn.get(notified.channelId);
    const others = this.#having(notified.channelId, id).filter((one) => one !== notified);
    if (others.length > 0) ofChannel?.set(id, others);
    else ofChannel?.delete(id);
    if (ofChannel?.size === 0) this.#downIn.delete(notified.channelId);
  }

  #forget(notified: Notified): void {
    for (const id of [...notified.down.keys()]) this.#remove(notified, id);
  }
}

function nothingNotified(channelId: ChannelId): Notified {
  return { channelId, down: new Map(), message: null };
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
