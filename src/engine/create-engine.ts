/**
 * Puts the engine together and brings it to life: recovery first, then the ticker and the alive marks.
 * Invariant: when this has resolved, every deadline is watched and the doors may open.
 */
import type { Check } from '../domain/check.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Ids, ProjectId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { DeliverySink, Store } from '../store/store.ts';
import {
  createChannel,
  createKey,
  createProject,
  deleteChannel,
  editChannel,
  revokeKey,
} from './accept-admin.ts';
import { createCheck, deleteCheck, pauseCheck, resumeCheck, updateCheck } from './accept-change.ts';
import { acceptPing } from './accept-ping.ts';
import { deleteProject, renameProject, retryDeletions } from './accept-project.ts';
import { applyDueDeadlines } from './accept-timeout.ts';
import { deleteUser, endSession, putUser } from './accept-user.ts';
import type { Clock } from './clock.ts';
import type { EngineContext } from './context.ts';
import type { Engine, EngineChange } from './engine.ts';
import { createRead } from './read.ts';
import { journalCredit, recover } from './recover.ts';
import { Registry } from './registry.ts';
import { Ticker, type TickerLimits } from './ticker.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For everything that is created here: checks, projects, keys, integrations, deliveries. */
  readonly ids: Ids;
  readonly outageCredit: boolean;
  readonly activeActorsMax: number;
  readonly aliveEveryMs: number;
  readonly ticker: TickerLimits;
  /** Called with every check that a durable step has touched. */
  readonly touched: (check: Check) => void;
  /** Called with the deliveries of a status change once both are durable. */
  readonly changed: (deliveries: readonly Delivery[]) => void;
  /** Hears, before this resolves, of the deliveries that are not over. */
  readonly outbox: DeliverySink;
  /** Called when a project and all that was in it are gone. */
  readonly projectGone: (id: ProjectId) => void;
  readonly progress: (checks: number) => void;
}

export interface StartedEngine {
  readonly engine: Engine;
  /** Nothing was there before: the very first start. */
  readonly firstStart: boolean;
}

export async function createEngine(options: EngineOptions): Promise<StartedEngine> {
  const { store, clock, logger, ids, changed, touched, projectGone } = options;
  const registry = new Registry(options.activeActorsMax);
  const ticker = new Ticker(clock, options.ticker);
  const context: EngineContext = { registry, store, ticker, logger, ids, changed, touched, projectGone };
  const firstStart = await recover(context, { ...options, nowMs: clock.nowMs() });
  ticker.start((handle, nowMs) => {
    const actor = registry.actorByHandle(handle);
    if (!actor) return;
    if (registry.uncredited.delete(actor)) journalCredit(context, actor);
    applyDueDeadlines(context, actor, nowMs);
    ticker.watch(actor); // A put-off or retried deadline may still lie ahead.
  });
  const stopMarks = markAlive(context, clock, options.aliveEveryMs);
  const engine: Engine = {
    acceptPing: (request, answer) => acceptPing(context, request, answer),
    read: createRead(context),
    change: bindChanges(context),
    writeSnapshot: (file, progress) => store.writeSnapshot(file, progress),
    async stop() {
      ticker.stop();
      stopMarks();
    },
  };
  return { engine, firstStart };
}

/** Says "alive" to the journal at once, every `everyMs`, and when stopped; and takes up what a full disk left undone. */
function markAlive(context: EngineContext, clock: Clock, everyMs: number): () => void {
  let cancel: () => void = () => {};
  // While a credit is not written, a mark would hide at the next start that it is to be granted again.
  const mark = (): void => {
    if (context.registry.uncredited.size === 0)
      context.store.append({ type: 'alive', atMs: clock.nowMs() }, null);
  };
  const again = (): void => {
    mark();
    retryDeletions(context, clock.nowMs());
    cancel = clock.after(everyMs, again);
  };
  again();
  return () => {
    cancel();
    mark();
  };
}

function bindChanges(context: EngineContext): EngineChange {
  return {
    createCheck: (projectId, config, nowMs) => createCheck(context, projectId, config, nowMs),
    updateCheck: (id, config, nowMs) => updateCheck(context, id, config, nowMs),
    pauseCheck: (id, nowMs) => pauseCheck(context, id, nowMs),
    resumeCheck: (id, nowMs) => resumeCheck(context, id, nowMs),
    deleteCheck: (id, nowMs) => deleteCheck(context, id, nowMs),
    createProject: (name, plan, nowMs) => createProject(context, name, plan, nowMs),
    renameProject: (id, name) => renameProject(context, id, name),
    deleteProject: (id, nowMs) => deleteProject(context, id, nowMs),
    createKey: (projectId, scope, nowMs) => createKey(context, projectId, scope, nowMs),
    revokeKey: (id) => revokeKey(context, id),
    createChannel: (projectId, channel, nowMs) => createChannel(context, projectId, channel, nowMs),
    editChannel: (id, edit) => editChannel(context, id, edit),
    deleteChannel: (id, nowMs) => deleteChannel(context, id, nowMs),
    putUser: (user) => putUser(context, user),
    deleteUser: (id) => deleteUser(context, id),
    endSession: (session) => endSession(context, session),
  };
}
