/**
 * Dead Man's Snitch: `/<token>?m=…&s=<exit status>`, or the same as a form: most scripts send `curl -d s=$?`. The token is a UUID and
 * nothing else: any other name below the root may be a page's.
 */
import { uuidWordsOf } from '../../../lib/uuid-words.ts';
import { pingText } from '../../wire/replies.ts';
import { exitStatusIn, uuidIn } from './address.ts';
import { type CompatEndpoint, inWords, notFoundHere } from './compat-endpoint.ts';

function uuidOf(path: string): string | null {
  return uuidIn(path.slice(1).replace(/\/$/, ''));
}

/** Null for a body that is kept as it is: what a job printed is sent with the same content type. */
function formIn(body: Uint8Array): URLSearchParams | null {
  const [first, second] = body;
  const isForm = (first === 0x73 || first === 0x6d) && second === 0x3d;
  return isForm ? new URLSearchParams(Buffer.from(body).toString('utf8')) : null;
}

export const deadMansSnitch: CompatEndpoint = {
  ...inWords,
  owns: (path) => uuidOf(path) !== null,
  read({ request, query }) {
    const uuid = uuidWordsOf(uuidOf(request.path) ?? '');
    if (uuid === null) return notFoundHere;
    const form = formIn(request.body);
    const status = query.get('s') ?? form?.get('s') ?? '';
    const exitStatus = exitStatusIn(status);
    if (exitStatus === null && status !== '')
      return { status: 400, words: 's is an exit status from 0 to 255' };
    const message = query.get('m') ?? form?.get('m') ?? '';
    const kept = form === null ? {} : { body: Buffer.from(message) };
    return { pings: [{ target: { by: 'uuid', uuid }, action: 'success', exitStatus, message, ...kept }] };
  },
  done: () => pingText(202, 'OK'),
};
