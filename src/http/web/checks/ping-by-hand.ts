/**
 * "Ping now" on the page: a success that a person sends, on the path of every other ping. Its record says who.
 * Invariant: it is answered when the ping is durable. It ends an outage only if the user has confirmed that; the usual rules
 * decide who is notified then.
 */

import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { Check } from '../../../domain/check/check.ts';
import { userAgentByHand } from '../../../domain/check/ping.ts';
import {
  createDeliveries,
  type Delivery,
  isEscalation,
  isPutOff,
  isUntriedReminder,
  notificationKindOf,
  wasPutOff,
} from '../../../domain/deliveries/delivery.ts';
import { lastDelivered } from '../../../domain/deliveries/sent-notification.ts';
import { lastDeliveredSearched } from '../../../domain/limits.ts';
import { noResults } from '../../../domain/results/result.ts';
import type { MarkUpView } from '../../../domain/views/page-view.ts';
import type { PingOutcome } from '../../../engine/contract/engine.ts';
import { notWritableWords } from '../../../engine/contract/not-written.ts';
import { asDeliveryId, type ChannelId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { uuidWordsOf } from '../../../lib/uuid-words.ts';
import { userAgentByHandCharsMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { integrationTroubles, missingSettings } from '../calls/integration-troubles.ts';
import { checkIdOf } from '../calls/shown-id.ts';

const noBody = new Uint8Array(0);

/** The page then asks the user, even if it had not seen that the check is down. */
const mustBeAsked = jsonReply({ error: 'the check is down: this marks it as up', field: 'mark_up' }, 409);

export async function pingByHand(call: ProjectCall): Promise<HttpReply> {
  const { context, request, principal, json, nowMs } = call;
  const { engine } = context.commands;
  const check = await checkOf(call);
  const uuid = check && uuidWordsOf(check.id);
  if (!check || !uuid) return notFound;
  if (check.state.status === 'down' && json.mark_up !== true) return mustBeAsked;
  const outcome = await new Promise<PingOutcome>((resolve) =>
    engine.acceptPing(
      {
        target: { by: 'uuid', uuid },
        ...{ error: null, action: 'success', exitStatus: null, rid: null, host: '', results: noResults },
        ...{ scheme: request.scheme, method: 'POST', remoteAddr: request.remoteAddr },
        ua: userAgentByHand(principal.user.name).slice(0, userAgentByHandCharsMax),
        ...{ body: noBody, searchable: { via: 'by-hand' }, receivedAtMs: nowMs },
      },
      resolve,
      null,
    ),
  );
  if (outcome === 'ok') return jsonReply({});
  return outcome === 'not-found'
    ? notFound
    : errorReply(503, `the ping could not be recorded: ${notWritableWords(engine.read)}`, [
        ['Retry-After', '10'],
      ]);
}

async function checkOf(call: ProjectCall): Promise<Check | null> {
  const { context, project, path, nowMs } = call;
  const check = context.engine.read.check(await checkIdOf(call, path.id ?? ''), nowMs);
  return check?.projectId === project.id ? check : null;
}

/** Lists the integrations that are notified if the check is marked as up. */
export async function showMarkUp(call: ProjectCall): Promise<HttpReply> {
  const { engine, outbox } = call.context.commands;
  const { nowMs } = call;
  const check = await checkOf(call);
  if (!check) return notFound;
  const channelOf = (id: ChannelId) => engine.read.channel(id);
  const change = { atMs: nowMs, from: 'down', to: 'up', cause: 'success' } as const;
  const downBefore = () => engine.read.lastChange(check.id);
  const due =
    check.snooze || check.hold
      ? []
      : createDeliveries(check, [change], {
          channelOf,
          newId: () => asDeliveryId(''),
          downBefore,
          incident: null,
        });
  const waiting = waitingDowns(outbox.all(), check);
  // An integration is notified of neither the beginning nor the end of an outage within its delay.
  const putOff = waiting.filter((one) => isToWait(one, channelOf(one.channelId), nowMs)).map(channelIdOf);
  const sent =
    putOff.length === 0
      ? []
      : engine.read.notifications(check.id, { fromMs: 0, untilMs: NEVER }, lastDeliveredSearched);
  const unaware = new Set(putOff.filter((id) => lastDelivered(sent, id) !== 'down'));
  const channelsOf = (ids: readonly ChannelId[]) => [...new Set(ids)].flatMap((id) => channelOf(id) ?? []);
  const notified = channelsOf(due.map(channelIdOf).filter((id) => !unaware.has(id)));
  const dueTo = new Set(due.map(channelIdOf));
  const ended = new Set(waiting.filter((one) => isEnded(one, { check, channelOf, dueTo })));
  // Nothing is said of what is being sent at this moment.
  const undelivered = waiting.filter((one) => !outbox.stateOf(one).isInFlight);
  const { unable, failing } = integrationTroubles(notified, missingSettings(call.context));
  const troubled = new Set([...unable, ...failing.map(({ channel }) => channel)]);
  const named = namingIn(call);
  return jsonReply({
    notified: named(notified.filter((channel) => !troubled.has(channel))),
    failing: named(failing.map(({ channel }) => channel)),
    unable: named(unable),
    unsent: named(channelsOf(undelivered.filter((one) => ended.has(one)).map(channelIdOf))),
    stillSent: named(channelsOf(undelivered.filter((one) => !ended.has(one)).map(channelIdOf))),
    snoozedUntilMs: check.snooze?.untilMs ?? null,
  } satisfies MarkUpView);
}

type Naming = (channels: readonly Channel[]) => MarkUpView['notified'];

function namingIn({ context, project, role }: ProjectCall): Naming {
  const apart = channelsApart(context.engine.read.channels(project.id), mayActAs(role, 'editor'));
  return (channels) => channels.map(({ id, name, kind }) => ({ name, kind, ...apart(id) }));
}

/** Returns the alerts of this outage that are not delivered yet. */
function waitingDowns(deliveries: Iterable<Delivery>, { id }: Check): readonly Delivery[] {
  const found: Delivery[] = [];
  // One pass, because there may be a hundred thousand.
  for (const delivery of deliveries) {
    if (delivery.checkId !== id || delivery.state !== 'waiting' || isUntriedReminder(delivery)) continue;
    if (notificationKindOf(delivery.change) === 'down') found.push(delivery);
  }
  return found;
}

/** As `notify/dispatch` judges one whose end comes before its turn. */
function isToWait(delivery: Delivery, channel: Channel | null, nowMs: number): boolean {
  const isEscalated = channel !== null && isEscalation(delivery, channel);
  return delivery.attempts === 0 && (isEscalated || isPutOff(delivery, nowMs));
}

/**
 * Whether an alert that waits is not sent once the check is up: that it is up replaces it, tried or not, where the integration gets
 * that. To any other it is still sent, unless it was put off for the check to stay as it is.
 */
function isEnded(delivery: Delivery, { check, channelOf, dueTo }: EndedFacts): boolean {
  if (check.snooze || check.hold?.wasDown === false || dueTo.has(delivery.channelId)) return true;
  if (wasPutOff(delivery)) return true;
  const channel = channelOf(delivery.channelId);
  return channel === null || settingsOf(channel).disabled;
}

interface EndedFacts {
  readonly check: Check;
  readonly channelOf: (id: ChannelId) => Channel | null;
  /** Those that are notified that it is up. */
  readonly dueTo: ReadonlySet<ChannelId>;
}

function channelIdOf({ channelId }: Delivery): ChannelId {
  return channelId;
}
