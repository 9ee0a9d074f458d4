/**
 * The command that runs one request of the management API in a project, without a key: what the API can do, `knell` can do
 * over the socket, in the same words.
 */
import { KnellError } from '../../lib/errors.ts';
import { optional, required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { apiMethods } from '../contract/command.ts';
import { asIs, command } from '../contract/declaration.ts';

export const apiCommands = {
  api: command({
    effect: 'changes',
    role: 'editor',
    line: null,
    help: 'run one request of the management API in a project',
    takes: {
      project: required(kind.project, null),
      method: required(kind.choice(apiMethods), null),
      path: required(kind.text(), null, 'below `/api/v3/`, such as `checks/?slug=backup`'),
      json: optional(kind.object, null, 'the body'),
    },
    run({ project, method, path, json = {} }, { context: { api, engine }, nowMs }) {
      const endpoint = api.find(method, path);
      if (endpoint === null) throw new KnellError('usage', `the API has no ${path.split('?', 1)[0]}`);
      return endpoint({ engine, project, json, nowMs });
    },
    shown: asIs,
  }),
} as const;
