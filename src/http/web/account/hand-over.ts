/**
 * Offers a project to another member of it, who accepts or declines on the page. `domain/accounts/hand-over` says what follows.
 * Invariant: nobody learns by it who has an account: only members of the project can be offered it, and others are as nobody.
 */

import { InvalidField } from '../../../commands/contract/command.ts';
import { noMember, validOffer, wrongRecipient } from '../../../domain/accounts/hand-over.ts';
import type { Project } from '../../../domain/accounts/project.ts';
import type { User } from '../../../domain/accounts/user.ts';
import type { HandOverView, OfferedView, OfferView } from '../../../domain/views/account-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { KnellError } from '../../../lib/errors.ts';
import type { UserId } from '../../../lib/ids.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn } from '../calls/call.ts';

type Read = Pick<EngineRead, 'users'>;

function offerIn(read: Read, project: Project, nowMs: number) {
  return validOffer(project, (id: UserId) => read.users().find((user) => user.id === id), nowMs);
}

/** The offer as owners of the project see it; null for none. */
export function handOverOf(read: Read, project: Project, nowMs: number): HandOverView | null {
  const offer = offerIn(read, project, nowMs);
  return offer && { to: offer.to.name, by: offer.by.name, untilMs: offer.untilMs };
}

/** The offer as the one sees it who may accept it; null for none to `user`. */
export function offerTo(read: Read, user: User, project: Project, nowMs: number): OfferView | null {
  if (project.handOver?.to !== user.id) return null;
  const offer = offerIn(read, project, nowMs);
  return offer && { id: project.id, project: project.name, by: offer.by.name, untilMs: offer.untilMs };
}

export async function offerProject(call: ProjectCall): Promise<HttpReply> {
  const { context, change, project, principal, json, nowMs } = call;
  const name = textIn(json, 'name').toLowerCase();
  if (name === '') throw new InvalidField('name', 'give the name or the address of the member');
  const by = principal.user;
  const to = context.engine.read.users().find((user) => user.name.toLowerCase() === name);
  const wrong = to ? wrongRecipient(to, project.id) : noMember;
  if (!to || wrong !== '')
    throw new KnellError('conflict', to?.id === by.id ? ownAlready : wrong, { field: 'name' });
  await change.offerProject(project.id, { to: to.id, by: by.id }, nowMs);
  const path = `/project/${project.id}/checks`;
  const mailed = await context.commands.accounts.offerProject(to, { by, project: project.name, path }, nowMs);
  return jsonReply({ to: to.name, ...(mailed ? { mailed } : {}) } satisfies OfferedView);
}

const ownAlready = 'you own this project: hand it over to somebody else';

export async function withdrawOffer({ change, project, nowMs }: ProjectCall): Promise<HttpReply> {
  await change.withdrawOffer(project.id, nowMs);
  return jsonReply({});
}

export async function acceptOffer({ change, project, principal, nowMs }: ProjectCall): Promise<HttpReply> {
  await change.acceptOffer(project.id, principal.user.id, nowMs);
  return jsonReply({});
}

export async function declineOffer({ change, project, principal, nowMs }: ProjectCall): Promise<HttpReply> {
  await change.declineOffer(project.id, principal.user.id, nowMs);
  return jsonReply({});
}
