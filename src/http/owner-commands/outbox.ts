/**
 * Commands about notifications that are pending or have failed.
 * Invariant: a delivery that is being sent just now is neither retried nor discarded.
 */
import { KnellError } from '../../lib/errors.ts';
import type { CommandRequest, OwnerCommand } from './command.ts';

export const listOutbox: OwnerCommand<null, readonly unknown[]> = {
  role: 'viewer',
  input: () => null,
  run: (_, { context }) => context.outbox.list(),
};

/** The outcome: how many were retried. */
export const retryDelivery: OwnerCommand<string, number> = {
  role: 'editor',
  input: existingDelivery,
  run: (id, { context }) =>
    atLeastOne(
      id,
      context.outbox.retry(id),
      'this notification cannot be retried: it is being sent just now, or was superseded',
    ),
};

/** The outcome: how many were discarded. */
export const dropDelivery: OwnerCommand<string, number> = {
  role: 'editor',
  input: existingDelivery,
  run: (id, { context }) =>
    atLeastOne(
      id,
      context.outbox.drop(id),
      'this notification cannot be discarded: it is being sent just now; try again in a moment',
    ),
};

function existingDelivery({ context, targets }: CommandRequest): string {
  const id = targets.delivery();
  if (id !== 'all' && context.outbox.get(id) === null) throw noSuchDelivery(id);
  return id;
}

export function noSuchDelivery(id: string): KnellError {
  return new KnellError('not-found', `no notification has the id ${id}: it was delivered or discarded`);
}

function atLeastOne(id: string, count: number, refusal: string): number {
  if (count === 0 && id !== 'all') throw new KnellError('conflict', refusal);
  return count;
}
