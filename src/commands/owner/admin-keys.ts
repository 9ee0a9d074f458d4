/**
 * Commands about the keys of the admin API.
 * Invariant: an admin key creates none that may do more than itself.
 */
import type { AdminKey } from '../../domain/accounts/project.ts';
import type { NewAdminKey } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { flagIn, type OwnerCommand, textIn } from '../contract/command.ts';

export const createAdminKey: OwnerCommand<Pick<AdminKey, 'name' | 'shell'>, NewAdminKey> = {
  role: 'owner',
  input({ args, shell: mayUseShell }) {
    const shell = args.shell === undefined ? false : flagIn(args, 'shell');
    if (shell && !mayUseShell)
      throw new KnellError('conflict', 'only admin keys created with --allow-shell may create such keys');
    return { name: textIn(args, 'name'), shell };
  },
  run: ({ name, shell }, { context, nowMs }) => context.engine.change.createAdminKey(name, shell, nowMs),
};

export const listAdminKeys: OwnerCommand<null, readonly AdminKey[]> = {
  role: 'owner',
  input: () => null,
  run: (_, { context }) => context.engine.read.adminKeys(),
};

export const revokeAdminKey: OwnerCommand<AdminKey, AdminKey> = {
  role: 'owner',
  input: ({ targets }) => targets.adminKey(),
  async run(key, { context }) {
    await context.engine.change.revokeAdminKey(key.id);
    return key;
  },
};
