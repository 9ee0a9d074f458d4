/**
 * An entry of a check's notification log: what became of one delivery. Kept as long as status changes are.
 * Not here: deliveries in flight (`delivery`). Invariant: pure; an entry is complete in itself, since its integration may
 * be renamed or deleted later.
 */
import type { ChannelId, CheckId, DeliveryId, IncidentId } from '../../lib/ids.ts';
import type { DeadEvent } from '../accounts/event-feed.ts';
import type { Growing } from '../check/unknown-fields.ts';
import type { NotificationKind } from './delivery.ts';

/**
 * `failed`: given up. `superseded`: not sent, since a later state came before it. `held`: nobody is notified for now, for the reason
 * in `error`; of no integration, as it is about all.
 */
export const notificationOutcomes = ['delivered', 'failed', 'superseded', 'held'] as const;
export type NotificationOutcome = (typeof notificationOutcomes)[number];

export const notificationKinds: readonly NotificationKind[] = ['down', 'up', 'late', 'warning'];

export interface SentNotification extends Growing {
  readonly deliveryId: DeliveryId;
  /** When the outcome was known, epoch milliseconds. */
  readonly atMs: number;
  readonly kind: NotificationKind;
  /** When the check changed. */
  readonly changedAtMs: number;
  readonly channelId: ChannelId;
  /** Name at that time; empty when it had been deleted before. */
  readonly channelName: string;
  readonly channelKind: string;
  readonly outcome: NotificationOutcome;
  /** Number of attempts; 0 when it was superseded before the first one. */
  readonly attempts: number;
  /** Why it failed or was superseded; empty for delivered. Holds no secret. */
  readonly error: string;
  /** The incident that it was about as a whole, and the vendor's id of its message; absent where that cannot be updated. */
  readonly incident?: IncidentId | undefined;
  readonly message?: string | undefined;
}

/** The message in which an integration reads of an incident. */
export interface SentMessage {
  /** The vendor's. */
  readonly id: string;
  /** When it was sent as a new one, epoch milliseconds. */
  readonly sentMs: number;
}

/** The latest of an incident to an integration in the log of a check, newest first; null for none. */
export function lastMessage(
  sent: readonly SentNotification[],
  { channelId, incident }: { readonly channelId: ChannelId; readonly incident: IncidentId },
): SentMessage | null {
  const own = sent.filter((one) => one.channelId === channelId && one.incident === incident);
  const id = own.find(({ message }) => message !== undefined)?.message;
  const first = own.findLast(({ message }) => message === id);
  return id === undefined || first === undefined ? null : { id, sentMs: first.atMs };
}

/** Those in the log of a check, newest first, that were delivered before, of the same change to the same integration. */
export function remindersIn(sent: readonly SentNotification[]): ReadonlySet<SentNotification> {
  const delivered = new Set<string>();
  const found = new Set<SentNotification>();
  for (const one of sent.toReversed()) {
    const about = `${one.channelId} ${one.changedAtMs} ${one.kind}`;
    if (delivered.has(about)) found.add(one);
    if (one.outcome === 'delivered') delivered.add(about);
  }
  return found;
}

/**
 * What an integration was sent last of a check, newest first, that it is down or up; null for neither. Its order is kept, and two
 * notifications of one millisecond are in that of their changes.
 */
export function lastDelivered(sent: readonly SentNotification[], id: ChannelId): 'down' | 'up' | null {
  return lastDeliveredChange(sent, id)?.kind ?? null;
}

/** As `lastDelivered`, with when the check changed. */
export function lastDeliveredChange(
  sent: readonly SentNotification[],
  id: ChannelId,
): { readonly kind: 'down' | 'up'; readonly changedAtMs: number } | null {
  let last: { readonly kind: 'down' | 'up'; readonly changedAtMs: number } | null = null;
  for (const { channelId, outcome, kind, changedAtMs } of sent)
    if (channelId === id && outcome === 'delivered' && (kind === 'down' || kind === 'up')) {
      if (last === null || changedAtMs > last.changedAtMs) last = { kind, changedAtMs };
    }
  return last;
}

/** Outcome of one of an integration's newest notifications, as its columns on the page show it. */
export interface RecentNotification
  extends Pick<SentNotification, 'atMs' | 'outcome' | 'attempts' | 'error'> {
  /** Id of the delivery; a test has an id of its own. */
  readonly id: string;
  readonly kind: NotificationKind | 'test';
  /** Null for a test. */
  readonly checkId: CheckId | null;
  /** The same had been delivered before; absent for what was not. */
  readonly reminder?: true;
}

/** An event that a subscription has given up. Its `id` distinguishes it from the same event of another subscription. */
export type GivenUpEvent = Pick<DeadEvent, 'id' | 'type' | 'about' | 'endedMs' | 'attempts' | 'error'>;

/** A notification that is not delivered, for programs and people. */
export interface ShownDelivery {
  readonly id: string;
  readonly state: string;
  /** The event. Programs read `knell outbox list --json`, so it keeps this name. */
  readonly told: string;
  readonly check: string;
  readonly channel: string;
  readonly kind: string;
  readonly since: string;
  readonly attempts: number;
  /** When it is tried next; empty for at once, or never again. */
  readonly next: string;
  readonly error: string;
}

/** Of a delivery that waits, or is being sent, among the others of its integration. */
export interface PlaceInQueue {
  readonly isInFlight: boolean;
  /** Others come first: the integration is paused, or as much as may be is being sent to it. */
  readonly isBehind: boolean;
  /** Until when its integration is paused, epoch milliseconds; 0 for not at all. */
  readonly pausedUntilMs: number;
}

/** Why nothing is sent to a host: all its addresses are blocked. */
export interface BlockedHost {
  readonly text: string;
  readonly addresses: readonly string[];
}

/** What a webhook answered to a test. Holds nothing of the headers and the address of the request, should it repeat them. */
export interface TestAnswer {
  /** `404 Not Found`. */
  readonly status: string;
  /** How its body begins. */
  readonly text: string;
}

/** Result of testing one integration. */
export interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly ok: boolean;
  readonly error: string;
  readonly answer?: TestAnswer;
}
