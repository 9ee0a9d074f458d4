/** Metrics of notifications: attempts by kind of integration and outcome, and the contents of the outbox. */

import { deliveryStates } from '../../domain/deliveries/delivery.ts';
import type { ChannelKind } from '../../integrations/contract/titles.ts';
import type { Counter, Meter } from '../../lib/meter.ts';
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
  const refreshes = countersOf(meter, {
    name: 'knell_refreshes_total',
    help: 'Alerts sent again to services that forget them, by outcome.',
  });
  const deliveries = countersOf(meter, {
    name: 'knell_deliveries_total',
    help: 'Attempts to notify an integration, by outcome.',
  });
  return {
    refresh: (kind, outcome) => refreshes(kind, outcome).add(),
    delivery: (kind, outcome) => deliveries(kind ?? 'deleted', outcome).add(),
  };
}

/** Looks each counter up once in the meter: thousands may end at once. */
function countersOf(
  meter: Meter,
  { name, help }: { readonly name: string; readonly help: string },
): (kind: string, outcome: string) => Counter {
  const known = new Map<string, Map<string, Counter>>();
  return (kind, outcome) => {
    const byOutcome = known.get(kind) ?? new Map<string, Counter>();
    const counter = byOutcome.get(outcome) ?? meter.counter(name, help, { kind, outcome });
    if (!byOutcome.has(outcome)) known.set(kind, byOutcome.set(outcome, counter));
    return counter;
  };
}

export function observeOutbox(meter: Meter, outbox: Pick<Outbox, 'countOf'>): void {
  for (const state of deliveryStates) {
    const read = (): number => outbox.countOf(state);
    meter.observable('knell_outbox_deliveries', 'Deliveries in the outbox, by state.', read, { state });
  }
}
