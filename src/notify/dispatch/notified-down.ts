/**
 * Which checks of an incident an integration was notified of that they are down, and of no end since. What a message says of the
 * whole follows from it: an alert is over once none of these is down, whatever else is.
 * Invariant: what is not in memory, as after a start, is what the logs of the checks say.
 */
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { notificationKindOf } from '../../domain/deliveries/delivery.ts';
import type { ChannelId, CheckId, IncidentId } from '../../lib/ids.ts';
import { notifiedIncidentsMax } from '../contract/limits.ts';
import type { DispatchSources } from './dispatch-options.ts';

export class NotifiedDown {
  readonly #sources: Pick<DispatchSources, 'incidentChecks' | 'lastSent' | 'isOpenIn'>;
  readonly #known = new Map<string, Set<CheckId>>();

  constructor(sources: Pick<DispatchSources, 'incidentChecks' | 'lastSent' | 'isOpenIn'>) {
    this.#sources = sources;
  }

  /** Those that are down when this message is out. One that is paused or gone by now is not, of which no end is sent. */
  after(incident: IncidentId, members: readonly Delivery[]): ReadonlySet<CheckId> {
    const [lead] = members;
    const down = new Set(lead ? this.openIn(lead.channelId, incident) : []);
    for (const { checkId, change } of members)
      if (notificationKindOf(change) === 'down') down.add(checkId);
      else down.delete(checkId);
    return down;
  }

  /** Those of which the integration was notified that are down still. */
  openIn(channelId: ChannelId, incident: IncidentId): readonly CheckId[] {
    return [...this.#of(channelId, incident)].filter((id) => this.#sources.isOpenIn(id, incident));
  }

  /** Whether it was notified of the end of all. One that was paused since had none. */
  isOver(channelId: ChannelId, incident: IncidentId): boolean {
    return this.#of(channelId, incident).size === 0;
  }

  /** Whether the integration was notified that the check is down, and of no end since. */
  has({ incident, channelId, checkId }: Delivery): boolean {
    return incident !== undefined && this.#of(channelId, incident).has(checkId);
  }

  delivered({ incident, channelId, checkId, change }: Delivery): void {
    if (incident === undefined) return;
    const down = this.#of(channelId, incident);
    if (notificationKindOf(change) === 'down') down.add(checkId);
    else down.delete(checkId);
  }

  #of(channelId: ChannelId, incident: IncidentId): Set<CheckId> {
    const key = `${channelId} ${incident}`;
    const known = this.#known.get(key);
    if (known) return known;
    const { lastSent, incidentChecks } = this.#sources;
    const down = new Set([...incidentChecks(incident)].filter((id) => lastSent(id, channelId) === 'down'));
    const [oldest] = this.#known.keys();
    if (this.#known.size >= notifiedIncidentsMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, down);
    return down;
  }
}
