/**
 * The command that runs one request of the management API in a project, without a key: what the API can do, `knell` can do
 * over the socket, in the same words.
 */
import type { Project } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import {
  type ApiEndpoint,
  type ApiResult,
  apiMethods,
  asIs,
  choiceIn,
  type OwnerCommand,
  textIn,
} from '../contract/command.ts';

interface ApiRequest {
  readonly project: Project;
  readonly endpoint: ApiEndpoint;
  readonly json: JsonObject;
}

/** `path`: below `/api/v3/`, such as `checks/?slug=backup`. */
export const callApi: OwnerCommand<ApiRequest, ApiResult> = {
  effect: 'changes',
  role: 'editor',
  input({ args, targets, context }) {
    const path = textIn(args, 'path');
    const endpoint = context.api.find(choiceIn(args, 'method', apiMethods), path);
    if (endpoint === null) throw new KnellError('usage', `the API has no ${path.split('?', 1)[0]}`);
    return { project: targets.project(), endpoint, json: objectIn(args.json) };
  },
  run({ project, endpoint, json }, { context: { engine }, nowMs }) {
    return endpoint({ engine, project, json, nowMs });
  },
  shown: asIs,
};

function objectIn(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
