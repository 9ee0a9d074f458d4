/**
 * A change that another node's client asked for, that may be in the log, and whose answer was lost with the leader that made it:
 * what its client is answered now. Not here: how it is known what the log has of it (`cluster/requests/request-server`).
 * Invariant: nothing is changed a second time. A request that is served again under its idempotency key finds what it created,
 * sets what is set, and misses what it has deleted; what is not of this kind is not served again.
 */
import {
  type ForwardedReply,
  type ForwardedRequest,
  safeMethods,
} from '../../cluster/requests/forwarded-request.ts';
import { idsOf } from '../../lib/ids.ts';
import { adminCommandPath, commandIn } from '../admin/forwarded-admin.ts';
import { mergedSlashes } from '../wire/message.ts';

type Serve = (request: ForwardedRequest) => Promise<ForwardedReply>;

/** The management API, and the page's way through it. */
const apiPrefix = '/(?:api/v[123]|web/in/[^/]+/api)';
const apiPath = new RegExp(`^${apiPrefix}/`);
const checksPath = new RegExp(`^${apiPrefix}/checks/?$`);
const checkPath = new RegExp(`^(${apiPrefix}/checks/[^/]+)(?:/(\\w+))?/?$`);
/** Answered with the check, and an end of what there was before: only once. */
const readsAsCheck: ReadonlySet<string> = new Set(['', 'pause', 'resume']);

/** Each use is an event of its own, or needs what the first one has used up: a link, a code, an old password. */
const onceOnly =
  /^\/web\/(?:set-password|sign-in|sign-out|account\/(?:password|totp|passkeys)|in\/[^/]+\/checks\/[^/]+\/move)(?:\/|$)/;
/** A list of changes, each compared with what there was before: who applies it again sees what is left to do. */
const onceOnlyCommands: ReadonlySet<string> = new Set(['config apply', 'check move', 'api']);

const pingByHandPath = /^\/web\/in\/[^/]+\/checks\/[^/]+\/ping$/;
const deletion = /\/delete$/;

const done: ForwardedReply = { status: 200, headers: [['Content-Type', 'application/json']], body: '{}' };

/** Whether a request changes something, so that its client gives it a key. */
export function needsKey({ method }: Pick<ForwardedRequest, 'method'>): boolean {
  return !safeMethods.has(method);
}

/**
 * `serve`: what answers a request. `isRecorded`: the log has it, or it is not known whether. Null where only the client can see
 * what has become of it.
 */
export async function answerAgain(
  request: ForwardedRequest,
  isRecorded: boolean,
  serve: Serve,
): Promise<ForwardedReply | null> {
  const path = mergedSlashes(request.path);
  if (apiPath.test(path)) return answerOfApi(request, path, isRecorded, serve);
  if (isRecorded && pingByHandPath.test(path)) return done;
  if (request.idempotencyKey === undefined || !isRepeatable(request, path)) return null;
  const reply = await serve(request);
  const isGone = reply.status === 404 && (request.method === 'DELETE' || deletion.test(path));
  return isRecorded && isGone ? done : reply;
}

function isRepeatable(request: ForwardedRequest, path: string): boolean {
  if (path === adminCommandPath) return !onceOnlyCommands.has(commandIn(request));
  if (path.startsWith('/alert/')) return true;
  return path.startsWith('/web/') && !onceOnly.test(path) && !pingByHandPath.test(path);
}

/** The check as it is now: setting it again would undo what somebody else has set since. */
async function answerOfApi(
  request: ForwardedRequest,
  path: string,
  isRecorded: boolean,
  serve: Serve,
): Promise<ForwardedReply | null> {
  const read = (of: string): Promise<ForwardedReply> =>
    serve({
      ...request,
      method: 'GET',
      path: of,
      query: '',
      apiKey: keyOf(request),
      body: new Uint8Array(0),
    });
  if (checksPath.test(path)) {
    const { idempotencyKey: key } = request;
    if (request.method !== 'POST' || key === undefined) return null;
    const check = await read(`${path.replace(/\/$/, '')}/${idsOf(key).newUuid()}`);
    // It was refused, or has changed a check that there was: the same again, which does no more.
    return check.status === 200 ? { ...check, status: 201 } : serve(request);
  }
  const [, check, action = ''] = checkPath.exec(path) ?? [];
  if (check === undefined) return null;
  // Nobody knows whether it was done: what may be done twice is, but a second resumption might end a later pause.
  if (!isRecorded) return action === 'resume' ? null : serve(request);
  if (!readsAsCheck.has(action)) return serve(request);
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
