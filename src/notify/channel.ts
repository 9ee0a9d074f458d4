/**
 * The contract of an integration's kind: a notice in, what became of it out. One sender for each kind, in `channels/`.
 * Not here: when it is sent, whether it is tried again (`dispatch`, `retry`).
 * Invariant: a sender never throws, and what it answers holds no secret.
 */
import type { Check } from '../domain/check.ts';
import type { NotificationKind } from '../domain/delivery.ts';
import type { Cause } from '../domain/flip.ts';
import type { Ping } from '../domain/ping.ts';
import type { Channel, Project } from '../domain/project.ts';
import type { DeliveryId } from '../lib/ids.ts';

/** Everything that one message may say. */
export interface Notice {
  /** The idempotency key: the same on every attempt. */
  readonly deliveryId: DeliveryId;
  readonly notificationKind: NotificationKind;
  /** Somebody asked whether the integration works; nothing has happened. */
  readonly test: boolean;
  readonly channel: Channel;
  readonly check: Check;
  readonly project: Pick<Project, 'name'>;
  /** When the check changed, and why. */
  readonly atMs: number;
  readonly cause: Cause;
  /** The latest ping that is no newer than the change. */
  readonly ping: Ping | null;
  /** Its body as text; empty for none. */
  readonly body: string;
  /** How long the check was down, when it comes up; else null. */
  readonly downtimeMs: number | null;
  /** The check as the API shows it, JSON. */
  readonly checkJson: string;
  readonly baseUrl: string;
}

/** What became of one attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** It may work later: after `retryAfterMs`, if the other side said so. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterMs?: number }
  /** It will never work. */
  | { readonly kind: 'refused'; readonly error: string };

export const delivered: Outcome = { kind: 'delivered' };

/** Sends one notice, once. `signal` ends the attempt early: Knell is stopping. */
export type Send = (notice: Notice, signal: AbortSignal) => Promise<Outcome>;
