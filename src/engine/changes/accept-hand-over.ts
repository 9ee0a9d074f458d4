/**
 * A project handed over: offered by an owner to another member of it, withdrawn, declined or accepted. `domain/accounts/hand-over`
 * says what an offer is, and which roles follow.
 * Invariant: until it is accepted no role changes; the end of the offer and both roles are one batch.
 */

import type { AuditAction } from '../../domain/accounts/audit.ts';
import {
  afterHandOver,
  validOffer,
  withHandedOver,
  wrongRecipient,
} from '../../domain/accounts/hand-over.ts';
import type { HandOver, Project } from '../../domain/accounts/project.ts';
import type { User } from '../../domain/accounts/user.ts';
import { handOverMs } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ProjectId, UserId } from '../../lib/ids.ts';
import { projectFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { putUser } from './accept-user.ts';
import { projectOf, replaceProject } from './replace-project.ts';

/** Replaces an earlier offer. Rejects with `conflict` if it cannot be offered to this user. */
export async function offerProject(
  context: EngineContext,
  id: ProjectId,
  { to, by }: Pick<HandOver, 'to' | 'by'>,
  nowMs: number,
): Promise<Project> {
  const recipient = context.registry.users.get(to);
  const wrong = recipient ? wrongRecipient(recipient, id) : 'this user was removed';
  if (!recipient || wrong !== '') throw new KnellError('conflict', wrong);
  const handOver = { to, by, untilMs: nowMs + handOverMs };
  return putOffer(context, projectOf(context, id), {
    handOver,
    action: 'offered',
    detail: `to ${recipient.name}`,
  });
}

/** Rejects with `not-found` if there is none. */
export async function withdrawOffer(context: EngineContext, id: ProjectId, nowMs: number): Promise<void> {
  const project = projectOf(context, id);
  offerOf(context, project, nowMs);
  await putOffer(context, project, { action: 'withdrew', detail: '' });
}

/** Rejects with `not-found` if there is no offer to `userId`. */
export async function declineOffer(
  context: EngineContext,
  id: ProjectId,
  userId: UserId,
  nowMs: number,
): Promise<void> {
  const project = projectOf(context, id);
  offerOf(context, project, nowMs, userId);
  await putOffer(context, project, { action: 'declined', detail: '' });
}

/** Likewise. */
export async function acceptOffer(
  context: EngineContext,
  id: ProjectId,
  userId: UserId,
  nowMs: number,
): Promise<void> {
  const { store } = context;
  const project = projectOf(context, id);
  const { to, by } = offerOf(context, project, nowMs, userId);
  // Each is carried out in memory at once, and waits only for the disk.
  store.beginGroup();
  const done = [
    putOffer(context, project, { action: 'accepted', detail: `from ${by.name}` }),
    putUser(context, withHandedOver(to, id)),
    ...changedOnly(by, afterHandOver(by, id)).map((user) => putUser(context, user)),
  ];
  store.endGroup();
  await Promise.all(done);
}

function changedOnly(before: User, after: User): readonly User[] {
  return before === after ? [] : [after];
}

interface OfferChange {
  /** Absent: none any more. */
  readonly handOver?: HandOver;
  readonly action: AuditAction;
  readonly detail: string;
}

function putOffer(
  context: EngineContext,
  before: Project,
  { handOver, action, detail }: OfferChange,
): Promise<Project> {
  const { handOver: _, ...rest } = before;
  const project: Project = handOver ? { ...rest, handOver } : rest;
  return replaceProject(context, before, project, projectFact(action, project, { detail }));
}

/** `userId`: to whom it must be; any if absent. */
function offerOf({ registry }: EngineContext, project: Project, nowMs: number, userId?: UserId) {
  const offer = validOffer(project, (id) => registry.users.get(id), nowMs);
  if (offer && (userId === undefined || offer.to.id === userId)) return offer;
  throw new KnellError('not-found', 'this offer was withdrawn or answered, or has expired');
}
