/** `password reset`, for whoever runs this Knell: the file system is the permission, so no old password is asked for. */
import { KnellError } from '../lib/errors.ts';
import type { Call } from './admin-call.ts';
import { linkPath } from './web/settings.ts';

/** The link by which a user sets a new password; while there is no user, the one that sets the first. */
export async function resetPassword({ engine, tokens, baseUrl, args, nowMs }: Call): Promise<unknown> {
  const users = engine.read.users();
  const name = typeof args.user === 'string' ? args.user.toLowerCase() : null;
  const owners = users.filter(({ role }) => role === 'owner');
  const user = name === null ? owners[0] : users.find((one) => one.name.toLowerCase() === name);
  if (!user && (users.length > 0 || name !== null)) {
    const known = users.map((one) => one.name).join(', ') || 'nobody yet';
    throw new KnellError('not-found', `no user is named ${name}; there is ${known}`);
  }
  const link = baseUrl + linkPath(tokens.link(user ?? null, nowMs));
  return { user: user?.name ?? null, link };
}
