/**
 * Acknowledgements and snoozes as the log of a check shows them: begun, changed, ended, by whom. Out of the audit log, which has
 * what somebody did; what ended by itself follows from that and from the status changes. Pure.
 * Invariant: each step is one entry; one whose end has not come has none.
 */
import type { ActorKind, AuditEntry } from '../accounts/audit.ts';
import type { Check } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import type { AlertAction, AlertEntry } from './log-view.ts';

/**
 * Newest first. `audited` (about this check: acknowledged, unacknowledged, snoozed, unsnoozed) and `changes`: newest first. What holds now is
 * among the entries even where the audit log does not have it, as of a check that was snoozed before there was one.
 */
export function alertEntries(
  check: Check,
  audited: readonly AuditEntry[],
  changes: readonly StatusChange[],
  nowMs: number,
): readonly AlertEntry[] {
  const oldestFirst = audited.toReversed();
  const acknowledgements = oldestFirst.filter(
    ({ action }) => action === 'acknowledged' || action === 'unacknowledged',
  );
  const snoozes = oldestFirst.filter(({ action }) => action === 'snoozed' || action === 'unsnoozed');
  const entries = [
    ...acknowledgementEntries(acknowledgements, changes.toReversed()),
    ...snoozeEntries(snoozes, nowMs),
    ...unauditedEntries(check, audited),
  ];
  // Oldest first until here: what was done within a millisecond stays in its order.
  return entries.sort((a, b) => a.atMs - b.atMs).reverse();
}

function acknowledgementEntries(
  steps: readonly AuditEntry[],
  changes: readonly StatusChange[],
): readonly AlertEntry[] {
  return steps.flatMap((step, at) => {
    const entry = entryOf(step, step.action === 'acknowledged' ? 'acknowledged' : 'unacknowledged');
    if (step.action !== 'acknowledged') return [entry];
    const next = steps[at + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const left = changes.find(({ from, atMs }) => from === 'down' && atMs >= step.atMs && atMs <= next);
    return left ? [entry, overEntry('acknowledgement-over', left.atMs)] : [entry];
  });
}

function snoozeEntries(steps: readonly AuditEntry[], nowMs: number): readonly AlertEntry[] {
  const entries: AlertEntry[] = [];
  /** End of the snooze that holds before the step at hand. */
  let endMs: number | null = null;
  const endBefore = (atMs: number): void => {
    if (endMs === null || endMs > atMs) return;
    entries.push(overEntry('snooze-over', endMs));
    endMs = null;
  };
  for (const step of steps) {
    endBefore(step.atMs);
    if (step.action === 'unsnoozed') {
      entries.push(entryOf(step, 'unsnoozed'));
      endMs = null;
      continue;
    }
    const untilMs = untilIn(step.detail);
    entries.push(entryOf(step, endMs === null ? 'snoozed' : 'snooze-changed', untilMs));
    endMs = untilMs;
  }
  endBefore(nowMs);
  return entries;
}

/** Reads the end as the engine writes it: `until 2026-03-10T12:00:00.000Z`. */
function untilIn(detail: string): number | null {
  const untilMs = Date.parse(/^until (\S+)$/.exec(detail)?.[1] ?? '');
  return Number.isNaN(untilMs) ? null : untilMs;
}

function unauditedEntries(
  { acknowledgement, snooze }: Check,
  audited: readonly AuditEntry[],
): readonly AlertEntry[] {
  const isAudited = (action: AuditEntry['action'], atMs: number): boolean =>
    audited.some((entry) => entry.action === action && entry.atMs === atMs);
  const entries: AlertEntry[] = [];
  if (acknowledgement && !isAudited('acknowledged', acknowledgement.atMs)) {
    const { atMs, by } = acknowledgement;
    entries.push({ ...placed('acknowledged', atMs), by, untilMs: null });
  }
  if (snooze && !isAudited('snoozed', snooze.atMs)) {
    const { atMs, by, untilMs } = snooze;
    entries.push({ ...placed('snoozed', atMs), by, untilMs });
  }
  return entries;
}

const nameless: Readonly<Partial<Record<ActorKind, string>>> = {
  'api-key': 'API key',
  'command-line': 'the command line',
  system: 'Knell',
  ping: 'a script',
};

function entryOf(
  { id, atMs, actor }: AuditEntry,
  action: AlertAction,
  untilMs: number | null = null,
): AlertEntry {
  return { ...placed(action, atMs), id: `${action}-${id}`, by: authorOf({ actor }), untilMs };
}

/** Who did it, as the log of a check says it. */
export function authorOf({ actor }: Pick<AuditEntry, 'actor'>): string {
  // A key without a name has its beginning as its name, which says nothing in the log of a check.
  const name = actor.kind === 'api-key' && actor.name.endsWith('…') ? '' : actor.name;
  return name || (nameless[actor.kind] ?? '');
}

function overEntry(action: AlertAction, atMs: number): AlertEntry {
  return { ...placed(action, atMs), by: '', untilMs: null };
}

function placed(action: AlertAction, atMs: number): Pick<AlertEntry, 'what' | 'id' | 'atMs' | 'action'> {
  return { what: 'alert', id: `${action}-${atMs}`, atMs, action };
}
