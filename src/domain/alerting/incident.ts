/**
 * An incident: what people handle, instead of each check that is down. It opens when a check goes down that nothing holds back; checks
 * that depend on that one join it; it is resolved when all of them are up. Not here: who is notified (`hold-reason`), what is recorded
 * when (`engine/deadlines/incident-steps`).
 * Invariants: pure. A check is in one open incident at most. `checks` and `entries` have a bound; what does not fit is counted.
 */
import { asIncidentId, type CheckId, type IncidentId, idsOf, type ProjectId } from '../../lib/ids.ts';
import type { Check } from '../check/check.ts';
import type { Growing } from '../check/unknown-fields.ts';
import type { IncidentRef } from '../deliveries/delivery.ts';
import { incidentChecksMax, incidentEntriesMax } from '../limits.ts';
import { type IncidentStage, stageAfter } from './incident-machine.ts';

export interface IncidentCheck extends Growing {
  readonly id: CheckId;
  /** Its name when it joined. */
  readonly name: string;
  readonly joinedMs: number;
  /** When it came up, was paused or deleted; 0 while it is down. */
  readonly leftMs: number;
  /** It joined since it depends on another one. */
  readonly isDependent: boolean;
  /** It was down when it was moved to this project: nobody has been notified of that here. Absent once somebody may have been. */
  readonly moved?: boolean | undefined;
}

export const incidentEntryKinds = [
  'opened',
  'joined',
  'left',
  'acknowledged',
  'unacknowledged',
  'note',
  'resolved',
  'reopened',
] as const;
export type IncidentEntryKind = (typeof incidentEntryKinds)[number];

export interface IncidentEntry extends Growing {
  readonly atMs: number;
  readonly kind: IncidentEntryKind;
  /** Name of the check that it is about; empty for none. */
  readonly check: string;
  /** Who did it; empty for nobody. */
  readonly by: string;
  readonly text: string;
}

export interface Incident extends Growing {
  readonly id: IncidentId;
  readonly projectId: ProjectId;
  readonly stage: IncidentStage;
  readonly openedMs: number;
  /** 0 until then. */
  readonly resolvedMs: number;
  /** Who acknowledged it last; empty for nobody. */
  readonly acknowledgedBy: string;
  readonly acknowledgedMs: number;
  /** In the order in which they joined. */
  readonly checks: readonly IncidentCheck[];
  /** The most checks that were down at one time without a place in the list. */
  readonly more: number;
  /** Oldest first. */
  readonly entries: readonly IncidentEntry[];
}

/** What deliveries need to know of it. */
export function incidentRef({ id, stage }: Incident): IncidentRef {
  return { id, isOver: stage === 'resolved' };
}

/** For sorting those that are down: what depends on others last, then by when they went down. */
export function worstFirst(a: IncidentCheck, b: IncidentCheck): number {
  return Number(a.isDependent) - Number(b.isDependent) || a.joinedMs - b.joinedMs;
}

/** A new one, about a check that went down. Its id follows from that. */
export function openIncident(check: Check, atMs: number): Incident {
  const fresh: Incident = {
    id: asIncidentId(idsOf(`incident ${check.id} ${atMs}`).newUuid()),
    projectId: check.projectId,
    stage: 'open',
    openedMs: atMs,
    resolvedMs: 0,
    acknowledgedBy: '',
    acknowledgedMs: 0,
    checks: [],
    more: 0,
    entries: [],
  };
  return withCheck(fresh, check, { atMs, isDependent: false, kind: 'opened' });
}

/** A new one, about a check that was down when it was moved to this project. */
export function openMoved(check: Check, atMs: number, text: string): Incident {
  const { id, ...own } = openIncident(check, atMs);
  // It may have gone down in the same millisecond: that incident is the other project's.
  const ownId = asIncidentId(idsOf(`moved ${check.id} ${check.projectId} ${atMs}`).newUuid());
  const checks = own.checks.map((one) => ({ ...one, moved: true }));
  return { id: ownId, ...own, checks, entries: own.entries.map((entry) => ({ ...entry, text })) };
}

/** A check of one that was resolved a while ago is down again. Who had acknowledged it may be asleep by now. */
export function reopened(incident: Incident, check: Check, { atMs, text }: Returning): Incident {
  const stage = stageAfter(incident.stage, 'join');
  const open = { ...incident, stage, resolvedMs: 0, acknowledgedBy: '', acknowledgedMs: 0 };
  return withCheck(open, check, { atMs, isDependent: false, kind: 'reopened', text });
}

interface Returning {
  readonly atMs: number;
  /** A sentence, where it did not go down just now. */
  readonly text?: string | undefined;
}

/** Another check is down with it. The list must have a place for it: see `hasPlace`. */
export function joined(
  incident: Incident,
  check: Check,
  { atMs, isDependent, text }: Returning & { readonly isDependent: boolean },
): Incident {
  return withCheck(incident, check, { atMs, isDependent, kind: 'joined', text });
}

/** Whether a check that joins gets into the list. Otherwise its own row says which incident it is in, and it is counted. */
export function hasPlace({ checks }: Incident, id: CheckId): boolean {
  return checks.length < incidentChecksMax || checks.some((check) => check.id === id);
}

/** At least so many checks were in it at one time that the list had no place for. */
export function withMore(incident: Incident, more: number): Incident {
  return more <= incident.more ? incident : { ...incident, more };
}

interface Joining extends Returning {
  readonly isDependent: boolean;
  readonly kind: IncidentEntryKind;
}

function withCheck(incident: Incident, check: Check, joining: Joining): Incident {
  const { atMs, isDependent, kind, text = '' } = joining;
  const name = check.config.name || check.config.slug;
  const others = incident.checks.filter(({ id }) => id !== check.id);
  const own: IncidentCheck = { id: check.id, name, joinedMs: atMs, leftMs: 0, isDependent };
  return withEntry({ ...incident, checks: [...others, own] }, { atMs, kind, check: name, by: '', text });
}

/**
 * A check is no longer down; resolved if it was the last one. `others`: how many that are not on the list are still down. The very same
 * incident where nothing on it is another.
 */
export function left(incident: Incident, id: CheckId, { atMs, others, why = '' }: Leaving): Incident {
  const own = incident.checks.find((check) => check.id === id && check.leftMs === 0);
  const checks = own
    ? incident.checks.map((check) => (check === own ? { ...own, leftMs: atMs } : check))
    : incident.checks;
  const after = own
    ? withEntry({ ...incident, checks }, { atMs, kind: 'left', check: own.name, by: '', text: why })
    : incident;
  if (others > 0 || checks.some(({ leftMs }) => leftMs === 0)) return after;
  const resolved = { ...after, stage: stageAfter(after.stage, 'recover'), resolvedMs: atMs };
  return withEntry(resolved, { atMs, kind: 'resolved', check: '', by: '', text: '' });
}

interface Leaving {
  readonly atMs: number;
  readonly others: number;
  /** A sentence, where it has not come up. */
  readonly why?: string;
}

/** A check that had joined since it depends on another, or was moved, is down by itself now, and its integrations are notified of that. */
export function independent(incident: Incident, id: CheckId): Incident {
  const checks = incident.checks.map((check) => {
    if (check.id !== id) return check;
    const { moved: _, ...own } = check;
    return { ...own, isDependent: false };
  });
  return { ...incident, checks };
}

/** Whether a check was down when it was moved into it: its integrations know nothing of this incident. */
export function isMovedInto({ checks }: Incident, id: CheckId): boolean {
  return checks.some((check) => check.id === id && check.moved === true);
}

export function acknowledged(incident: Incident, by: string, atMs: number): Incident {
  const stage = stageAfter(incident.stage, 'acknowledge');
  if (stage === incident.stage) return incident;
  const after = { ...incident, stage, acknowledgedBy: by, acknowledgedMs: atMs };
  return withEntry(after, { atMs, kind: 'acknowledged', check: '', by, text: '' });
}

export function unacknowledged(incident: Incident, by: string, atMs: number): Incident {
  const stage = stageAfter(incident.stage, 'unacknowledge');
  if (stage === incident.stage) return incident;
  const after = { ...incident, stage, acknowledgedBy: '', acknowledgedMs: 0 };
  return withEntry(after, { atMs, kind: 'unacknowledged', check: '', by, text: '' });
}

export interface IncidentNote {
  readonly by: string;
  readonly text: string;
}

/** The note that somebody left last; null for none. */
export function lastNote(incident: Incident): IncidentNote | null {
  return lastNotes(incident, 1)[0] ?? null;
}

/** The last notes, at most `max` of them, the oldest first. */
export function lastNotes({ entries }: Incident, max: number): readonly IncidentNote[] {
  return entries.filter(({ kind }) => kind === 'note').slice(-max);
}

export function withNote(incident: Incident, by: string, text: string, atMs: number): Incident {
  return withEntry(incident, { atMs, kind: 'note', check: '', by, text });
}

/** The first entry stays; of the others the oldest go. */
function withEntry(incident: Incident, entry: IncidentEntry): Incident {
  const [first, ...others] = [...incident.entries, entry];
  const kept = others.slice(Math.max(0, others.length - incidentEntriesMax + 1));
  return { ...incident, entries: first === undefined ? kept : [first, ...kept] };
}
