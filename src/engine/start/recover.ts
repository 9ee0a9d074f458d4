/**
 * From what is durable to a running engine: everything into the registry, the deadlines derived anew (zone rules come
 * with the platform and may have changed), the outage credit granted, the wheel armed.
 * A project whose deletion was cut off is deleted to the end.
 * Invariant: a credit is journalled like any other step before a deadline it put off can pass.
 */

import { type EndedSession, hasOtherAccess, type User } from '../../domain/accounts/user.ts';
import { outageCredit as creditOf } from '../../domain/check/deadline.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import {
  asChannelId,
  asIncidentId,
  asKeyId,
  asMaintenanceId,
  asProjectId,
  asStatusPageId,
  asUserId,
  type CheckId,
  type DeliveryId,
  type ProjectId,
  type UserId,
} from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import type { ConfigFacts, ConfigKind, RemovableKind } from '../../store/kinds.ts';
import type { LoadSink } from '../../store/store.ts';
import { finishDeletions } from '../changes/accept-project.ts';
import { appended } from '../changes/appended.ts';
import type { EngineContext } from '../context/context.ts';
import type { Registry } from '../registry/registry.ts';

interface RecoverOptions {
  readonly outageCredit: boolean;
  nowMs(): number;
  /** Called with the number of checks read so far. */
  readonly progress: (checks: number) => void;
  /** In a cluster: see `LoadSink`. */
  readonly asked?: (client: number, number: number) => void;
}

interface Recovered {
  /** The store held nothing: the very first start. */
  readonly firstStart: boolean;
  /** Deliveries that are not over, in the order in which the store reports them. */
  readonly deliveries: readonly Delivery[];
  /** Checks of such deliveries that are snoozed, and until when; those whose time came while Knell was away too. */
  readonly snoozed: ReadonlyMap<CheckId, number>;
}

export async function recover(context: EngineContext, options: RecoverOptions): Promise<Recovered> {
  const sink = new RegistrySink(context, options);
  await context.store.load(sink);
  finishDeletions(context);
  const credited = armAll(context, sink.aliveMs, options);
  if (credited > 0)
    context.logger.info({ credited }, 'deadlines that passed while Knell was away are put off');
  const deliveries = [...sink.deliveries.values()];
  const snoozed = snoozedOf(context.registry, deliveries);
  if (context.registry.installation !== null) return { firstStart: false, deliveries, snoozed };
  const installation = { badgeSecret: context.ids.randomHex(32), createdAtMs: options.nowMs() };
  context.registry.installation = installation;
  await appended(
    context,
    { type: 'put', kind: 'installation', fact: installation },
    () => {
      context.registry.installation = null;
    },
    null,
  );
  return { firstStart: true, deliveries, snoozed };
}

/** A crash may have come between a snooze and the end of the deliveries that were waiting when it began. */
function snoozedOf(registry: Registry, deliveries: readonly Delivery[]): ReadonlyMap<CheckId, number> {
  const snoozed = new Map<CheckId, number>();
  for (const { checkId } of deliveries) {
    const handle = registry.handleOf(checkId);
    const untilMs = handle >= 0 ? registry.snoozedUntil(handle) : NEVER;
    if (untilMs !== NEVER) snoozed.set(checkId, untilMs);
  }
  return snoozed;
}

/** Returns how many checks were granted a credit. */
function armAll(context: EngineContext, aliveMs: number | null, options: RecoverOptions): number {
  const { outageCredit } = options;
  const nowMs = options.nowMs();
  let credited = 0;
  const { registry, ticker } = context;
  ticker.reserve(registry.checkCount);
  for (const handle of registry.handles()) {
    registry.derive(handle);
    if (outageCredit && aliveMs !== null && registry.deadline(handle) <= nowMs) {
      if (grantCredit(registry, handle, aliveMs, nowMs)) {
        journalCredit(context, handle);
        credited++;
      }
    }
    // What it depends on may have changed just before Knell ended.
    registry.lookAgain(handle);
    ticker.watch(handle);
  }
  // The history gives checks in the order of their ids: a million of them are sorted while nobody is served yet.
  registry.settle();
  return credited;
}

/** Returns whether the check was granted one. */
function grantCredit(registry: Registry, handle: number, aliveMs: number, nowMs: number): boolean {
  if (registry.isTracked(handle)) return registry.creditRuns(handle, aliveMs, nowMs);
  const credit = creditOf(registry.state(handle), registry.graceS(handle), aliveMs, nowMs);
  if (credit !== null) registry.credit(handle, credit);
  return credit !== null;
}

/** A full disk may refuse it: it is written again a little later, and no alive mark before it. */
export function journalCredit(context: EngineContext, handle: number): void {
  const { registry } = context;
  // The credits of runs are in the row of their check.
  const isRow = registry.isTracked(handle);
  context.store.append(
    isRow
      ? { type: 'check', check: registry.check(handle), changes: [] }
      : { type: 'state', check: { id: registry.id(handle), state: registry.state(handle) }, changes: [] },
    {
      durable() {},
      rolledBack() {
        registry.uncredited.add(handle);
        context.ticker.watchAgain(handle);
      },
    },
  );
}

class RegistrySink implements LoadSink {
  readonly #registry: Registry;
  readonly #events: EngineContext['events'];
  readonly #options: RecoverOptions;
  readonly progress: (checks: number) => void;
  readonly deliveries = new Map<DeliveryId, Delivery>();
  aliveMs: number | null = null;

  constructor({ registry, events }: EngineContext, options: RecoverOptions) {
    this.#registry = registry;
    this.#events = events;
    this.#options = options;
    this.progress = options.progress;
  }

  expect(...[checks]: Parameters<LoadSink['expect']>): void {
    this.#registry.expect(checks);
  }

  delivery(...[delivery]: Parameters<LoadSink['delivery']>): void {
    this.deliveries.set(delivery.id, delivery);
  }

  deliveryEnded(...[id]: Parameters<LoadSink['deliveryEnded']>): void {
    this.deliveries.delete(id);
  }

  put<Kind extends ConfigKind>(kind: Kind, fact: ConfigFacts[Kind]): void {
    this.#put[kind](fact);
  }

  readonly #put: { readonly [Kind in ConfigKind]: (fact: ConfigFacts[Kind]) => void } = {
    installation: (installation) => {
      this.#registry.installation = installation;
    },
    project: (project) => this.#registry.addProject(project),
    key: (key) => this.#registry.addKey(key),
    channel: (channel) => this.#registry.projectIndex(channel.projectId)?.addChannel(channel),
    user: (user) => this.#user(user),
    'ended-session': (session) => this.#endedSession(session),
    'status-page': (page) => this.#registry.statusPages.put(page),
    incident: (incident) => this.#registry.incidents.put(incident),
    maintenance: (window) => this.#registry.maintenance.put(window),
    'event-feed': (feed) => this.#registry.eventFeeds.set(feed.id, feed),
  };

  removed(kind: RemovableKind, id: string): void {
    this.#removed[kind](id);
  }

  readonly #removed: { readonly [Kind in RemovableKind]: (id: string) => void } = {
    project: (id) => this.#projectRemoved(asProjectId(id)),
    key: (id) => {
      const key = this.#registry.key(asKeyId(id));
      if (key) this.#registry.removeKey(key);
    },
    channel: (id) => {
      for (const index of this.#registry.projectIndexes()) index.removeChannel(asChannelId(id));
    },
    user: (id) => this.#userRemoved(asUserId(id)),
    'status-page': (id) => this.#registry.statusPages.remove(asStatusPageId(id)),
    incident: (id) => this.#registry.incidents.remove(asIncidentId(id)),
    maintenance: (id) => this.#registry.maintenance.remove(asMaintenanceId(id)),
    'event-feed': (id) => this.#registry.eventFeeds.delete(asChannelId(id)),
  };

  #projectRemoved(id: ProjectId): void {
    const index = this.#registry.projectIndex(id);
    for (const key of this.#registry.keys(id)) this.#registry.removeKey(key);
    for (const page of this.#registry.statusPages.of(id)) this.#registry.statusPages.remove(page.id);
    for (const incident of [...this.#registry.incidents.of(id)]) this.#registry.incidents.remove(incident.id);
    for (const { id: window } of this.#registry.maintenance.of(id)) this.#registry.maintenance.remove(window);
    for (const feed of [...this.#registry.eventFeeds.values()])
      if (feed.projectId === id) this.#registry.eventFeeds.delete(feed.id);
    if (index) this.#registry.removeProject(index.project);
  }

  #user(user: User): void {
    const { users, endedSessions } = this.#registry;
    const before = users.get(user.id);
    if (before?.passwordHash !== user.passwordHash) endedSessions.removeAll(user.id);
    users.set(user.id, user);
    if (before && hasOtherAccess(before, user))
      this.#events.accessReplicated.publish({ userId: user.id, sessionId: null });
  }

  #userRemoved(id: UserId): void {
    this.#registry.users.delete(id);
    this.#registry.endedSessions.removeAll(id);
    this.#events.accessReplicated.publish({ userId: id, sessionId: null });
  }

  #endedSession(session: EndedSession): void {
    if (session.untilMs < this.#options.nowMs()) return;
    this.#registry.endedSessions.add(session);
    this.#events.accessReplicated.publish({ userId: session.userId, sessionId: session.id });
  }

  check(...[id, row, state]: Parameters<LoadSink['check']>): void {
    const known = this.#registry.handleByWords(id);
    if (known < 0) {
      this.#registry.addRow(id, row, state);
      return;
    }
    this.#registry.replaceRow(known, row);
    this.#registry.replaceState(known, state);
  }

  state(...[id, state]: Parameters<LoadSink['state']>): void {
    const handle = this.#registry.handleByWords(id);
    if (handle >= 0) this.#registry.replaceState(handle, state);
  }

  checkDeleted(...[id]: Parameters<LoadSink['checkDeleted']>): void {
    this.#registry.noteDeleted(id);
    const handle = this.#registry.handleByWords(id);
    if (handle < 0) return;
    this.#registry.removeCheck(handle);
    this.#registry.disposeCheck(handle);
  }

  asked(...[client, number]: Parameters<LoadSink['asked']>): void {
    this.#options.asked?.(client, number);
  }

  alive(atMs: number): void {
    this.aliveMs = Math.max(atMs, this.aliveMs ?? 0);
    this.#registry.aliveMs = this.aliveMs;
  }
}
