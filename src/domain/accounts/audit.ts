/**
 * The audit log: who changed what, when, from where. Plain facts.
 * Not here: who may read it (`http/web`), how long it is kept (`limits`).
 * Invariant: an entry names the fields that were changed, and never holds the value of a secret, neither the old nor the new one.
 */
import type { AuditId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';
import { listChange } from '../words/list-change.ts';
import { foldCase, hasWords } from '../words/search-words.ts';

/** `recipient`: somebody who followed the link of a mail. `system`: Knell itself, as when an integration has moved. */
export const actorKinds = [
  'member',
  'api-key',
  'admin-key',
  'command-line',
  'ping',
  'recipient',
  'system',
] as const;
export type ActorKind = (typeof actorKinds)[number];

export const auditActions = [
  'created',
  'changed',
  'deleted',
  'moved',
  'paused',
  'resumed',
  'acknowledged',
  'unacknowledged',
  'snoozed',
  'unsnoozed',
  'assigned',
  'retried',
  'discarded',
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'link-created',
  'unassigned',
  'offered',
  'accepted',
  'declined',
  'withdrew',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What is said to have been done. Listeners of the API know only what is stored, which has a wrong password among the failed sign-ins. */
export type ShownAction = AuditAction | 'password-refused';

/** Kinds of things that a change is about. `session`: the sign-in of a member. */
export const auditSubjects = [
  'check',
  'integration',
  'notification',
  'project',
  'key',
  'admin-key',
  'member',
  'session',
  'status-page',
  'maintenance',
  'setting',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];

export interface Actor extends Growing {
  readonly kind: ActorKind;
  /** Id of the member or key; empty for others. */
  readonly id: string;
  /** Name at that time. For an API key without a name: how the key begins. */
  readonly name: string;
  /** Address of the client, for IPv6 its /64; empty where there is none. */
  readonly address: string;
}

/** One of `fields`. */
export interface AuditChange extends Growing {
  readonly field: string;
  /** As text, the beginning of a long one; empty for none. */
  readonly before: string;
  readonly after: string;
}

/** What was done; the rest of an entry is who did it, and when. */
export interface AuditFact {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  /** Id of the changed thing; `name`: its name at that time. */
  readonly subjectId: string;
  readonly name: string;
  /** Empty for what belongs to no project. */
  readonly projectId: string;
  readonly projectName: string;
  /** The names of those that were changed. */
  readonly fields: readonly string[];
  /** From what to what, of those that hold no secret; absent for none. */
  readonly changes?: readonly AuditChange[] | undefined;
  /** What else there is to say, such as until when a check is snoozed. */
  readonly detail: string;
}

export interface AuditEntry extends AuditFact, Growing {
  readonly id: AuditId;
  readonly atMs: number;
  readonly actor: Actor;
}

/** Begins the detail of an entry of somebody who is signed in and gave a wrong password, as it is stored. */
export const wrongPasswordDetail = 'wrong password on the account page';
const refused = 'wrong password ';

/** What an entry says was done, and what else there is to say. */
export function shownOf({ action, detail }: Pick<AuditFact, 'action' | 'detail'>): {
  readonly action: ShownAction;
  readonly detail: string;
} {
  if (action !== 'sign-in-failed' || !detail.startsWith(wrongPasswordDetail)) return { action, detail };
  return { action: 'password-refused', detail: detail.slice(refused.length) };
}

/** Place of an entry: entries are in the order of their instants, those of the same instant in that of their ids. */
export type AuditPlace = Pick<AuditEntry, 'atMs' | 'id'>;

/** Who asks for a change, and when. */
export interface Origin {
  readonly actor: Actor;
  readonly atMs: number;
  /**
   * A random UUID of the request, where it may be carried out a second time because its answer was lost: what it creates has ids
   * that follow from it, so that it is created once. Secret.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Conditions of an owner's search; empty for any. */
export interface AuditFilter {
  /** The id of the actor. */
  readonly actor: string;
  readonly project: string;
  readonly subject: string;
  /** None before it; 0 for all that is kept. */
  readonly fromMs: number;
  /** None at or after it; null for up to now. */
  readonly untilMs: number | null;
  /** Each has to be in one of the texts of an entry: as `searchWords` returns them, none for any. */
  readonly words: readonly string[];
}

export const anyEntry: AuditFilter = {
  actor: '',
  project: '',
  subject: '',
  fromMs: 0,
  untilMs: null,
  words: [],
};

export function isWanted(
  { actor, project, subject, fromMs, untilMs, words }: AuditFilter,
  entry: AuditEntry,
): boolean {
  return (
    (actor === '' || entry.actor.id === actor) &&
    (project === '' || entry.projectId === project) &&
    (subject === '' || entry.subject === subject) &&
    entry.atMs >= fromMs &&
    (untilMs === null || entry.atMs < untilMs) &&
    (words.length === 0 || hasWords(foldCase(textOf(entry)), words, entry.subjectId))
  );
}

/** All that is shown of an entry in words: who, what about which thing, from what to what, and from where. */
function textOf(entry: AuditEntry): string {
  const { actor, subject, name, projectName, detail, changes = [] } = entry;
  const { action } = shownOf(entry);
  const values = changes.flatMap((change) => [change.field, ...valuesOf(entry.action, change)]);
  return [actor.name, actor.address, action, subject, name, projectName, detail, ...values].join('\n');
}

/** Of a list, those that came to it and left it: what stayed is not shown either. */
function valuesOf(action: AuditAction, { field, before, after }: AuditChange): readonly string[] {
  const differs = action === 'created' ? null : listChange(field, before, after);
  return differs ? [...differs.removed, ...differs.added] : [before, after];
}

export function actorOf(kind: ActorKind, name = '', id = '', address = ''): Actor {
  return { kind, id, name, address };
}
