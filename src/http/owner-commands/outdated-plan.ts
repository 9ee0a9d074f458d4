/** What is refused since something has changed between plan and apply. */
import { KnellError } from '../../lib/errors.ts';

export function changed(what: string): KnellError {
  return new KnellError('conflict', `${what} was changed since the plan was made: plan again`);
}
