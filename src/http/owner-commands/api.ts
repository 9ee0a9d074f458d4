/**
 * The command that runs one request of the management API in a project, without a key: what the API can do, `knell` can do
 * over the socket, in the same words.
 */
import type { Project } from '../../domain/project.ts';
import { KnellError } from '../../lib/errors.ts';
import { type Routed, type RouteHandler, routeOf } from '../api/routes.ts';
import type { HttpReply } from '../message.ts';
import { choiceIn, type OwnerCommand, textIn } from './command.ts';

interface ApiRequest {
  readonly project: Project;
  readonly routed: Extract<Routed, { kind: 'route' }>;
  readonly handler: RouteHandler;
  readonly query: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** What `knell` gets: the status, and the JSON as text. */
export interface ApiResult {
  readonly status: number;
  readonly body: string;
}

const methods = ['GET', 'POST', 'DELETE'] as const;

/** `path`: below `/api/v3/`, such as `checks/?slug=backup`. */
export const callApi: OwnerCommand<ApiRequest, ApiResult> = {
  role: 'editor',
  input({ args, targets }) {
    const [path = '', query = ''] = textIn(args, 'path').split('?', 2);
    const routed = routeOf(`/api/v3/${path}`);
    const handler =
      routed.kind === 'route' ? routed.handlers.get(choiceIn(args, 'method', methods)) : undefined;
    if (routed.kind !== 'route' || !handler) throw new KnellError('usage', `the API has no ${path}`);
    return { project: targets.project(), routed, handler, query, json: objectIn(args.json) };
  },
  async run({ project, routed, handler, query, json }, { context, nowMs }) {
    const reply = await handler.endpoint({
      read: context.engine.read,
      change: context.engine.change,
      baseUrl: context.baseUrl(),
      version: routed.version,
      project,
      readOnly: false,
      by: 'command line',
      path: routed.path,
      query: new URLSearchParams(query),
      json,
      nowMs,
      newId: null,
    });
    return { status: reply.status, body: textOf(reply.body) };
  },
};

function objectIn(value: unknown): ApiRequest['json'] {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(body: HttpReply['body']): string {
  if (typeof body === 'string') return body;
  return Buffer.concat('parts' in body ? body.parts : [body]).toString();
}
