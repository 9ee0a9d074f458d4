/**
 * What a project's integrations are still to be told, or never were: looked at, tried again, forgotten.
 * Invariant: nobody reaches what is owed to another project's integrations.
 */
import { type Delivery, notificationKindOf } from '../../domain/delivery.ts';
import type { OutboxView } from '../../domain/page-view.ts';
import { KnellError } from '../../lib/errors.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import type { ProjectCall } from './call.ts';

/** Nobody reads more; those that were given up come first. */
const shownMax = 100;

export function listOutbox(call: ProjectCall): HttpReply {
  const { read } = call.context.engine;
  const { total, first } = deliveriesIn(call);
  const view: OutboxView = {
    total,
    deliveries: first.map((delivery) => ({
      id: delivery.id,
      state: delivery.state,
      told: notificationKindOf(delivery.change) ?? 'late',
      checkId: delivery.checkId,
      channel: read.channel(delivery.channelId)?.name ?? '',
      sinceMs: delivery.sinceMs,
      attempts: delivery.attempts,
      nextMs: delivery.state === 'waiting' && delivery.notBeforeMs > 0 ? delivery.notBeforeMs : null,
      error: delivery.error,
    })),
  };
  return jsonReply(view);
}

export function retryDelivery(call: ProjectCall): HttpReply {
  return done(call.context.outbox.retry(idIn(call)), 'tried again');
}

export function dropDelivery(call: ProjectCall): HttpReply {
  return done(call.context.outbox.drop(idIn(call)), 'forgotten');
}

/** The newest of each, as far as they are shown. In one pass, without sorting: there may be a hundred thousand. */
function deliveriesIn({ context, project }: ProjectCall) {
  const channels = new Set(context.engine.read.channels(project.id).map(({ id }) => id));
  const dead: Delivery[] = [];
  const others: Delivery[] = [];
  for (const delivery of context.outbox.all()) {
    if (channels.has(delivery.channelId)) (delivery.state === 'dead' ? dead : others).push(delivery);
  }
  const newest = (all: readonly Delivery[]): readonly Delivery[] => all.slice(-shownMax).reverse();
  return {
    total: dead.length + others.length,
    first: [...newest(dead), ...newest(others)].slice(0, shownMax),
  };
}

function idIn({ context, project, path }: ProjectCall): string {
  const delivery = context.outbox.get(path.id ?? '');
  if (!delivery || context.engine.read.channel(delivery.channelId)?.projectId !== project.id)
    throw new KnellError('not-found', 'it is no longer owed: it was told, or somebody has forgotten it');
  return delivery.id;
}

function done(count: number, what: string): HttpReply {
  if (count === 0) throw new KnellError('conflict', `it cannot be ${what} just now: look again in a moment`);
  return jsonReply({});
}
