/**
 * Heartbeats of Better Stack: `/api/v1/heartbeat/<token>`, with `/fail` or an exit status behind it. The token is a UUID, or
 * `<ping key>/<slug>`.
 */
import { pingText } from '../../wire/replies.ts';
import { exitStatusIn, partsBehind, tokenIn } from './address.ts';
import { type CompatEndpoint, notFoundHere } from './compat-endpoint.ts';

const prefix = '/api/v1/heartbeat/';

export const betterStack: CompatEndpoint = {
  owns: (path) => path.startsWith(prefix),
  reads: [],
  keepsBodyEnd: true,
  read({ request, query }) {
    const named = tokenIn(partsBehind(prefix, request.path) ?? [], query);
    if ('status' in named) return named;
    const {
      rest: [ending = '', ...others],
      ...of
    } = named;
    if (others.length > 0) return notFoundHere;
    if (ending === '' || ending === 'fail')
      return { pings: [{ ...of, action: ending === 'fail' ? 'fail' : 'success' }] };
    const exitStatus = exitStatusIn(ending);
    return exitStatus === null
      ? { status: 400, words: 'the address ends with the token, /fail, or an exit status from 0 to 255' }
      : { pings: [{ ...of, action: 'success', exitStatus }] };
  },
  done: () => pingText(200, 'OK'),
  refuse: ({ status, words }) => pingText(status, words),
};
