/**
 * The management API without a key, for the command that runs one of its requests in a project. `commands/owner/api` decides
 * who may run that command.
 */
import type { Api } from '../../commands/contract/command.ts';
import type { HttpReply } from '../wire/message.ts';
import type { ApiCall } from './call.ts';
import { routeOf } from './routes.ts';

/** `baseUrl` is known once the HTTP listener is open. */
export function apiByCommand(
  baseUrl: () => string,
  deliveries: ApiCall['deliveries'],
  search: ApiCall['search'],
): Api {
  return {
    find(method, pathBelowVersion) {
      const [path = '', query = ''] = pathBelowVersion.split('?', 2);
      const routed = routeOf(`/api/v3/${path}`);
      const handler = routed.kind === 'route' ? routed.handlers.get(method) : undefined;
      if (routed.kind !== 'route' || !handler) return null;
      return async ({ engine, project, json, nowMs }) => {
        const { status, body } = await handler.endpoint({
          read: engine.read,
          change: engine.change,
          baseUrl: baseUrl(),
          version: routed.version,
          project,
          readOnly: false,
          readsBodies: true,
          by: 'command line',
          path: routed.path,
          query: new URLSearchParams(query),
          json,
          nowMs,
          changesAt: () => {},
          ...{ deliveries, search },
        });
        return { status, body: textOf(body) };
      };
    },
  };
}

function textOf(body: HttpReply['body']): string {
  if (typeof body === 'string') return body;
  return Buffer.concat('parts' in body ? body.parts : [body]).toString();
}
