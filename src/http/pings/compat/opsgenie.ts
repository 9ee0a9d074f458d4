/** Heartbeats of Opsgenie: `/v2/heartbeats/<name>/ping` with `Authorization: GenieKey <ping key>`. The name is a slug, or becomes one. */
import { slugify } from '../../../domain/check/slugify.ts';
import { bySlug, partsBehind } from './address.ts';
import { type CompatEndpoint, compatJson, notFoundHere } from './compat-endpoint.ts';

const prefix = '/v2/heartbeats/';
const slugLike = /^[-a-z0-9_]+$/;

export const opsgenie: CompatEndpoint = {
  owns: (path) => path.startsWith(prefix),
  reads: ['authorization'],
  read({ request, query }) {
    const [name = '', ping, ...others] = partsBehind(prefix, request.path);
    if (name === '' || ping !== 'ping' || others.length > 0) return notFoundHere;
    const [, key = ''] = /^GenieKey ([-\w]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (key === '') return { status: 401, words: 'send the ping key as Authorization: GenieKey KEY' };
    const named = bySlug(key, slugLike.test(name) ? name : slugify(name), query);
    return 'status' in named ? named : { pings: [{ ...named, action: 'success' }] };
  },
  done: () => compatJson({ result: 'PONG - Heartbeat received', took: 0, requestId: '' }, 202),
  refuse: ({ status, words }) => compatJson({ message: words }, status),
};
