/**
 * A change that another node's client asked for, that is in the log, and whose answer was lost with the leader that made it: what
 * its client is answered now. Not here: how it is known that the change is in the log (`cluster/requests/request-server`).
 * Invariant: nothing is changed a second time. The management API decides a request before its first await, so that whatever it
 * changed is in the log together with the note that it was taken.
 */
import type { ForwardedReply, ForwardedRequest } from '../../cluster/requests/forwarded-request.ts';
import { mergedSlashes } from '../wire/message.ts';

const checksPath = /^\/(?:api\/v[123]|web\/in\/[^/]+)\/checks\/?$/;
/** Setting the same again, or pausing what is paused, changes nothing. */
const repeatablePath = /^\/web\/in\/[^/]+\/checks\/[^/]+(?:\/pause)?\/?$/;
const checkPath = /^(\/api\/v[123]\/checks\/[^/]+)(?:\/(?:pause|resume))?\/?$/;

/** Whether the request creates a check, so that its client draws the id. */
export function createsCheck({ method, path }: Pick<ForwardedRequest, 'method' | 'path'>): boolean {
  return method === 'POST' && checksPath.test(mergedSlashes(path));
}

/** `serve`: what answers a request. Null where only the client can see what has become of it. */
export async function answerRecorded(
  request: ForwardedRequest,
  serve: (request: ForwardedRequest) => Promise<ForwardedReply>,
): Promise<ForwardedReply | null> {
  const path = mergedSlashes(request.path);
  const read = (of: string): Promise<ForwardedReply> =>
    serve({
      ...request,
      method: 'GET',
      path: of,
      query: '',
      apiKey: keyOf(request),
      body: new Uint8Array(0),
    });
  if (createsCheck(request)) {
    const check = await read(`${path.replace(/\/$/, '')}/${request.newId ?? ''}`);
    // It was refused, or has changed a check that there was: the same again, which does no more.
    return check.status === 200 ? { ...check, status: 201 } : serve(request);
  }
  const [, check] = checkPath.exec(path) ?? [];
  if (check === undefined)
    return request.method === 'POST' && repeatablePath.test(path) ? serve(request) : null;
  const now = await read(check);
  const isDeleted = request.method === 'DELETE' && now.status === 404;
  return isDeleted ? { ...now, status: 200, body: '{}' } : now;
}

/** In the header, or in the body. */
function keyOf({ apiKey, body }: ForwardedRequest): string | null {
  if (apiKey !== null) return apiKey;
  try {
    const { api_key: key } = JSON.parse(Buffer.from(body).toString()) as { readonly api_key?: unknown };
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
