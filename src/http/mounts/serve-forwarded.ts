/**
 * Answers on the leader the requests that other nodes have taken, or send themselves. `cluster/requests/request-server`
 * receives them; `node-mounts` decides which requests a node passes on.
 * Invariants: nothing is answered before it is certain that this node still leads. A change is made once.
 */

import {
  type ForwardedReply,
  type ForwardedRequest,
  safeMethods,
} from '../../cluster/requests/forwarded-request.ts';
import type { RequestToServe } from '../../cluster/requests/request-server.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import type { AdminCommands } from '../admin/admin-routes.ts';
import { adminCommandPath, answerAdminCommand } from '../admin/forwarded-admin.ts';
import { answerMailbox, mailboxPath } from './forwarded-mailbox.ts';
import { refusalOf } from './node-mounts.ts';
import { answerAgain } from './recorded-changes.ts';

/** Path of a request that makes the leader write to the log. No request of a listener has such a path. */
export const leaderProofPath = 'leader-proof';

interface Led {
  readonly read: EngineRead;
  readonly admin: AdminCommands;
  readonly certainly: () => Promise<boolean>;
  readonly canWrite: () => Promise<boolean>;
}

interface ServeOptions {
  /** Serves through the mounts; null until they exist. */
  readonly serve: ((request: ForwardedRequest) => Promise<ForwardedReply>) | null;
  /** The state of the leader; null while this node does not lead. */
  readonly led: Led | null;
  readonly isLogSilent: boolean;
}

/** Answers a request. Never rejects. */
export async function answerForwarded(
  { serve: serveHere, led, isLogSilent }: ServeOptions,
  request: ForwardedRequest,
  { past, isGivenUp, recording }: RequestToServe,
): Promise<ForwardedReply> {
  const { path, method } = request;
  const isCertain = path === leaderProofPath ? led?.canWrite() : led?.certainly();
  if (!led || !serveHere || !(await isCertain) || isGivenUp())
    return refusalOf('unavailable', request, isLogSilent);
  if (path === leaderProofPath) return { status: 200, headers: [], body: '' };
  if (path === mailboxPath) return answerMailbox(led.read, request);
  const serve = (wanted: ForwardedRequest): Promise<ForwardedReply> =>
    path === adminCommandPath ? answerAdminCommand(led.admin, wanted) : serveHere(wanted);
  if (safeMethods.has(method)) return serve(request);
  if (past === 'new') return recording(() => serve(request));
  // It runs under `recording`, because the first attempt may not have been made.
  const answered = await recording(() => answerAgain(request, past === 'recorded', serve));
  return answered ?? refusalOf('in-doubt', request, false);
}
