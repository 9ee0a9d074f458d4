/**
 * Dead Man's Snitch: `/<token>?m=…&s=<exit status>`. The token is a UUID and nothing else: any other name below the root may be a page's.
 */
import { uuidWordsOf } from '../../../lib/uuid-words.ts';
import { pingText } from '../../wire/replies.ts';
import { exitStatusIn, uuidIn } from './address.ts';
import { type CompatEndpoint, inWords, notFoundHere } from './compat-endpoint.ts';

function uuidOf(path: string): string | null {
  return uuidIn(path.slice(1).replace(/\/$/, ''));
}

export const deadMansSnitch: CompatEndpoint = {
  ...inWords,
  owns: (path) => uuidOf(path) !== null,
  read({ request, query }) {
    const uuid = uuidWordsOf(uuidOf(request.path) ?? '');
    if (uuid === null) return notFoundHere;
    const status = query.get('s') ?? '';
    const exitStatus = exitStatusIn(status);
    if (exitStatus === null && status !== '')
      return { status: 400, words: 's is an exit status from 0 to 255' };
    const message = query.get('m') ?? '';
    return { pings: [{ target: { by: 'uuid', uuid }, action: 'success', exitStatus, message }] };
  },
  done: () => pingText(202, 'OK'),
};
