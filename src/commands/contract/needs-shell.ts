/** Actions that an admin key may do only if it may run commands on the server. */
import { KnellError } from '../../lib/errors.ts';

/** `what`: a verb and its object. */
export function needsShell(what: string): KnellError {
  return new KnellError('conflict', `only admin keys created with --allow-shell may ${what}`);
}
