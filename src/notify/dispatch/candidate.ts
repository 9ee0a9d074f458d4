/**
 * What the steps of admission ask about a delivery whose turn may have come. `steps` decides what follows from it.
 * Invariant: nothing is read that no step asks for: most deliveries are not due, and ten thousand may be put off at once.
 */
import type { ActiveWindow } from '../../domain/alerting/maintenance.ts';
import type { Check } from '../../domain/check/check.ts';
import {
  type Delivery,
  isEscalation,
  isReminder,
  notificationKindOf,
  wasPutOff,
} from '../../domain/deliveries/delivery.ts';
import type { DispatchSources } from './dispatch-options.ts';
import type { Candidate } from './steps.ts';

type Times = Pick<Candidate, 'nowMs' | 'pausedUntilMs'>;

/** A class: an object with getters of its own makes a function for each of them, and thousands are looked at at once. */
class ReadCandidate implements Candidate {
  readonly delivery: Delivery;
  readonly nowMs: number;
  readonly pausedUntilMs: number;
  readonly #sources: DispatchSources;

  constructor(sources: DispatchSources, delivery: Delivery, { nowMs, pausedUntilMs }: Times) {
    this.#sources = sources;
    this.delivery = delivery;
    this.nowMs = nowMs;
    this.pausedUntilMs = pausedUntilMs;
  }

  get check(): Check | null {
    return this.#sources.check(this.delivery.checkId);
  }

  get maintenance(): ActiveWindow | null {
    const check = isHeldInMaintenance(this.delivery) ? this.check : null;
    return check && this.#sources.maintenance(check);
  }

  get isAcknowledged(): boolean {
    return isAcknowledged(this.#sources, this.delivery);
  }

  get quiet(): ActiveWindow | null {
    return quietFor(this.#sources, this.delivery, this.check);
  }
}

export function candidateOf(sources: DispatchSources, delivery: Delivery, times: Times): Candidate {
  return new ReadCandidate(sources, delivery, times);
}

/** A reminder, and what waited for its time when the window began. Of what was due before, somebody may have been notified already. */
function isHeldInMaintenance(delivery: Delivery): boolean {
  if (isReminder(delivery)) return true;
  const kind = notificationKindOf(delivery.change);
  return (kind === 'down' || kind === 'late') && wasPutOff(delivery);
}

function isAcknowledged(sources: DispatchSources, delivery: Delivery): boolean {
  if (isReminder(delivery)) return sources.isAcknowledged(delivery.incident);
  const channel = sources.channel(delivery.channelId);
  if (channel === null || !isEscalation(delivery, channel)) return false;
  const check = sources.check(delivery.checkId);
  return check?.acknowledgement !== undefined || sources.isAcknowledged(delivery.incident);
}

/** Those hours let through that a check is up, which somebody was notified of before. */
function quietFor(sources: DispatchSources, delivery: Delivery, check: Check | null): ActiveWindow | null {
  const channel = sources.channel(delivery.channelId);
  if (!channel || !check || notificationKindOf(delivery.change) === 'up') return null;
  return sources.quietUntil(channel, check);
}
