/**
 * What people do with an incident: acknowledge it with all of its checks, withdraw that, leave a note.
 * Invariant: one batch: the incident and its checks agree whatever is cut off.
 */
import { acknowledged, type Incident, unacknowledged, withNote } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import { incidentNoteCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { IncidentId } from '../../lib/ids.ts';
import { checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { IncidentAction } from '../contract/engine.ts';
import { notWritten } from '../contract/not-written.ts';
import { putIncident } from '../deadlines/incident-steps.ts';
import { publishStep } from '../deadlines/status-changes.ts';

/** No reminders of its checks that are down. Rejects with `conflict` if it is resolved. */
export async function acknowledgeIncident(
  context: EngineContext,
  id: IncidentId,
  { by, note }: IncidentAction,
  nowMs: number,
): Promise<Incident> {
  const incident = openIncidentOf(context, id);
  const after = noted(acknowledged(incident, by, nowMs), { by, note }, nowMs);
  const checks = checksOf(context, incident).filter(({ acknowledgement }) => acknowledgement === undefined);
  return recorded(context, { before: incident, after }, () => {
    for (const check of checks)
      appendCheck(context, { ...check, acknowledgement: { atMs: nowMs, by } }, 'acknowledged');
  });
}

/** Reminders go on. */
export async function unacknowledgeIncident(
  context: EngineContext,
  id: IncidentId,
  { by, note }: IncidentAction,
  nowMs: number,
): Promise<Incident> {
  const incident = openIncidentOf(context, id);
  const after = noted(unacknowledged(incident, by, nowMs), { by, note }, nowMs);
  const checks = checksOf(context, incident).filter(({ acknowledgement }) => acknowledgement !== undefined);
  return recorded(context, { before: incident, after }, () => {
    for (const check of checks)
      appendCheck(context, { ...check, acknowledgement: undefined }, 'unacknowledged');
  });
}

/** Of one that is resolved, too. */
export async function noteIncident(
  context: EngineContext,
  id: IncidentId,
  { by, note }: IncidentAction,
  nowMs: number,
): Promise<Incident> {
  if (note.trim() === '') throw new KnellError('usage', 'a note needs a text');
  const before = incidentOf(context, id);
  return recorded(context, { before, after: noted(before, { by, note }, nowMs) }, nothingElse);
}

function noted(incident: Incident, { by, note }: IncidentAction, nowMs: number): Incident {
  const text = note.trim();
  if (text.length > incidentNoteCharsMax)
    throw new KnellError('usage', `a note has at most ${incidentNoteCharsMax} characters`);
  return text === '' ? incident : withNote(incident, by, text, nowMs);
}

function incidentOf({ registry }: EngineContext, id: IncidentId): Incident {
  const incident = registry.incidents.get(id);
  if (!incident) throw new KnellError('not-found', 'there is no such incident');
  return incident;
}

function openIncidentOf(context: EngineContext, id: IncidentId): Incident {
  const incident = incidentOf(context, id);
  if (incident.stage === 'resolved') throw new KnellError('conflict', 'this incident is resolved');
  return incident;
}

/** Its checks that are down. */
function checksOf({ registry }: EngineContext, { checks }: Incident): readonly Check[] {
  return checks
    .filter(({ leftMs }) => leftMs === 0)
    .map(({ id }) => registry.find(id))
    .filter((check): check is Check => check?.state.status === 'down');
}

function nothingElse(): void {}

/** Resolves with the incident once it is durable, with whatever `appendChecks` adds to its batch. */
function recorded(
  context: EngineContext,
  { before, after }: { readonly before: Incident; readonly after: Incident },
  appendChecks: () => void,
): Promise<Incident> {
  const { store } = context;
  return new Promise((resolve, reject) => {
    const durable = () => resolve(after);
    const refused = () => reject(notWritten(store));
    store.beginGroup();
    appendChecks();
    if (after === before) store.barrier({ durable, rolledBack: refused });
    else putIncident(context, after, { durable, refused });
    store.endGroup();
  });
}

function appendCheck(context: EngineContext, check: Check, action: 'acknowledged' | 'unacknowledged'): void {
  const { registry, audit } = context;
  const handle = registry.handleOf(check.id);
  const before = registry.check(handle);
  registry.replace(handle, check);
  audit.append(
    { type: 'check', check, changes: [] },
    {
      durable: () => publishStep(context, check, []),
      rolledBack: () => registry.replace(handle, before),
    },
    checkFact(registry, action, check),
  );
}
