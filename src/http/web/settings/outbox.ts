/**
 * The pending and failed notifications of a project, as the page shows them.
 * Invariant: those of other projects are neither listed nor counted.
 */
import { channelTitle } from '../../../domain/accounts/channel-title.ts';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { Check } from '../../../domain/check/check.ts';
import {
  type Delivery,
  isReminder,
  lastTriedMs,
  notificationKindOf,
} from '../../../domain/deliveries/delivery.ts';
import type { AttemptView, DeliveryView, OutboxView } from '../../../domain/views/page-view.ts';
import { outboxShownMax } from '../../limits.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { errorNow } from '../calls/error-now.ts';
import { keptBackOf } from '../calls/kept-back.ts';
import { shownId } from '../calls/shown-id.ts';

export function listOutbox(call: ProjectCall): HttpReply {
  const { total, first } = deliveriesIn(call);
  const view: OutboxView = {
    total,
    deliveries: first.map((delivery) => deliveryView(call, delivery)),
  };
  return jsonReply(view);
}

export function deliveryView(call: ProjectCall, delivery: Delivery): DeliveryView {
  const { read } = call.context.engine;
  const { id, state, change, checkId, channelId, sinceMs, attempts, error } = delivery;
  const check = read.check(checkId, call.nowMs);
  // A check that has moved to another project belongs to that project.
  const isMoved = check !== null && check.projectId !== call.project.id;
  return {
    id,
    state,
    event: notificationKindOf(change) ?? 'late',
    ...(isReminder(delivery) ? { reminder: true } : {}),
    checkId: isMoved ? '' : shownId(call.role, checkId),
    check: isMoved ? '' : checkName(check),
    channel: read.channel(channelId)?.name ?? '',
    sinceMs: isReminder(delivery) ? sinceMs : change.atMs,
    attempts,
    triedMs: lastTriedMs(delivery),
    nextMs: nextMsOf(call, delivery),
    isInFlight: call.context.commands.outbox.stateOf(delivery).isInFlight,
    error: errorNow(call, error),
    ...keptBackOf(call.context, delivery),
  };
}

/** What became of a retry: what was delivered is not in the outbox any more. */
export function showAttempt(call: ProjectCall): HttpReply {
  const { context, path, project, request, role } = call;
  const { outbox } = context.commands;
  const id = path.id ?? '';
  const channels = context.engine.read.channels(project.id);
  const delivery = outbox.get(id);
  const channel = channels.find((one) =>
    delivery ? one.id === delivery.channelId : outbox.recent.of(one.id).some((recent) => recent.id === id),
  );
  if (!channel) return notFound;
  const apart = channelsApart(channels, mayActAs(role, 'editor'));
  const title = channelTitle({ ...channel, ...apart(channel.id) });
  const attempts = Number(new URLSearchParams(request.query).get('attempts'));
  const became = delivery ? becameOf(call, delivery, attempts) : { outcome: 'delivered' as const, why: '' };
  return jsonReply({ ...became, channel: title } satisfies AttemptView);
}

function becameOf(
  call: ProjectCall,
  delivery: Delivery,
  attempts: number,
): Pick<AttemptView, 'outcome' | 'why'> {
  const why = errorNow(call, delivery.error);
  if (delivery.state === 'superseded') return { outcome: 'unsent', why };
  if (delivery.state === 'dead' || delivery.attempts > attempts) return { outcome: 'failed', why };
  const keptBack = call.context.commands.outbox.keptBackBy(delivery);
  return keptBack === '' ? { outcome: 'trying', why: '' } : { outcome: 'unsent', why: keptBack };
}

/** When a delivery is tried next; null where that is at once, or never. */
export function nextMsOf(
  { context, nowMs }: Pick<ProjectCall, 'context' | 'nowMs'>,
  delivery: Delivery,
): number | null {
  if (delivery.state !== 'waiting') return null;
  const { pausedUntilMs } = context.commands.outbox.stateOf(delivery);
  const nextMs = Math.max(delivery.notBeforeMs, pausedUntilMs);
  return nextMs > nowMs ? nextMs : null;
}

export function checkName(check: Check | null): string {
  return check?.config.name || check?.config.slug || '';
}

/**
 * Returns the newest of each kind, as many as are shown. It takes one pass without sorting, because there may be a hundred
 * thousand.
 */
function deliveriesIn({ context, project }: ProjectCall) {
  const channels = new Set(context.engine.read.channels(project.id).map(({ id }) => id));
  const dead: Delivery[] = [];
  const others: Delivery[] = [];
  for (const delivery of context.commands.outbox.all()) {
    if (channels.has(delivery.channelId)) (delivery.state === 'dead' ? dead : others).push(delivery);
  }
  const newest = (all: readonly Delivery[]): readonly Delivery[] => all.slice(-outboxShownMax).reverse();
  return {
    total: dead.length + others.length,
    first: [...newest(dead), ...newest(others)].slice(0, outboxShownMax),
  };
}
