/**
 * What the leader answers to a request that another node has taken, or asks itself. Not here: how such a request gets here
 * (`cluster/requests/request-server`), which requests a node hands over (`node-mounts`).
 * Invariants: nothing is answered before it is certain that this node still leads. A change is done once.
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

/** Asks the leader to write something. No request of a listener has such a path. */
export const leaderProofPath = 'leader-proof';

interface Led {
  readonly read: EngineRead;
  readonly admin: AdminCommands;
  readonly certainly: () => Promise<boolean>;
  readonly canWrite: () => Promise<boolean>;
}

interface ServeOptions {
  /** The mounts; null before there are any. */
  readonly serve: ((request: ForwardedRequest) => Promise<ForwardedReply>) | null;
  /** Null while this node does not lead. */
  readonly led: Led | null;
  readonly isLogSilent: boolean;
}

/** Never rejects. */
export async function answerForwarded(
  { serve: serveHere, led, isLogSilent }: ServeOptions,
  request: ForwardedRequest,
  { past, recording }: RequestToServe,
): Promise<ForwardedReply> {
  const { path, method } = request;
  const isCertain = path === leaderProofPath ? led?.canWrite() : led?.certainly();
  if (!led || !serveHere || !(await isCertain)) return refusalOf('unavailable', request, isLogSilent);
  if (path === leaderProofPath) return { status: 200, headers: [], body: '' };
  if (path === mailboxPath) return answerMailbox(led.read, request);
  const serve = (wanted: ForwardedRequest): Promise<ForwardedReply> =>
    path === adminCommandPath ? answerAdminCommand(led.admin, wanted) : serveHere(wanted);
  if (safeMethods.has(method)) return serve(request);
  if (past === 'new') return recording(() => serve(request));
  // Under `recording`, as it may not have been done.
  const answered = await recording(() => answerAgain(request, past === 'recorded', serve));
  return answered ?? refusalOf('in-doubt', request, false);
}
