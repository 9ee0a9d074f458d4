/**
 * Heartbeats of Better Stack: `/api/v1/heartbeat/<token>`, with `/fail` or an exit status behind it. The token is a UUID, or
 * `<ping key>/<slug>`.
 */
import { exitStatusIn, tokenBehind } from './address.ts';
import { type CompatEndpoint, inWords, notFoundHere } from './compat-endpoint.ts';

const prefix = '/api/v1/heartbeat/';

export const betterStack: CompatEndpoint = {
  ...inWords,
  owns: (path) => path.startsWith(prefix),
  read(asked) {
    const named = tokenBehind(prefix, asked);
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
};
