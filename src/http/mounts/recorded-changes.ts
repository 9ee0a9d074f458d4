/**
 * Answers a client of another node whose change may be in the log, but whose answer was lost with the leader that made it.
 * `cluster/requests/request-server` finds out what the log has of it.
 * Invariant: nothing is changed a second time. A request that is served again under its idempotency key finds what it created,
 * sets what is set, and misses what it has deleted; any other kind is not served again.
 */
import {
  type ForwardedReply,
  type ForwardedRequest,
  safeMethods,
} from '../../cluster/requests/forwarded-request.ts';
import { idsOf } from '../../lib/ids.ts';
import { adminCommandPath, commandIn } from '../admin/forwarded-admin.ts';
import { asksForMaintenance } from '../pings/maintenance-routes.ts';
import { mergedSlashes } from '../wire/message.ts';

type Serve = (request: ForwardedRequest) => Promise<ForwardedReply>;

/** Paths of the management API, and of the page's way to it. */
const apiPrefix = '/(?:api/v[123]|web/in/[^/]+/api)';
const apiPath = new RegExp(`^${apiPrefix}/`);
const checksPath = new RegExp(`^${apiPrefix}/checks/?$`);
const checkPath = new RegExp(`^(${apiPrefix}/checks/[^/]+)(?:/(\\w+))?/?$`);
const maintenancePath = new RegExp(`^${apiPrefix}/maintenance/`);
/** Actions that are answered with the check. They end the state before them, so once one is recorded the check is only read. */
const readsAsCheck: ReadonlySet<string> = new Set(['', 'pause', 'resume']);

/**
 * Requests that cannot be repeated: each use is an event of its own, or needs what the first one has used up, such as a link, a
 * code or an old password.
 */
const onceOnly =
  /^\/web\/(?:set-password|sign-in|sign-out|account\/(?:password|totp|passkeys|close)|in\/[^/]+\/(?:checks\/[^/]+\/move|hand-over\/(?:accept|decline)))(?:\/|$)/;
/**
 * Commands that are lists of changes, each compared with what there was before: a user who applies one again sees what is left
 * to do.
 */
const onceOnlyCommands: ReadonlySet<string> = new Set(['config apply', 'check move', 'api']);

const pingByHandPath = /^\/web\/in\/[^/]+\/checks\/[^/]+\/ping$/;
const deletion = /\/delete$/;

const done: ForwardedReply = { status: 200, headers: [['Content-Type', 'application/json']], body: '{}' };

/** Whether a request changes something, so that its client gives it a key. */
export function needsKey({ method }: Pick<ForwardedRequest, 'method'>): boolean {
  return !safeMethods.has(method);
}

/**
 * Answers by `serve`. `isRecorded` is true if the log has the change, and false if that is not known. Returns null if only the
 * client can see the outcome.
 */
export async function answerAgain(
  request: ForwardedRequest,
  isRecorded: boolean,
  serve: Serve,
): Promise<ForwardedReply | null> {
  const path = mergedSlashes(request.path);
  if (apiPath.test(path)) return answerOfApi(request, path, isRecorded, serve);
  if (isRecorded && pingByHandPath.test(path)) return answerOfPing(request, path, serve);
  if (request.idempotencyKey === undefined || !isRepeatable(request, path)) return null;
  const reply = await serve(request);
  // What it has removed is gone, and what the command would have shown with it.
  if (isRecorded && path === adminCommandPath && saysNotFound(reply)) return null;
  const isGone = reply.status === 404 && (request.method === 'DELETE' || deletion.test(path));
  return isRecorded && isGone ? done : reply;
}

function isRepeatable(request: ForwardedRequest, path: string): boolean {
  if (path === adminCommandPath) return !onceOnlyCommands.has(commandIn(request));
  // Started until the same time again, or ended once more, maintenance is what it was.
  if (path.startsWith('/alert/') || asksForMaintenance({ method: request.method, path })) return true;
  return path.startsWith('/web/') && !onceOnly.test(path) && !pingByHandPath.test(path);
}

/** Answers with the check as it is now: setting it again would undo later changes of others. */
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
    // The first request was refused, or changed an existing check. The same request again does no more.
    return check.status === 200 ? { ...check, status: 201 } : serve(request);
  }
  if (maintenancePath.test(path)) return answerOfMaintenance(request, path, isRecorded, serve);
  const [, check, action = ''] = checkPath.exec(path) ?? [];
  if (check === undefined) return null;
  // It is not known whether it was done. It is repeated if that does no harm, but a second resumption might end a later pause.
  if (!isRecorded) return action === 'resume' ? null : serve(request);
  if (!readsAsCheck.has(action)) return serve(request);
  // No check comes back under its address: one that is there was not deleted, and the request was refused.
  if (request.method === 'DELETE') {
    const now = await read(check);
    return now.status === 404 ? { ...now, status: 200, body: '{}' } : serve(request);
  }
  // A request that was refused is recorded, too. An edit of nothing by the same client is refused for the same reasons, and is
  // answered with the check. What it does not show may have been done, and undone since: only the client can see which.
  const key = objectIn(request.body).api_key;
  const body = Buffer.from(JSON.stringify(key === undefined ? {} : { api_key: key }));
  const now = await serve({ ...request, path: check, query: '', body });
  return now.status !== 200 || shows(now, request, action) ? now : null;
}

/** A new window has an id that follows from the key. An edit could undo a later one, so only the client can see its outcome. */
async function answerOfMaintenance(
  request: ForwardedRequest,
  path: string,
  isRecorded: boolean,
  serve: Serve,
): Promise<ForwardedReply | null> {
  if (request.method === 'DELETE') {
    const reply = await serve(request);
    return isRecorded && reply.status === 404 ? done : reply;
  }
  const creates = path.endsWith('/maintenance/') && request.idempotencyKey !== undefined;
  return creates || !isRecorded ? serve(request) : null;
}

function saysNotFound(reply: ForwardedReply): boolean {
  const { error } = objectIn(bytesOf(reply)) as { readonly error?: { readonly code?: unknown } };
  return error?.code === 'not-found';
}

/** Whether the check is as the request would have it. */
function shows(now: ForwardedReply, request: ForwardedRequest, action: string): boolean {
  const check = objectIn(bytesOf(now));
  if (action !== '') return (check.status === 'paused') === (action === 'pause');
  const { api_key: _, ...asked } = objectIn(request.body);
  return Object.entries(asked).every(([name, value]) => String(check[name]) === String(value));
}

/** Who may not ping by hand, or was asked first, has not pinged. */
async function answerOfPing(
  request: ForwardedRequest,
  path: string,
  serve: Serve,
): Promise<ForwardedReply | null> {
  const get = (of: string): Promise<ForwardedReply> =>
    serve({ ...request, method: 'GET', path: of, query: '', body: new Uint8Array(0) });
  const allowed = await get(path);
  if (allowed.status !== 200) return allowed;
  const check = objectIn(bytesOf(await get(path.replace('/checks/', '/api/checks/').replace(/\/ping$/, ''))));
  const isAsked = check.status === 'down' && objectIn(request.body).mark_up !== true;
  return isAsked ? serve(request) : done;
}

function bytesOf({ body }: ForwardedReply): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  return 'parts' in body ? Buffer.concat(body.parts) : body;
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(body).toString()));
  } catch {
    return {};
  }
}

/** Returns the key in the header, or in the body. */
function keyOf({ apiKey, body }: ForwardedRequest): string | null {
  if (apiKey !== null) return apiKey;
  const { api_key: key } = objectIn(body);
  return typeof key === 'string' ? key : null;
}
