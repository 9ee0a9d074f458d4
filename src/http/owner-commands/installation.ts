/** Commands about the whole installation: passwords, snapshots. */
import type { User } from '../../domain/user.ts';
import type { Engine } from '../../engine/engine.ts';
import { linkPath } from '../web/tokens.ts';
import type { OwnerCommand } from './command.ts';

interface PasswordLink {
  /** Null: the link creates the first user. */
  readonly user: User | null;
  /** Path and fragment, to be appended to the base URL. */
  readonly path: string;
}

/** The link with which a user sets a new password; while there is no user, the one that sets the first. */
export const resetPassword: OwnerCommand<User | null, PasswordLink> = {
  role: 'owner',
  input: ({ targets }) => targets.user(),
  run: (user, { context, nowMs }) => ({ user, path: linkPath(context.tokens.link(user, nowMs)) }),
};

type SnapshotSummary = Awaited<ReturnType<Engine['writeSnapshot']>>;

export const writeSnapshot: OwnerCommand<string, SnapshotSummary> = {
  role: 'owner',
  input: ({ args, context }) => (typeof args.file === 'string' ? args.file : context.newSnapshotFile()),
  run: (file, { context, progress }) => context.engine.writeSnapshot(file, progress),
};
