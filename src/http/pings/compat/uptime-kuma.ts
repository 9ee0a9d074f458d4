/** Push monitors of Uptime Kuma: `/api/push/<token>?status=up|down&msg=…&ping=…`. The token is a UUID, or `<ping key>/<slug>`. */
import { resultsIn, tokenBehind } from './address.ts';
import { type CompatEndpoint, compatJson, notFoundHere } from './compat-endpoint.ts';

const prefix = '/api/push/';

export const uptimeKuma: CompatEndpoint = {
  owns: (path) => path.startsWith(prefix),
  read(asked) {
    const named = tokenBehind(prefix, asked);
    if ('status' in named) return named;
    const { rest, ...of } = named;
    if (rest.length > 0) return notFoundHere;
    const { query } = asked;
    const status = query.get('status') || 'up';
    if (status !== 'up' && status !== 'down') return { status: 400, words: 'status is up or down' };
    const action = status === 'up' ? 'success' : 'fail';
    const results = resultsIn([`ping:${query.get('ping') ?? ''}`]);
    return { pings: [{ ...of, action, results, message: query.get('msg') ?? '' }] };
  },
  done: () => compatJson({ ok: true }),
  refuse: ({ status, words }) => compatJson({ ok: false, msg: words }, status),
};
