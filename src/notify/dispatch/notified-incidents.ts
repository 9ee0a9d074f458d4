/**
 * What each integration was notified of about an incident: which checks are down, with no end sent since, and in which message it reads
 * that. What a message says of the whole follows from it: an alert is over once none of these is down, whatever else is.
 * Invariant: what is not in memory, as after a start, is what the logs of the checks say.
 */
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { notificationKindOf } from '../../domain/deliveries/delivery.ts';
import { lastDelivered, lastMessage, type SentMessage } from '../../domain/deliveries/sent-notification.ts';
import type { ChannelId, CheckId, IncidentId } from '../../lib/ids.ts';
import type { MessageAbout } from '../contract/channel.ts';
import { notifiedIncidentsMax } from '../contract/limits.ts';
import type { DispatchSources } from './dispatch-options.ts';

interface Notified {
  readonly down: Set<CheckId>;
  /** The latest. */
  message: SentMessage | null;
}

export class NotifiedIncidents {
  readonly #sources: Pick<DispatchSources, 'incidentChecks' | 'sent' | 'isOpenIn'>;
  readonly #known = new Map<string, Notified>();

  constructor(sources: Pick<DispatchSources, 'incidentChecks' | 'sent' | 'isOpenIn'>) {
    this.#sources = sources;
  }

  /** What is down when this message is out. A check that is paused or gone by now is not, of which no end is sent. */
  after(incident: IncidentId, members: readonly Delivery[]): Pick<MessageAbout, 'down' | 'message'> {
    const [lead] = members;
    const before = lead && this.#of(lead.channelId, incident);
    const down = new Set(lead ? this.openIn(lead.channelId, incident) : []);
    for (const { checkId, change } of members)
      if (notificationKindOf(change) === 'down') down.add(checkId);
      else down.delete(checkId);
    // A message of the end is the last of its outage.
    const message = before && before.down.size > 0 ? before.message : null;
    return { down, message };
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
    const key = `${channelId} ${incident}`;
    const known = this.#known.get(key);
    if (known) return known;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= notifiedIncidentsMax && oldest !== undefined) this.#known.delete(oldest);
    const notified = this.#fromLogs(channelId, incident);
    this.#known.set(key, notified);
    return notified;
  }

  #fromLogs(channelId: ChannelId, incident: IncidentId): Notified {
    const notified: Notified = { down: new Set(), message: null };
    for (const id of this.#sources.incidentChecks(incident)) {
      const sent = this.#sources.sent(id);
      if (lastDelivered(sent, channelId) === 'down') notified.down.add(id);
      notified.message = latestOf(notified.message, lastMessage(sent, { channelId, incident }));
    }
    return notified;
  }
}

/** A check that an update was about has no entry of the time before it. */
function latestOf(one: SentMessage | null, other: SentMessage | null): SentMessage | null {
  if (one === null || other === null) return one ?? other;
  const isOther = other.id === one.id ? other.sentMs < one.sentMs : other.sentMs > one.sentMs;
  return isOther ? other : one;
}
