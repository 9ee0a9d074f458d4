/**
 * The page of the integrations, as JSON: shared by the server's side (`http/web`) and the page (`web`).
 * Invariant: instants are epoch milliseconds; no secret is here.
 */
import type { NotificationKind } from '../deliveries/delivery.ts';
import type { GivenUpEvent, NotificationOutcome } from '../deliveries/sent-notification.ts';
import type { ChannelView, DeliveryView } from './page-view.ts';

/** `GET …/integrations`. */
export interface IntegrationsView {
  /** Number of checks in the project. */
  readonly checks: number;
  readonly integrations: readonly IntegrationView[];
  /** The server's clock. */
  readonly nowMs: number;
}

export interface IntegrationView extends ChannelView {
  /** Checks that notify it by themselves, not through a group. */
  readonly usedFor: number;
  /** The newest that are over, 20 at most, oldest first. */
  readonly recent: readonly NotificationView[];
  /** Given up. */
  readonly failed: number;
  /** Notifications to be sent, or sent again. */
  readonly waiting: number;
  /** How many of the waiting ones have been tried already. */
  readonly retrying: number;
  /** How many of the failed ones are about an outage that is over: they are not sent again with the others. */
  readonly over: number;
  /** How many of the failed ones are not sent with the others, as a newer alert of the same outage is. */
  readonly replaced: number;
  /** How many of the failed ones, but those, are about a check that is snoozed: they are not sent either. */
  readonly snoozed: number;
  /** When the first of those that have been tried is tried next; null for none, and for at once. */
  readonly nextMs: number | null;
  /** The oldest of the failed and the waiting ones; not all, if there are many. */
  readonly deliveries: readonly DeliveryView[];
  /** Of an event subscription: the newest events that it has given up, oldest first. */
  readonly givenUp: readonly GivenUpEvent[];
}

/** The outcome of a notification that is over. */
export interface NotificationView {
  /** Id of the delivery. */
  readonly id: string;
  readonly atMs: number;
  readonly kind: NotificationKind | 'test';
  /** The same had been delivered before; absent for what was not. */
  readonly reminder?: true;
  readonly outcome: NotificationOutcome;
  readonly attempts: number;
  readonly error: string;
  /** Empty for a test, and when it is gone. */
  readonly checkId: string;
  /** Its name; likewise. */
  readonly check: string;
}
