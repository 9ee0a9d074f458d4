/**
 * "Ping now" on the page: a success that a person sends, on the path of every other ping. Its user agent says who.
 * Invariant: answered when the ping is durable.
 */

import type { PingOutcome } from '../../../engine/contract/engine.ts';
import { notWritableWords } from '../../../engine/contract/not-written.ts';
import { uuidWordsOf } from '../../../lib/uuid-words.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf } from '../calls/shown-id.ts';

/** As of every ping. */
const userAgentCharsMax = 200;
const noBody = new Uint8Array(0);

export async function pingByHand(call: ProjectCall): Promise<HttpReply> {
  const { context, request, project, principal, path, nowMs } = call;
  const { engine } = context.commands;
  const id = await checkIdOf(call, path.id ?? '');
  const uuid = uuidWordsOf(id);
  if (uuid === null || engine.read.check(id, nowMs)?.projectId !== project.id) return notFound;
  const outcome = await new Promise<PingOutcome>((resolve) =>
    engine.acceptPing(
      {
        target: { by: 'uuid', uuid },
        ...{ error: null, action: 'success', exitStatus: null, rid: null },
        ...{ scheme: request.scheme, method: 'POST', remoteAddr: request.remoteAddr },
        ua: `by hand by ${principal.user.name}`.slice(0, userAgentCharsMax),
        ...{ body: noBody, searchable: { via: 'by-hand' }, receivedAtMs: nowMs },
      },
      resolve,
      null,
    ),
  );
  if (outcome === 'ok') return jsonReply({});
  return outcome === 'not-found'
    ? notFound
    : errorReply(503, `the ping could not be recorded: ${notWritableWords(engine.read)}`, [
        ['Retry-After', '10'],
      ]);
}
