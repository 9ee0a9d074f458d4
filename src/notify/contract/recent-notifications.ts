/**
 * Outcomes of the newest notifications of each integration, in memory: the page shows them at every look. Those from before the
 * start are filled in from the logs of the checks by who asks first. Not the log itself, which is kept with each check.
 * Invariant: of an integration at most `limits.notify.recentMax` are kept, each once, oldest first.
 */
import type { RecentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { ChannelId } from '../../lib/ids.ts';

interface Recent {
  items: RecentNotification[];
  isFilled: boolean;
}

export class RecentNotifications {
  readonly #byChannel = new Map<ChannelId, Recent>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get max(): number {
    return this.#max;
  }

  of(id: ChannelId): readonly RecentNotification[] {
    return this.#byChannel.get(id)?.items.slice() ?? [];
  }

  /** Whether what was before the start is here too. */
  isFilled(id: ChannelId): boolean {
    return this.#byChannel.get(id)?.isFilled ?? false;
  }

  add(id: ChannelId, notification: RecentNotification): void {
    const entry = this.#entry(id);
    const { items } = entry;
    const isNewest = (items.at(-1)?.atMs ?? 0) <= notification.atMs;
    const isOrdered = isNewest && !items.some((one) => one.id === notification.id);
    items.push(notification);
    // Nearly always it is in its place: thousands may end at once, and each would sort or copy all.
    if (!isOrdered) entry.items = this.#newest(items);
    else if (items.length > this.#max) items.shift();
  }

  /** `older`: from the logs, in any order; may hold what is here already. */
  fill(id: ChannelId, older: readonly RecentNotification[]): void {
    const entry = this.#entry(id);
    entry.items = this.#newest([...older, ...entry.items]);
    entry.isFilled = true;
  }

  /** Forgets integrations that are gone. */
  keepOnly(isThere: (id: ChannelId) => boolean): void {
    for (const id of this.#byChannel.keys()) if (!isThere(id)) this.#byChannel.delete(id);
  }

  #entry(id: ChannelId): Recent {
    const entry = this.#byChannel.get(id) ?? { items: [], isFilled: false };
    this.#byChannel.set(id, entry);
    return entry;
  }

  /** One that failed and was retried ends twice: the later end counts. */
  #newest(all: readonly RecentNotification[]): RecentNotification[] {
    const byId = new Map<string, RecentNotification>();
    for (const one of [...all].sort((a, b) => a.atMs - b.atMs)) {
      byId.delete(one.id);
      byId.set(one.id, one);
    }
    return [...byId.values()].slice(-this.#max);
  }
}
