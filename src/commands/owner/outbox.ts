/**
 * Commands about notifications that are pending or have failed.
 * Invariant: a delivery that is being sent just now is neither retried nor discarded.
 */
import { auditFact } from '../../engine/context/audit-facts.ts';
import { KnellError } from '../../lib/errors.ts';
import { required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import type { CommandContext, CommandRequest } from '../contract/command.ts';
import { asIs, command } from '../contract/declaration.ts';

export const outboxCommands = {
  'outbox list': command({
    effect: 'reads',
    role: 'viewer',
    help: 'list pending, failed and superseded notifications',
    takes: {},
    run: (_, { context }) => context.outbox.list(),
    shown: asIs,
  }),
  /** The outcome: how many were retried. */
  'outbox retry': command({
    effect: 'changes',
    role: 'editor',
    help: 'retry a notification now; all: every failed one',
    takes: { id: required(kind.delivery, '<delivery>') },
    run({ id }, request) {
      mustExist(id, request.context);
      return noted('retried', id, request, () =>
        atLeastOne(id, request.context.outbox.retry(id), () => notRetried(id, request.context)),
      );
    },
    shown: (retried) => ({ retried }),
  }),
  /** The outcome: how many were discarded. */
  'outbox drop': command({
    effect: 'changes',
    role: 'editor',
    help: 'discard a notification; all: every failed or superseded one',
    takes: { id: required(kind.delivery, '<delivery>') },
    run({ id }, request) {
      mustExist(id, request.context);
      return noted('discarded', id, request, () =>
        atLeastOne(
          id,
          request.context.outbox.drop(id),
          () => 'this notification cannot be discarded: it is being sent just now; try again in a moment',
        ),
      );
    },
    shown: (dropped) => ({ dropped }),
  }),
} as const;

/** Notes it in the audit log: one delivery by its check and integration, all of them by their number. */
function noted(
  action: 'retried' | 'discarded',
  id: string,
  { context: { engine, outbox }, nowMs }: CommandRequest,
  run: () => number,
): number {
  const delivery = id === 'all' ? null : outbox.get(id);
  const channelId = id === 'all' ? null : outbox.channelOf(id);
  const channel = channelId && engine.read.channel(channelId);
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

function mustExist(id: string, { outbox }: CommandContext): void {
  if (id !== 'all' && outbox.channelOf(id) === null) throw noSuchDelivery(id);
}

export function noSuchDelivery(id: string): KnellError {
  return new KnellError('not-found', `no notification has the id ${id}: it was delivered or discarded`);
}

function notRetried(id: string, { outbox }: CommandContext): string {
  const delivery = outbox.get(id);
  return delivery?.state === 'superseded'
    ? `this notification is not sent any more: ${delivery.error}`
    : 'this notification cannot be retried: it, or another of its check, is being sent just now; try again in a moment';
}

function atLeastOne(id: string, count: number, refusal: () => string): number {
  if (count === 0 && id !== 'all') throw new KnellError('conflict', refusal());
  return count;
}
