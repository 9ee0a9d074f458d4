/**
 * Puts the engine together: recovery first; the ticker and the alive marks begin with `start`.
 * Invariant: when it has recovered, every deadline is watched; once started, the listeners may open. Until it has recovered, it
 * knows projects, keys and checks as far as they are read, and nothing may be asked of it that has to do with time.
 */

import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CheckId, Ids } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Meter } from '../../lib/meter.ts';
import { createRateLimit } from '../../lib/rate-limit.ts';
import type { Store } from '../../store/store.ts';
import {
  createKey,
  createProject,
  createProjectWithoutKeys,
  renameKey,
  replaceKey,
  revokeKey,
} from '../changes/accept-admin.ts';
import { createAdminKey, revokeAdminKey } from '../changes/accept-admin-key.ts';
import { createCheck, deleteCheck, pauseCheck, resumeCheck, updateCheck } from '../changes/accept-change.ts';
import { createChannel, deleteChannel, editChannel, replaceChannel } from '../changes/accept-channel.ts';
import { putEventFeed } from '../changes/accept-event-feed.ts';
import { acceptOffer, declineOffer, offerProject, withdrawOffer } from '../changes/accept-hand-over.ts';
import { acknowledgeIncident, noteIncident, unacknowledgeIncident } from '../changes/accept-incident.ts';
import {
  deleteMaintenance,
  endMaintenance,
  putMaintenance,
  startMaintenance,
} from '../changes/accept-maintenance.ts';
import {
  changePlan,
  deleteProject,
  renameProject,
  retryDeletions,
  setRetention,
} from '../changes/accept-project.ts';
import { setServerSetting } from '../changes/accept-setting.ts';
import {
  acknowledgeCheck,
  snoozeCheck,
  unacknowledgeCheck,
  unsnoozeCheck,
} from '../changes/accept-snooze.ts';
import { deleteStatusPage, putStatusPage } from '../changes/accept-status-page.ts';
import { deleteUser, endSession, putUser, touchSession, updateUser } from '../changes/accept-user.ts';
import { assignChannel, unassignFrom } from '../changes/assign-channel.ts';
import { moveCheck } from '../changes/move-check.ts';
import { AuditTrail } from '../context/audit-trail.ts';
import type { EngineBounds, EngineContext } from '../context/context.ts';
import { actingAs } from '../context/context.ts';
import { KeyUses } from '../context/key-uses.ts';
import { createEngineMetrics, observeChecks } from '../context/metrics.ts';
import { PendingDowns } from '../context/pending-downs.ts';
import { PingLedger } from '../context/ping-ledger.ts';
import { Ticker, type TickerLimits } from '../context/ticker.ts';
import type { Engine, EngineChange, PingOutcome } from '../contract/engine.ts';
import { createTopics } from '../contract/events.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { AliveMarks } from '../deadlines/alive-marks.ts';
import { acceptPing, pingDurable, pingRolledBack } from '../pings/accept-ping.ts';
import { createRead } from '../reads/read.ts';
import { Registry } from '../registry/registry.ts';
import { journalCredit, recover } from './recover.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter;
  /** Ids for everything that is created here: checks, projects, keys, integrations, deliveries. */
  readonly ids: Ids;
  readonly outageCredit: boolean;
  readonly aliveEveryMs: number;
  readonly ticker: TickerLimits;
  readonly bounds: EngineBounds;
  readonly progress: (checks: number) => void;
  /** Called in a cluster with a request of another node, when the record that it was done is read. */
  readonly asked?: (client: number, number: number) => void;
}

interface Recovered {
  /** Nothing was there before: the very first start. */
  readonly firstStart: boolean;
  /** Deliveries that are not over, as recovery found them; later ones are published. */
  readonly deliveries: readonly Delivery[];
  /** Checks of such deliveries that are snoozed, and until when, as recovery found them. */
  readonly snoozed: ReadonlyMap<CheckId, number>;
}

export interface RecoveredEngine extends Recovered {
  readonly engine: Engine;
}

export interface UnrecoveredEngine {
  readonly engine: Engine;
  /** Reads all that is durable; in a cluster it resolves when this node owns the log. Once. */
  recover(): Promise<Recovered>;
}

export async function createEngine(options: EngineOptions): Promise<RecoveredEngine> {
  const { engine, recover } = prepareEngine(options);
  return { engine, ...(await recover()) };
}

export function prepareEngine(options: EngineOptions): UnrecoveredEngine {
  const { store, clock, logger, meter, ids } = options;
  const registry = new Registry();
  const ticker = new Ticker(clock, options.ticker, {
    deadlineOf: (handle) => registry.nextDue(handle),
    due: (handle, nowMs) => lookAt(context, handle, nowMs),
  });
  registry.heldChanged = (handle) => ticker.watch(handle);
  const events = createTopics(logger);
  const metrics = createEngineMetrics(meter);
  observeChecks(meter, registry);
  const { bounds } = options;
  const creations = createRateLimit(bounds.creations);
  const ledger = new PingLedger<PingOutcome>(registry.table.rows, {
    durable: (handle, answer, who) => pingDurable(context, handle, answer, who),
    rolledBack: (handle, answer, who) => pingRolledBack(context, handle, answer, who),
  });
  const context: EngineContext = {
    ...{ registry, ledger, store, ticker, logger, ids, events, metrics, bounds, creations },
    audit: new AuditTrail({ store, ids, nowMs: () => clock.nowMs() }),
    keyUses: new KeyUses({ registry, store }),
    pendingDowns: new PendingDowns(store),
  };
  const marks = new AliveMarks({
    store,
    clock,
    everyMs: options.aliveEveryMs,
    mayMark: () => registry.uncredited.size === 0,
    marked: (atMs) => {
      registry.aliveMs = Math.max(registry.aliveMs, atMs);
    },
    // A full disk may have left some undone.
    onMark: () => retryDeletions(context, clock.nowMs()),
  });
  const engine: Engine = {
    acceptPing: (request, answer, who) => acceptPing(context, request, answer, who),
    events,
    health: [marks.health, ticker.health],
    read: createRead(context),
    change: bindChanges(context),
    changeBy: (origin) => bindChanges(actingAs(context, origin)),
    writeSnapshot: (file, progress) => store.writeSnapshot(file, progress),
    start() {
      ticker.start();
      marks.start();
    },
    async stop() {
      ticker.stop();
      marks.stop();
      context.keyUses.stop();
    },
  };
  return { engine, recover: () => recover(context, { ...options, nowMs: () => clock.nowMs() }) };
}

/** The deadline of a check has come, or what could not be written of it is to be tried again. */
function lookAt(context: EngineContext, handle: number, nowMs: number): void {
  const { registry, ticker } = context;
  if (!registry.has(handle)) return;
  if (registry.uncredited.delete(handle)) journalCredit(context, handle);
  applyDueDeadlines(context, handle, nowMs);
  ticker.watch(handle); // A put-off or retried deadline may still lie ahead.
}

function bindChanges(context: EngineContext): EngineChange {
  return {
    ids: context.ids,
    createCheck: (projectId, config, nowMs, id) => createCheck(context, { projectId, config, id }, nowMs),
    updateCheck: (id, config, nowMs) => updateCheck(context, id, config, nowMs),
    pauseCheck: (id, nowMs) => pauseCheck(context, id, nowMs),
    resumeCheck: (id, nowMs, isUndo) => resumeCheck(context, id, nowMs, isUndo),
    acknowledgeCheck: (id, by, nowMs) => acknowledgeCheck(context, id, by, nowMs),
    unacknowledgeCheck: (id, nowMs) => unacknowledgeCheck(context, id, nowMs),
    snoozeCheck: (id, asked, nowMs) => snoozeCheck(context, id, asked, nowMs),
    unsnoozeCheck: (id, nowMs, isUndo) => unsnoozeCheck(context, id, nowMs, isUndo),
    deleteCheck: (id, nowMs) => deleteCheck(context, id, nowMs),
    moveCheck: (id, move, nowMs) => moveCheck(context, id, move, nowMs),
    createProject: (name, plan, nowMs) => createProject(context, name, plan, nowMs),
    createProjectWithoutKeys: (name, plan, nowMs) => createProjectWithoutKeys(context, name, plan, nowMs),
    changePlan: (id, plan) => changePlan(context, id, plan),
    setRetention: (id, rules, nowMs) => setRetention(context, id, rules, nowMs),
    offerProject: (id, offer, nowMs) => offerProject(context, id, offer, nowMs),
    withdrawOffer: (id, nowMs) => withdrawOffer(context, id, nowMs),
    declineOffer: (id, to, nowMs) => declineOffer(context, id, to, nowMs),
    acceptOffer: (id, to, nowMs) => acceptOffer(context, id, to, nowMs),
    renameProject: (id, name) => renameProject(context, id, name),
    deleteProject: (id, nowMs) => deleteProject(context, id, nowMs),
    createKey: (key, nowMs) => createKey(context, key, nowMs),
    replaceKey: (id, key, nowMs) => replaceKey(context, id, key, nowMs),
    renameKey: (id, name) => renameKey(context, id, name),
    revokeKey: (id) => revokeKey(context, id),
    noteKeyUse: (id, atMs) => context.keyUses.note(id, atMs),
    createAdminKey: (name, shell, nowMs) => createAdminKey(context, { name, shell }, nowMs),
    revokeAdminKey: (id) => revokeAdminKey(context, id),
    setServerSetting: (asked) => setServerSetting(context, asked),
    assignChannel: (id, checks, nowMs) => assignChannel(context, id, checks, nowMs),
    unassignChannel: (id, checks, nowMs) => unassignFrom(context, id, checks, nowMs),
    createChannel: (projectId, channel, nowMs) => createChannel(context, projectId, channel, nowMs),
    editChannel: (id, edit) => editChannel(context, id, edit),
    putEventFeed: (feed) => putEventFeed(context, feed),
    replaceChannel: (id, channel, nowMs) => replaceChannel(context, id, channel, nowMs),
    deleteChannel: (id, nowMs) => deleteChannel(context, id, nowMs),
    putStatusPage: (page) => putStatusPage(context, page),
    deleteStatusPage: (id) => deleteStatusPage(context, id),
    acknowledgeIncident: (id, action, nowMs) => acknowledgeIncident(context, id, action, nowMs),
    unacknowledgeIncident: (id, action, nowMs) => unacknowledgeIncident(context, id, action, nowMs),
    noteIncident: (id, action, nowMs) => noteIncident(context, id, action, nowMs),
    putMaintenance: (window, nowMs) => putMaintenance(context, window, nowMs),
    startMaintenance: (asked, nowMs) => startMaintenance(context, asked, nowMs),
    endMaintenance: (id, nowMs) => endMaintenance(context, id, nowMs),
    deleteMaintenance: (id) => deleteMaintenance(context, id),
    putUser: (user) => putUser(context, user),
    updateUser: (id, change) => updateUser(context, id, change),
    touchSession: (id, session) => touchSession(context, id, session),
    deleteUser: (id) => deleteUser(context, id),
    endSession: (session) => endSession(context, session),
    noteAudit: (fact) => context.audit.note(fact),
  };
}
