/**
 * Commands about notifications that are pending or have failed.
 * Invariant: a delivery that is being sent just now is neither retried nor discarded.
 */
import type { ShownDelivery } from '../../domain/deliveries/sent-notification.ts';
import { auditFact } from '../../engine/context/audit-facts.ts';
import { KnellError } from '../../lib/errors.ts';
import { asIs, type CommandRequest, type OwnerCommand } from '../contract/command.ts';

export const listOutbox: OwnerCommand<null, readonly ShownDelivery[]> = {
  effect: 'reads',
  role: 'viewer',
  input: () => null,
  run: (_, { context }) => context.outbox.list(),
  shown: asIs,
};

/** The outcome: how many were retried. */
export const retryDelivery: OwnerCommand<string, number, { readonly retried: number }> = {
  effect: 'changes',
  role: 'editor',
  input: existingDelivery,
  run: (id, request) =>
    noted('retried', id, request, () =>
      atLeastOne(
        id,
        request.context.outbox.retry(id),
        'this notification cannot be retried: it is being sent just now, or was superseded',
      ),
    ),
  shown: (retried) => ({ retried }),
};

/** The outcome: how many were discarded. */
export const dropDelivery: OwnerCommand<string, number, { readonly dropped: number }> = {
  effect: 'changes',
  role: 'editor',
  input: existingDelivery,
  run: (id, request) =>
    noted('discarded', id, request, () =>
      atLeastOne(
        id,
        request.context.outbox.drop(id),
        'this notification cannot be discarded: it is being sent just now; try again in a moment',
      ),
    ),
  shown: (dropped) => ({ dropped }),
};

/** In the audit log: of one by its check and integration, of all by their number. */
function noted(
  action: 'retried' | 'discarded',
  id: string,
  { context: { engine, outbox }, nowMs }: CommandRequest,
  run: () => number,
): number {
  const delivery = id === 'all' ? null : outbox.get(id);
  const channel = delivery && engine.read.channel(delivery.channelId);
  const project = channel && engine.read.project(channel.projectId);
  const check = delivery && engine.read.check(delivery.checkId, nowMs);
  const count = run();
  if (count > 0)
    engine.change.noteAudit(
      auditFact(action, 'notification', {
        subjectId: id,
        name: check ? check.config.name || check.config.slug : '',
        projectId: project?.id ?? '',
        projectName: project?.name ?? '',
        detail: channel ? `to ${channel.name || channel.kind}` : `notifications: ${count}`,
      }),
    );
  return count;
}

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
