/**
 * The admin API: the owner's commands over HTTP, opened by an admin key in the header. `/api/admin/project/list` is the command
 * `project list`. `admin-routes` has the commands and the JSON of their outcomes.
 * Invariants: no page of another site can use it (no CORS, and the key is taken only from a header). Every change is logged
 * with the key that made it and without its values, which contain secrets.
 */

import { argumentsOf, type CommandName, commandAt, onlyReads } from '../../commands/table.ts';
import { actorOf } from '../../domain/accounts/audit.ts';
import type { AdminKey } from '../../domain/accounts/project.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { createRateLimit, type RateLimit, rateLimitOptions } from '../../lib/rate-limit.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import { requestJson } from '../api/request-json.ts';
import { errorReply, jsonReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../wire/message.ts';
import { refusal } from '../wire/refusal.ts';
import type { AdminCommands } from './admin-routes.ts';

export const adminPrefix = '/api/admin/';

interface AdminApiOptions {
  readonly read: Pick<EngineRead, 'adminKeyOf'>;
  readonly run: AdminCommands;
  readonly logger: Logger;
  /** Requests per minute and client; 0 means no limit. */
  readonly rateLimitPerMinute: number;
}

/** Serves the paths that begin with `/api/admin/`. */
export function createAdminApi({ rateLimitPerMinute, ...options }: AdminApiOptions): Route {
  const rateLimit = rateLimitPerMinute > 0 ? createRateLimit(rateLimitOptions(rateLimitPerMinute)) : null;
  return async (request) => {
    const reply = await answer({ ...options, rateLimit }, request);
    return { ...reply, headers: [...reply.headers, ['Cache-Control', 'no-store']] };
  };
}

interface AdminContext extends Omit<AdminApiOptions, 'rateLimitPerMinute'> {
  readonly rateLimit: RateLimit | null;
}

async function answer(context: AdminContext, request: HttpRequest): Promise<HttpReply> {
  const waitSeconds = context.rateLimit?.take(request.clientAddr, request.receivedAtMs) ?? 0;
  if (waitSeconds > 0)
    return errorReply(429, `too many requests, try again in ${waitSeconds} s`, [
      ['Retry-After', String(waitSeconds)],
    ]);
  if (request.apiKey === null) return errorReply(401, 'missing api key');
  const key = context.read.adminKeyOf(request.apiKey);
  if (key === null) return errorReply(401, 'wrong api key');
  const command = commandAt(request.path.slice(adminPrefix.length));
  if (command === null) return notFound;
  const methods = onlyReads(command) ? ['GET', 'POST'] : ['POST'];
  if (!methods.includes(request.method))
    return errorReply(405, 'method not allowed', [['Allow', methods.join(', ')]]);
  return runAs(context, key, command, request);
}

async function runAs(
  { run, logger }: AdminContext,
  key: AdminKey,
  command: CommandName,
  request: HttpRequest,
): Promise<HttpReply> {
  const actor = actorOf('admin-key', key.name, key.id, request.clientAddr);
  const body = request.method === 'GET' ? queryArgs(request) : requestJson(request);
  if (!body.ok) return body.reply;
  const log = (error?: string): void => {
    if (onlyReads(command)) return;
    const what = {
      key: key.name,
      command,
      ...namesIn(command, body.json),
      ...(error === undefined ? {} : { error }),
    };
    logger.info(what, error === undefined ? 'changed by an admin key' : 'refused to an admin key');
  };
  try {
    const result = await run({ command, args: body.json }, () => {}, { shell: key.shell, actor });
    log();
    return jsonReply(result ?? null);
  } catch (error) {
    if (error instanceof KnellError) log(error.code);
    return refusal(error);
  }
}

/** Parameters of a query are texts; a command that takes anything else has to be sent by POST. */
function queryArgs({ query }: HttpRequest): { readonly ok: true; readonly json: JsonObject } {
  return { ok: true, json: Object.fromEntries(new URLSearchParams(query)) };
}

/** Names of what a change is about, as far as its arguments may be in the log. */
function namesIn(command: CommandName, args: JsonObject): Readonly<Record<string, string>> {
  const said = Object.entries(argumentsOf(command)).flatMap(([name, { logged }]) => {
    const text = logged?.(args[name]) ?? null;
    return text === null ? [] : [[`of_${name}`, text] as const];
  });
  return Object.fromEntries(said);
}
