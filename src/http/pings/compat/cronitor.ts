/** Telemetry of Cronitor: `/p/<ping key>/<slug>?state=run|complete|fail|ok`, as its libraries send it. */
import type { Action } from '../../../domain/check/classify.ts';
import { hostOf } from '../address-words.ts';
import { bySlug, partsBehind, resultsIn, runIdOf } from './address.ts';
import { type CompatEndpoint, inWords, notFoundHere } from './compat-endpoint.ts';

const prefix = '/p/';

/** A map: a client may send `constructor`. Without a state it is a heartbeat. */
const actions: ReadonlyMap<string, Action> = new Map([
  ['', 'success'],
  ['run', 'start'],
  ['complete', 'success'],
  ['fail', 'fail'],
  ['ok', 'success'],
]);

export const cronitor: CompatEndpoint = {
  ...inWords,
  owns: (path) => path.startsWith(prefix),
  read({ request, query }) {
    const [pingKey, slug, ...others] = partsBehind(prefix, request.path);
    if (pingKey === undefined || slug === undefined || others.length > 0) return notFoundHere;
    const named = bySlug(pingKey, slug, query);
    if ('status' in named) return named;
    const action = actions.get(query.get('state') ?? '');
    if (action === undefined) return { status: 400, words: 'state is one of run, complete, fail, ok' };
    return {
      pings: [
        {
          ...named,
          action,
          rid: runIdOf(query.get('series') ?? ''),
          host: hostOf(query.get('host')),
          results: resultsIn(query.getAll('metric')),
          message: query.get('message') ?? '',
        },
      ],
    };
  },
};
