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
} from '../../domain/deliveries/delivery.ts';
import type { DispatchSources } from './dispatch-options.ts';
import type { Candidate } from './steps.ts';

export function candidateOf(
  sources: DispatchSources,
  delivery: Delivery,
  times: Pick<Candidate, 'nowMs' | 'pausedUntilMs'>,
): Candidate {
  return {
    ...{ delivery, ...times },
    get check() {
      return sources.check(delivery.checkId);
    },
    get maintenanceUntilMs() {
      const check = isReminder(delivery) ? this.check : null;
      return check ? sources.maintenanceUntil(check) : 0;
    },
    get isAcknowledged() {
      return isAcknowledged(sources, delivery, this.check);
    },
    get quiet() {
      return quietFor(sources, delivery, this.check);
    },
  };
}

function isAcknowledged(sources: DispatchSources, delivery: Delivery, check: Check | null): boolean {
  if (isReminder(delivery)) return sources.isAcknowledged(delivery.incident);
  const channel = sources.channel(delivery.channelId);
  if (channel === null || !isEscalation(delivery, channel)) return false;
  return check?.acknowledgement !== undefined || sources.isAcknowledged(delivery.incident);
}

/** Those hours let through that a check is up, which somebody was notified of before. */
function quietFor(sources: DispatchSources, delivery: Delivery, check: Check | null): ActiveWindow | null {
  const channel = sources.channel(delivery.channelId);
  if (!channel || !check || notificationKindOf(delivery.change) === 'up') return null;
  return sources.quietUntil(channel, check);
}
