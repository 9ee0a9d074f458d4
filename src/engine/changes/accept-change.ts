/**
 * Changes by the owner: checks, projects, keys, integrations. Each decides and takes effect in memory at once,
 * without an await, goes into the journal's batch, and is answered when that batch is durable.
 * Invariant: what is rolled back leaves no trace in any index.
 */

import type { AuditFact } from '../../domain/accounts/audit.ts';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import type { CheckEvent } from '../../domain/check/check-machine.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { KnellError } from '../../lib/errors.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import { checkChangedFact, checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { notWritten } from '../contract/not-written.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { alertsOf, appendAlerts } from '../deadlines/alerts.ts';
import { appendIncidents, incidentsWithout } from '../deadlines/incident-steps.ts';
import { appendEndings, changesBetween, hasRowChanged, publishStep } from '../deadlines/status-changes.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import { withFormerRules } from './carry-former.ts';
import { drawCheckIds, newCheck, undoCreate } from './create-check.ts';
import { mustFitRules } from './rules-fit.ts';
import { allDurable } from './settled.ts';

interface CheckToCreate {
  readonly projectId: ProjectId;
  readonly config: CheckConfig;
  /** A new one if undefined. */
  readonly id: CheckId | undefined;
}

export async function createCheck(
  context: EngineContext,
  { projectId, config, id }: CheckToCreate,
  nowMs: number,
): Promise<Check> {
  const index = context.registry.projectIndex(projectId);
  if (!index) throw new KnellError('not-found', 'there is no such project');
  const drawn = drawCheckIds(context.ids);
  const existing = context.registry.find(drawn.id);
  if (existing) return allDurable(context).then(() => existing);
  if (index.size >= planLimits[index.project.plan].checksMax)
    throw new KnellError('over-limit', 'the plan of the project allows no more checks');
  mustFitRules(index, 0, config.results);
  const ids = id === undefined ? drawn : { ...drawn, id };
  if (context.registry.find(ids.id)) throw new KnellError('conflict', `a check has the id ${ids.id} already`);
  if (context.registry.wasDeleted(ids.id))
    throw new KnellError(
      'conflict',
      `a check with the id ${ids.id} was deleted, and an id is not used twice`,
    );
  const own = withOwnChannels(config, index);
  const check = newCheck(ids, projectId, own, index.nextCreatedAtMs(nowMs));
  const handle = context.registry.addCheck(check);
  return new Promise((resolve, reject) =>
    context.audit.append(
      { type: 'check', check, changes: [] },
      {
        durable() {
          resolve(check);
          context.events.checkChanged.publish(check);
        },
        rolledBack() {
          undoCreate(context, handle);
          reject(notWritten(context.store));
        },
      },
      checkFact(context.registry, 'created', check),
    ),
  );
}

/** Assigns integrations of the check's own project only: others are left out. */
export async function updateCheck(
  context: EngineContext,
  id: CheckId,
  config: CheckConfig,
  nowMs: number,
): Promise<Check> {
  const { registry } = context;
  const handle = registry.handleOf(id);
  const index = handle < 0 ? null : registry.projectIndex(registry.projectId(handle));
  if (!index) throw noSuchCheck();
  mustFitRules(index, index.rules.of(handle), config.results);
  return stepByOwner(context, id, { type: 'update', atMs: nowMs, config: withOwnChannels(config, index) });
}

/**
 * Drops integrations that are not the project's: who chose them may not know yet that the check has moved, or that one is gone.
 */
function withOwnChannels(config: CheckConfig, index: ProjectIndex): CheckConfig {
  const channels = config.channels.filter((channel) => index.channel(channel));
  return channels.length === config.channels.length ? config : { ...config, channels };
}

export async function pauseCheck(context: EngineContext, id: CheckId, nowMs: number): Promise<Check> {
  return stepByOwner(context, id, { type: 'pause', atMs: nowMs });
}

export async function resumeCheck(
  context: EngineContext,
  id: CheckId,
  nowMs: number,
  isUndo = false,
): Promise<Check> {
  const check = context.registry.find(id);
  if (check && check.state.status !== 'paused') throw new KnellError('conflict', 'check is not paused');
  const wasFine = isUndo && wasFineBefore(context.store.lastChange(id));
  return stepByOwner(context, id, { type: 'resume', atMs: nowMs, ...(wasFine ? { isUndo } : {}) });
}

/** Whether it was a pause that took the check out of being up or late. One that was down is new after a pause, undone or not. */
function wasFineBefore(change: StatusChange | null): boolean {
  return change?.cause === 'pause' && (change.from === 'up' || change.from === 'grace');
}

export async function deleteCheck(context: EngineContext, id: CheckId, nowMs: number): Promise<Check> {
  const handle = context.registry.handleOf(id);
  if (handle < 0) throw noSuchCheck();
  applyDueDeadlines(context, handle, nowMs);
  const check = context.registry.check(handle);
  const incidents = incidentsWithout(context, check, nowMs);
  context.ticker.forget(handle);
  context.registry.removeCheck(handle);
  context.registry.noteDeleted(context.registry.idWords(handle));
  return new Promise((resolve, reject) => {
    context.store.beginGroup();
    appendIncidents(context, incidents);
    context.audit.append(
      { type: 'check-deleted', id },
      {
        durable() {
          context.registry.disposeCheck(handle);
          resolve(check);
          context.events.checkChanged.publish(check);
        },
        rolledBack() {
          context.registry.restoreCheck(handle);
          context.registry.forgetDeleted(context.registry.idWords(handle));
          context.ticker.watch(handle);
          reject(notWritten(context.store));
        },
      },
      checkFact(context.registry, 'deleted', check),
    );
    context.store.endGroup();
  });
}

type OwnerEvent = Extract<CheckEvent, { type: 'update' | 'pause' | 'resume' }>;

async function stepByOwner(context: EngineContext, id: CheckId, event: OwnerEvent): Promise<Check> {
  const handle = context.registry.handleOf(id);
  if (handle < 0) throw noSuchCheck();
  applyDueDeadlines(context, handle, event.atMs);
  const before = context.registry.check(handle);
  const step = context.registry.send(handle, event);
  if (event.type === 'update') carryFormer(context, handle, before, event.atMs);
  context.registry.reindex(handle, before);
  context.ticker.watch(handle);
  const changes = changesBetween(before, context.registry.check(handle), event.type, event.atMs);
  const outcome = changes.some(({ to }) => to === 'down') ? 'f' : null;
  const alerts = alertsOf(context, handle, { before, changes, atMs: event.atMs, outcome });
  const { check, deliveries } = alerts;
  const isRow = event.type === 'update' || hasRowChanged(before, check);
  return new Promise((resolve, reject) => {
    context.store.beginGroup();
    appendEndings(context, check, step);
    const own = appendAlerts(context, alerts, changes);
    context.audit.append(
      { type: isRow ? 'check' : 'state', check, changes, deliveries: own },
      {
        durable() {
          resolve(check);
          publishStep(context, check, deliveries);
        },
        rolledBack() {
          undoStep(context, handle, before);
          reject(notWritten(context.store));
        },
      },
      stepFact(context, event, before, check),
    );
    context.store.endGroup();
    context.pendingDowns.appended(check, changes);
  });
}

function carryFormer({ registry }: EngineContext, handle: number, before: Check, nowMs: number): void {
  const after = registry.check(handle);
  const project = registry.projectIndex(after.projectId)?.project;
  if (!project || before.config.retention === after.config.retention) return;
  const carried = withFormerRules(registry, before, after, { before: project, after: project, nowMs });
  if (carried !== after) registry.replace(handle, carried);
}

function stepFact(
  { registry }: EngineContext,
  event: OwnerEvent,
  before: Check,
  check: Check,
): AuditFact | null {
  if (event.type === 'update') return checkChangedFact(registry, before, check);
  if (before.state.status === check.state.status) return null;
  return checkFact(registry, event.type === 'pause' ? 'paused' : 'resumed', check);
}

function undoStep(context: EngineContext, handle: number, before: Check): void {
  const after = context.registry.check(handle);
  context.registry.replace(handle, before);
  context.registry.reindex(handle, after);
  context.ticker.watch(handle);
}

export function noSuchCheck(): KnellError {
  return new KnellError('not-found', 'there is no such check');
}
