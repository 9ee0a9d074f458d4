/**
 * The integrations of a project as their page shows them: how each works, its latest notifications, what is waiting and what
 * failed; and the actions on all of these at once.
 * Invariants: nothing of other projects is shown or changed; no turn of the event loop takes over a few milliseconds.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Apart } from '../../../domain/accounts/channel-title.ts';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { type Channel, getsAlerts } from '../../../domain/accounts/project.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import { type Delivery, lastTriedMs, notificationKindOf } from '../../../domain/deliveries/delivery.ts';
import type { RecentNotification } from '../../../domain/deliveries/sent-notification.ts';
import type {
  IntegrationsView,
  IntegrationView,
  NotificationView,
} from '../../../domain/views/integration-view.ts';
import type { AssignedView, CountView, RetriedView } from '../../../domain/views/page-view.ts';
import { auditFact } from '../../../engine/context/audit-facts.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asChannelId, type ChannelId, type CheckId } from '../../../lib/ids.ts';
import { channelsPerTurn, deliveriesPerTurn, deliveriesShownMax, undoneChecksMax } from '../../limits.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn } from '../calls/call.ts';
import { errorNow } from '../calls/error-now.ts';
import { shownId } from '../calls/shown-id.ts';
import type { ListEntry } from '../list/entry.ts';
import { readListQuery } from '../list/query.ts';
import { compressed } from '../live/rows.ts';
import { channelView } from './channel-view.ts';
import { checkName, deliveryView, nextMsOf } from './outbox.ts';
import { fillRecent } from './recent-of-logs.ts';

export async function showIntegrations(call: ProjectCall): Promise<HttpReply> {
  const { context, project, request, nowMs } = call;
  const { read } = context.engine;
  const { recent } = context.commands.outbox;
  const list = context.lists.of(project.id, nowMs);
  const { all } = await list.summary(nowMs);
  const channels = read.channels(project.id);
  const apart = channelsApart(channels, mayActAs(call.role, 'editor'));
  await fillRecent(read, recent, channels, list.entries());
  const outbox = deliveriesOf(call, new Set(channels.map(({ id }) => id)));
  const unsent = await unsentOf(call, outbox);
  const parts: string[] = [];
  for (let at = 0; at < channels.length; at += channelsPerTurn) {
    const part = channels.slice(at, at + channelsPerTurn);
    parts.push(
      ...(await read.durably(() =>
        part.map((channel) => {
          const deliveries = outbox.get(channel.id) ?? noDeliveries;
          return JSON.stringify(
            viewOf(call, channel, {
              ...{ ...deliveries, apart: apart(channel.id) },
              ...(unsent.get(channel.id) ?? noUnsent),
            }),
          );
        }),
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
  readonly nextMs: number | null;
  /** Those that were tried last, the newest last. */
  readonly newest: readonly Delivery[];
  readonly byCheck: ByCheck;
}

/** Deliveries to one integration that are not over. */
type ByCheck = ReadonlyMap<CheckId, readonly Delivery[]>;

const noDeliveries: Deliveries = {
  ...{ failed: 0, waiting: 0, retrying: 0, nextMs: null },
  ...{ newest: [], byCheck: new Map() },
};

/** One pass, because there may be a hundred thousand. */
function deliveriesOf(
  call: ProjectCall,
  channels: ReadonlySet<ChannelId>,
): ReadonlyMap<ChannelId, Deliveries> {
  const found = new Map<ChannelId, Counted>();
  for (const delivery of call.context.commands.outbox.all()) {
    const { channelId, state } = delivery;
    if (state === 'superseded' || !channels.has(channelId)) continue;
    const counts: Counted = found.get(channelId) ?? { ...noDeliveries, newest: [], byCheck: new Map() };
    found.set(channelId, counts);
    addTo(counts, call, delivery);
  }
  return found;
}

interface Counted extends Deliveries {
  failed: number;
  waiting: number;
  retrying: number;
  nextMs: number | null;
  readonly newest: Delivery[];
  readonly byCheck: Map<CheckId, Delivery[]>;
}

function addTo(counts: Counted, call: ProjectCall, delivery: Delivery): void {
  const { state, attempts, checkId } = delivery;
  if (state === 'dead') counts.failed++;
  else counts.waiting++;
  if (state === 'waiting' && attempts > 0) {
    counts.retrying++;
    const nextMs = nextMsOf(call, delivery);
    if (nextMs !== null) counts.nextMs = Math.min(counts.nextMs ?? nextMs, nextMs);
  }
  keepNewest(counts.newest, delivery);
  const known = counts.byCheck.get(checkId);
  if (known) known.push(delivery);
  else counts.byCheck.set(checkId, [delivery]);
}

/** Keeps the order of `newest`, and its length. Most deliveries come in their order: the loop ends at once. */
function keepNewest(newest: Delivery[], delivery: Delivery): void {
  const atMs = movedMs(delivery);
  let at = newest.length;
  for (let before = newest[at - 1]; before && movedMs(before) > atMs; before = newest[at - 1]) at--;
  newest.splice(at, 0, delivery);
  if (newest.length > deliveriesShownMax) newest.shift();
}

/** When something was last done with it. */
function movedMs(delivery: Delivery): number {
  return lastTriedMs(delivery) ?? delivery.sinceMs;
}

type Unsent = Pick<IntegrationView, 'over' | 'replaced' | 'snoozed'>;

const noUnsent: Unsent = { over: 0, replaced: 0, snoozed: 0 };

/** How many that failed would not be sent, of each integration that has failed ones. */
async function unsentOf(
  call: ProjectCall,
  outbox: ReadonlyMap<ChannelId, Deliveries>,
): Promise<ReadonlyMap<ChannelId, Unsent>> {
  const unsent = new Map<ChannelId, Unsent>();
  for (const [id, { failed, byCheck }] of outbox) {
    if (failed === 0) continue;
    for (const part of inParts([...byCheck.values()])) {
      const counts = await call.context.engine.read.durably(() => part.map((group) => unsentIn(call, group)));
      const { over, replaced, snoozed } = unsent.get(id) ?? noUnsent;
      unsent.set(id, {
        over: counts.reduce((sum, one) => sum + one.over, over),
        replaced: counts.reduce((sum, one) => sum + one.replaced, replaced),
        snoozed: counts.reduce((sum, one) => sum + one.snoozed, snoozed),
      });
      await nextTurn();
    }
  }
  return unsent;
}

/** Of one check to one integration. */
function unsentIn({ context, nowMs }: ProjectCall, group: readonly Delivery[]): Unsent {
  const over = new Set(context.commands.outbox.outdated(group));
  const [first] = group;
  const isSnoozed = first && context.engine.read.check(first.checkId, nowMs)?.snooze;
  const open = group.filter((one) => !over.has(one));
  const replaced = new Set(context.commands.outbox.replaced(open));
  const kept = open.filter((one) => one.state === 'dead' && !replaced.has(one) && isDown(one));
  return { over: over.size, replaced: replaced.size, snoozed: isSnoozed ? kept.length : 0 };
}

function isDown({ change }: Delivery): boolean {
  return notificationKindOf(change) === 'down';
}

function* inParts<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += deliveriesPerTurn) yield items.slice(at, at + deliveriesPerTurn);
}

type Shown = Deliveries & Unsent & { readonly apart: Apart };

function viewOf(
  call: ProjectCall,
  channel: Channel,
  { newest, byCheck: _, apart, ...counts }: Shown,
): IntegrationView {
  const { context, project, role, nowMs } = call;
  const givenUp = getsAlerts(channel) ? [] : context.commands.outbox.givenUp(channel.id);
  const view = channelView(channel, mayActAs(role, 'editor'), apart);
  return {
    ...view,
    lastError: errorNow(call, view.lastError),
    usedFor: context.lists.of(project.id, nowMs).usedFor(channel.id),
    recent: context.commands.outbox.recent.of(channel.id).map((one) => notificationView(call, one)),
    ...counts,
    failed: counts.failed + givenUp.length,
    deliveries: newest.map((delivery) => deliveryView(call, delivery)),
    givenUp: givenUp.slice(-deliveriesShownMax).map((one) => ({ ...one, error: errorNow(call, one.error) })),
  };
}

function notificationView(call: ProjectCall, { checkId, ...rest }: RecentNotification): NotificationView {
  const { context, project, role, nowMs } = call;
  const found = checkId === null ? null : context.engine.read.check(checkId, nowMs);
  // A check that has moved to another project belongs to that project.
  const check = found?.projectId === project.id ? found : null;
  return {
    ...rest,
    error: errorNow(call, rest.error),
    checkId: check ? shownId(role, check.id) : '',
    check: checkName(check),
  };
}

function channelIn({ context, project, path }: ProjectCall): Channel | null {
  const channel = context.engine.read.channel(asChannelId(path.id ?? ''));
  return channel?.projectId === project.id ? channel : null;
}

/**
 * Retries at once all failed notifications, and all that wait for their next attempt, but for what is not true any more: the alert of an
 * outage that is over would have people look for one.
 */
export async function retryAll(call: ProjectCall): Promise<HttpReply> {
  const channel = channelIn(call);
  if (!channel) return notFound;
  const { outbox } = call.context.commands;
  const { byCheck } = deliveriesOf(call, new Set([channel.id])).get(channel.id) ?? noDeliveries;
  const done = { count: 0, over: 0, replaced: 0, snoozed: 0 };
  for (const part of inParts([...byCheck.keys()])) {
    for (const id of part) {
      // As they are by now: others had turns in between.
      const now = (byCheck.get(id) ?? []).flatMap((one) => outbox.get(one.id) ?? []);
      const one = outbox.retryTrue(now.filter(({ state }) => state !== 'superseded'));
      done.count += one.count;
      done.over += one.over;
      done.replaced += one.replaced;
      done.snoozed += one.snoozed;
    }
    await nextTurn();
  }
  for (const { id } of outbox.givenUp(channel.id)) done.count += outbox.retry(id);
  const { snoozed: _, replaced: __, ...noted } = done;
  note(call, channel, { name: 'retried', ...noted });
  return jsonReply(done satisfies RetriedView);
}

/** Discards all failed and all waiting notifications. */
export async function discardAll(call: ProjectCall): Promise<HttpReply> {
  const channel = channelIn(call);
  if (!channel) return notFound;
  const { outbox } = call.context.commands;
  const ids: string[] = [];
  for (const { id, channelId } of outbox.all()) if (channelId === channel.id) ids.push(id);
  ids.push(...outbox.givenUp(channel.id).map(({ id }) => id));
  let count = 0;
  for (const [at, id] of ids.entries()) {
    if (at % deliveriesPerTurn === deliveriesPerTurn - 1) await nextTurn();
    count += outbox.drop(id);
  }
  note(call, channel, { name: 'discarded', count });
  return jsonReply({ count } satisfies CountView);
}

interface Done {
  /** Name of the action in the audit log. */
  readonly name: 'retried' | 'discarded';
  readonly count: number;
  /** Those that ended without being sent. */
  readonly over?: number;
}

function note(call: ProjectCall, channel: Channel, { name, count, over = 0 }: Done): void {
  const subjectId = channel.id;
  const { id: projectId, name: projectName } = call.project;
  const more = over === 0 ? '' : `; ${over} more not sent, as their outage was over`;
  const detail = `to ${channel.name || channel.kind}, ${count} in all${more}`;
  if (count + over > 0)
    call.change.noteAudit(
      auditFact(name, 'notification', { subjectId, name: '', projectId, projectName, detail }),
    );
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
 * Assigns the integration to all checks that a query selects (`search`, as of the list), or removes it from them (`on`: false); with
 * `only`, to those with these ids, which is how such a change is undone. With `checks`, those are the ones that notify it.
 */
export async function assignAll(call: ProjectCall): Promise<HttpReply> {
  const { json, nowMs, change } = call;
  const channel = channelIn(call);
  if (!channel) return notFound;
  if (json.checks !== undefined) return assignExactly(call, channel);
  const on = json.on === true;
  const found = Array.isArray(json.only) ? await namedIn(call, json.only) : await selected(call);
  // Of the others nothing is said, neither here nor in the audit log: they stay as they are.
  const ids = found.filter(({ channels }) => channels.includes(channel.id) !== on).map(({ id }) => id);
  const act = on ? change.assignChannel : change.unassignChannel;
  const count = await act(channel.id, ids, nowMs);
  return jsonReply({ count, changed: ids.length > undoneChecksMax ? [] : ids } satisfies AssignedView);
}

async function selected({ context, project, json, nowMs }: ProjectCall): Promise<readonly ListEntry[]> {
  const query = readListQuery(new URLSearchParams(textIn(json, 'search')));
  return (await context.lists.of(project.id, nowMs).select(query, nowMs)).all();
}

async function namedIn(
  { context, project, nowMs }: ProjectCall,
  ids: readonly unknown[],
): Promise<readonly ListEntry[]> {
  const list = context.lists.of(project.id, nowMs);
  await list.refresh(nowMs);
  const named = new Set(ids);
  return [...list.entries()].filter(({ id }) => named.has(id));
}
