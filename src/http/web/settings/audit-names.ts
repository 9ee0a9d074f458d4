/**
 * What the UUIDs in the changes of the audit log are now: `depends_on` has those of checks. Also what keys that had no name are,
 * and where that is now what an entry is about.
 * Invariant: read at one moment, and bounded by the page: a value has a handful of them (`auditedCharsMax`).
 */
import type { AuditEntry } from '../../../domain/accounts/audit.ts';
import type { AuditPlaceView, NamedIdView } from '../../../domain/views/account-view.ts';
import { idParts, namesChecks } from '../../../domain/words/named-ids.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { asChannelId, asCheckId, asMaintenanceId, asProjectId, asStatusPageId } from '../../../lib/ids.ts';

type Reads = Pick<EngineRead, 'check' | 'channel' | 'keys' | 'project' | 'users' | 'deletedCheck'>;
type PlaceReads = Pick<
  EngineRead,
  'checkAsIs' | 'channel' | 'project' | 'statusPage' | 'maintenanceWindow' | 'users'
>;

export function namedIn(
  read: Reads,
  entries: readonly AuditEntry[],
  nowMs: number,
): Readonly<Record<string, NamedIdView>> {
  const named = new Map<string, NamedIdView | null>();
  for (const { field, before, after } of entries.flatMap(({ changes = [] }) => changes)) {
    const parts = [before, after].flatMap((value) => idParts(field, value) ?? []);
    for (const { text, isId } of parts) {
      if (!isId || named.has(text)) continue;
      named.set(text, namesChecks(field) ? checkOf(read, text, nowMs) : anyOf(read, text, nowMs));
    }
  }
  for (const entry of entries) if (isKeyByBeginning(entry)) named.set(entry.actor.id, keyOf(read, entry));
  return Object.fromEntries([...named].flatMap(([id, view]) => (view === null ? [] : [[id, view]])));
}

function isKeyByBeginning({ actor }: AuditEntry): boolean {
  return actor.kind === 'api-key' && actor.name.endsWith('…');
}

/** Null for a key that was revoked. A key changes nothing but its own project. */
function keyOf(read: Reads, { actor, projectId: project }: AuditEntry): NamedIdView | null {
  const key = read.keys(asProjectId(project)).find(({ id }) => id === actor.id);
  return key === undefined ? null : { name: key.name ?? '', what: 'key', project, scope: key.scope };
}

/** Null for what never was a check, or was deleted so long ago that nobody knows: the UUID says all there is. */
function checkOf(read: Reads, id: string, nowMs: number): NamedIdView | null {
  const check = read.check(id, nowMs);
  if (check) {
    const { config, projectId: project } = check;
    return { name: config.name || config.slug, what: 'check', project };
  }
  const deleted = read.deletedCheck(asCheckId(id));
  return deleted && { name: deleted.name, what: 'deleted-check', project: deleted.projectId };
}

/** Null for what is unknown: nobody can say what it was. */
function anyOf(read: Reads, id: string, nowMs: number): NamedIdView | null {
  const channel = read.channel(asChannelId(id));
  if (channel) {
    const { name, kind, projectId: project } = channel;
    return { name: name || kind, what: 'integration', project };
  }
  const project = read.project(asProjectId(id));
  if (project) return { name: project.name, what: 'project', project: id };
  const user = read.users().find((one) => one.id === id);
  if (user) return { name: user.name, what: 'member', project: '' };
  return checkOf(read, id, nowMs);
}

/** Says where that is now what each entry is about. Null for what was deleted, and for keys and sign-ins, which have no page. */
export function placesOf(
  read: PlaceReads,
  entries: readonly AuditEntry[],
): ReadonlyMap<AuditEntry, AuditPlaceView | null> {
  const members = new Set<string>(read.users().map(({ id }) => id));
  return new Map(entries.map((entry) => [entry, placeOf(read, entry, members)]));
}

function placeOf(
  read: PlaceReads,
  { subject, subjectId, name, projectId }: AuditEntry,
  members: ReadonlySet<string>,
): AuditPlaceView | null {
  const within = (found: { readonly projectId: string } | null): AuditPlaceView | null =>
    found && { id: subjectId, project: found.projectId };
  switch (subject) {
    case 'check':
      return within(read.checkAsIs(asCheckId(subjectId)));
    case 'integration':
      return within(read.channel(asChannelId(subjectId)));
    case 'status-page':
      return within(read.statusPage(asStatusPageId(subjectId)));
    case 'maintenance':
      return within(read.maintenanceWindow(asMaintenanceId(subjectId)));
    case 'project':
      return read.project(asProjectId(subjectId)) && { id: subjectId, project: subjectId };
    case 'member':
      return members.has(subjectId)
        ? { id: subjectId, project: read.project(asProjectId(projectId))?.id ?? '' }
        : null;
    case 'setting':
      return { id: name, project: '' };
    default:
      return null;
  }
}
