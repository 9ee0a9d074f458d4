/** Why a retry would send nothing, as the page says it in the place of the button. */
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { UserCall } from './call.ts';

/** `delivery`: it, or its id. Empty where a retry would send it, and where there is none. */
export function keptBackOf(
  { commands: { outbox } }: UserCall['context'],
  delivery: Delivery | string | null | undefined,
): { readonly keptBack?: string } {
  const one = typeof delivery === 'string' ? outbox.get(delivery) : delivery;
  const keptBack = one && one.state !== 'superseded' ? outbox.keptBackBy(one) : '';
  return keptBack ? { keptBack } : {};
}
