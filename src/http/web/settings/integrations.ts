/**
 * The integrations of a project as their page shows them: how each works, its latest notifications, what is waiting and what
 * failed; and the actions on all of these at once.
 * Invariants: nothing of other projects is shown or changed; no turn of the event loop takes over a few milliseconds.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, getsAlerts } from '../../../domain/accounts/project.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { RecentNotification } from '../../../domain/deliveries/sent-notification.ts';
import type {
  IntegrationsView,
  IntegrationView,
  NotificationView,
} from '../../../domain/views/integration-view.ts';
import type { CountView } from '../../../domain/views/page-view.ts';
import { auditFact } from '../../../engine/context/audit-facts.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asChannelId, type ChannelId, type CheckId } from '../../../lib/ids.ts';
import { channelsPerTurn, deliveriesPerTurn, deliveriesShownMax } from '../../limits.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn } from '../calls/call.ts';
import { shownId } from '../calls/shown-id.ts';
import type { ListEntry } from '../list/entry.ts';
import { readListQuery } from '../list/query.ts';
import { compressed } from '../live/rows.ts';
import { channelView } from './channel-view.ts';
import { checkName, deliveryView } from './outbox.ts';
import { fillRecent } from './recent-of-logs.ts';

export async function showIntegrations(call: ProjectCall): Promise<HttpReply> {
  const { context, project, request, nowMs } = call;
  const { read } = context.engine;
  const { recent } = context.commands.outbox;
  const list = context.lists.of(project.id, nowMs);
  const { all } = await list.summary(nowMs);
  const channels = read.channels(project.id);
  await fillRecent(read, recent, channels, list.entries());
  const outbox = deliveriesOf(call, new Set(channels.map(({ id }) => id)));
  const parts: string[] = [];
  for (let at = 0; at < channels.length; at += channelsPerTurn) {
    const part = channels.slice(at, at + channelsPerTurn);
    parts.push(
      ...(await read.durably(() =>
        part.map((channel) => JSON.stringify(viewOf(call, channel, outbox.get(channel.id) ?? noDeliveries))),
      )),
    );
    await nextTurn();
  }
  const view: Omit<IntegrationsView, 'integrations'> = { checks: all, nowMs };
  return compressed(`${JSON.stringify(view).slice(0, -1)},"integrations":[${parts.join(',')}]}`, request);
}

interface Deliveries {
  readonly failed: number;
  readonly waiting: number;
  readonly retrying: number;
  readonly first: readonly Delivery[];
}

const noDeliveries: Deliveries = { failed: 0, waiting: 0, retrying: 0, first: [] };

/** One pass, because there may be a hundred thousand. */
function deliveriesOf(
  { context }: ProjectCall,
  channels: ReadonlySet<ChannelId>,
): ReadonlyMap<ChannelId, Deliveries> {
  const found = new Map<
    ChannelId,
    { failed: number; waiting: number; retrying: number; first: Delivery[] }
  >();
  for (const delivery of context.commands.outbox.all()) {
    const { channelId, state, attempts } = delivery;
    if (state === 'superseded' || !channels.has(channelId)) continue;
    const counts = found.get(channelId) ?? { failed: 0, waiting: 0, retrying: 0, first: [] };
    found.set(channelId, counts);
    if (state === 'dead') counts.failed++;
    else counts.waiting++;
    if (state === 'waiting' && attempts > 0) counts.retrying++;
    if (counts.first.length < deliveriesShownMax) counts.first.push(delivery);
  }
  return found;
}

function viewOf(call: ProjectCall, channel: Channel, { first, ...counts }: Deliveries): IntegrationView {
  const { context, project, role, nowMs } = call;
  const givenUp = getsAlerts(channel) ? [] : context.commands.outbox.givenUp(channel.id);
  return {
    ...channelView(channel, mayActAs(role, 'editor')),
    usedFor: context.lists.of(project.id, nowMs).usedFor(channel.id),
    recent: context.commands.outbox.recent.of(channel.id).map((one) => notificationView(call, one)),
    ...counts,
    failed: counts.failed + givenUp.length,
    deliveries: first.map((delivery) => deliveryView(call, delivery)),
    givenUp: givenUp.slice(-deliveriesShownMax),
  };
}

function notificationView(call: ProjectCall, { checkId, ...rest }: RecentNotification): NotificationView {
  const { context, project, role, nowMs } = call;
  const found = checkId === null ? null : context.engine.read.check(checkId, nowMs);
  // A check that has moved to another project belongs to that project.
  const check = found?.projectId === project.id ? found : null;
  return {
    ...rest,
    checkId: check ? shownId(role, check.id) : '',
    check: checkName(check),
  };
}

function channelIn({ context, project, path }: ProjectCall): Channel | null {
  const channel = context.engine.read.channel(asChannelId(path.id ?? ''));
  return channel?.projectId === project.id ? channel : null;
}

/** Retries at once all failed notifications, and all that wait for their next attempt. */
export function retryAll(call: ProjectCall): Promise<HttpReply> {
  const { outbox } = call.context.commands;
  const isTried = ({ state, attempts }: Delivery): boolean =>
    state === 'dead' || (state === 'waiting' && attempts > 0);
  return forEach(call, isTried, { name: 'retried', run: (id) => outbox.retry(id) });
}

/** Discards all failed and all waiting notifications. */
export function discardAll(call: ProjectCall): Promise<HttpReply> {
  const { outbox } = call.context.commands;
  return forEach(call, () => true, { name: 'discarded', run: (id) => outbox.drop(id) });
}

interface Action {
  /** Name of the action in the audit log. */
  readonly name: 'retried' | 'discarded';
  readonly run: (id: string) => number;
}

async function forEach(
  call: ProjectCall,
  isWanted: (delivery: Delivery) => boolean,
  { name, run }: Action,
): Promise<HttpReply> {
  const channel = channelIn(call);
  if (!channel) return notFound;
  const ids: string[] = [];
  for (const delivery of call.context.commands.outbox.all())
    if (delivery.channelId === channel.id && isWanted(delivery)) ids.push(delivery.id);
  ids.push(...call.context.commands.outbox.givenUp(channel.id).map(({ id }) => id));
  let count = 0;
  for (const [at, id] of ids.entries()) {
    if (at % deliveriesPerTurn === deliveriesPerTurn - 1) await nextTurn();
    count += run(id);
  }
  const subjectId = channel.id;
  const { id: projectId, name: projectName } = call.project;
  const detail = `to ${channel.name || channel.kind}, notifications: ${count}`;
  if (count > 0)
    call.change.noteAudit(
      auditFact(name, 'notification', { subjectId, name: '', projectId, projectName, detail }),
    );
  return jsonReply({ count } satisfies CountView);
}

/**
 * Makes those checks notify the integration that `checks` names, and no others: `all`, `none`, a list of ids, or those with a tag
 * (`{tag}`). Ids of other projects and of deleted checks are left out.
 */
async function assignExactly(call: ProjectCall, channel: Channel): Promise<HttpReply> {
  const { context, project, json, nowMs, change } = call;
  const { checks } = json;
  const list = context.lists.of(project.id, nowMs);
  const tag = tagIn(checks);
  const named = new Set<unknown>(Array.isArray(checks) ? checks : []);
  const isWanted = ({ id, tags }: ListEntry): boolean =>
    checks === 'all' || named.has(id) || (tag !== null && tags.includes(tag));
  await list.refresh(nowMs);
  const every = [...list.entries()];
  const changed = every.filter((one) => isWanted(one) !== one.channels.includes(channel.id));
  const ids = (some: readonly ListEntry[]): readonly CheckId[] => some.map(({ id }) => id);
  // Those that it is taken from come last: an alert too many is noticed, one too few is not.
  const added = changed.filter(isWanted);
  if (added.length > 0) await change.assignChannel(channel.id, ids(added), nowMs);
  const removed = changed.filter((one) => !isWanted(one));
  if (removed.length > 0) await change.unassignChannel(channel.id, ids(removed), nowMs);
  return jsonReply({ count: every.filter(isWanted).length } satisfies CountView);
}

function tagIn(checks: unknown): string | null {
  if (checks === 'all' || checks === 'none' || Array.isArray(checks)) return null;
  const { tag } = Object(checks) as { readonly tag?: unknown };
  if (typeof tag === 'string' && tag !== '') return tag;
  throw new KnellError('usage', 'checks must be all, none, a list of UUIDs, or {"tag": …}');
}

/**
 * Assigns the integration to all checks that a query selects (`search`, as of the list), or removes it from them (`on`: false). With
 * `checks`, those are the ones that notify it.
 */
export async function assignAll(call: ProjectCall): Promise<HttpReply> {
  const { context, project, json, nowMs, change } = call;
  const channel = channelIn(call);
  if (!channel) return notFound;
  if (json.checks !== undefined) return assignExactly(call, channel);
  const query = readListQuery(new URLSearchParams(textIn(json, 'search')));
  const { all } = await context.lists.of(project.id, nowMs).select(query, nowMs);
  const ids = (await all()).map(({ id }) => id);
  const act = json.on === true ? change.assignChannel : change.unassignChannel;
  return jsonReply({ count: await act(channel.id, ids, nowMs) } satisfies CountView);
}
