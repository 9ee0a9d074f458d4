/**
 * The pending and failed notifications of a project, as the page shows them.
 * Invariant: those of other projects are neither listed nor counted.
 */
import { type Delivery, notificationKindOf } from '../../domain/delivery.ts';
import type { OutboxView } from '../../domain/page-view.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import type { ProjectCall } from './call.ts';
import { shownId } from './shown-id.ts';

/** More are not read. Failed ones come first. */
const shownMax = 100;

export function listOutbox(call: ProjectCall): HttpReply {
  const { read } = call.context.engine;
  const { total, first } = deliveriesIn(call);
  const view: OutboxView = {
    total,
    deliveries: first.map((delivery) => ({
      id: delivery.id,
      state: delivery.state,
      event: notificationKindOf(delivery.change) ?? 'late',
      checkId: shownId(call.role, delivery.checkId),
      channel: read.channel(delivery.channelId)?.name ?? '',
      sinceMs: delivery.sinceMs,
      attempts: delivery.attempts,
      nextMs: delivery.state === 'waiting' && delivery.notBeforeMs > 0 ? delivery.notBeforeMs : null,
      error: delivery.error,
    })),
  };
  return jsonReply(view);
}

/** The newest of each, as far as they are shown. In one pass, without sorting: there may be a hundred thousand. */
function deliveriesIn({ context, project }: ProjectCall) {
  const channels = new Set(context.engine.read.channels(project.id).map(({ id }) => id));
  const dead: Delivery[] = [];
  const others: Delivery[] = [];
  for (const delivery of context.commands.outbox.all()) {
    if (channels.has(delivery.channelId)) (delivery.state === 'dead' ? dead : others).push(delivery);
  }
  const newest = (all: readonly Delivery[]): readonly Delivery[] => all.slice(-shownMax).reverse();
  return {
    total: dead.length + others.length,
    first: [...newest(dead), ...newest(others)].slice(0, shownMax),
  };
}
