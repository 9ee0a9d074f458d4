/** Metrics of notifications: attempts by kind of integration and outcome, and the contents of the outbox. */

import { deliveryStates } from '../../domain/deliveries/delivery.ts';
import type { ChannelKind } from '../../integrations/all.ts';
import type { Meter } from '../../lib/meter.ts';
import type { Outbox } from './outbox.ts';

/** `failed`: to be tried again. `dead`: failed for the last time. `superseded`: never sent, since a later state came. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'dead' | 'superseded';

/** What became of a refresh. Each is one attempt, so that none is dead. */
export type RefreshOutcome = 'delivered' | 'failed';

export interface NotifyMetrics {
  /** Counts a refresh, which is no notification. */
  refresh(kind: ChannelKind, outcome: RefreshOutcome): void;
  /** Counts one. `kind`: null for an integration that was deleted. */
  delivery(kind: ChannelKind | null, outcome: DeliveryOutcome): void;
}

/** Series appear with the first delivery of their kind: most installations use a few of them. */
export function createNotifyMetrics(meter: Meter): NotifyMetrics {
  return {
    refresh(kind, outcome) {
      const labels = { kind, outcome };
      meter
        .counter(
          'knell_refreshes_total',
          'Alerts sent again to services that forget them, by outcome.',
          labels,
        )
        .add();
    },
    delivery(kind, outcome) {
      const labels = { kind: kind ?? 'deleted', outcome };
      meter.counter('knell_deliveries_total', 'Attempts to notify an integration, by outcome.', labels).add();
    },
  };
}

export function observeOutbox(meter: Meter, outbox: Pick<Outbox, 'countOf'>): void {
  for (const state of deliveryStates) {
    const read = (): number => outbox.countOf(state);
    meter.observable('knell_outbox_deliveries', 'Deliveries in the outbox, by state.', read, { state });
  }
}
