/**
 * Commands about the keys of the admin API.
 * Invariant: an admin key creates none that may do more than itself.
 */
import type { AdminKey } from '../../domain/accounts/project.ts';
import type { NewAdminKey } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { flagIn, type OwnerCommand, textIn } from '../contract/command.ts';

export const createAdminKey: OwnerCommand<
  Pick<AdminKey, 'name' | 'shell'>,
  NewAdminKey,
  ShownAdminKey & { readonly key: string }
> = {
  effect: 'changes',
  role: 'owner',
  input({ args, shell: mayUseShell }) {
    const shell = args.shell === undefined ? false : flagIn(args, 'shell');
    if (shell && !mayUseShell)
      throw new KnellError('conflict', 'only admin keys created with --allow-shell may create such keys');
    return { name: textIn(args, 'name'), shell };
  },
  run: ({ name, shell }, { context, nowMs }) => context.engine.change.createAdminKey(name, shell, nowMs),
  shown: ({ key, clear }) => ({ ...shownAdminKey(key), key: clear }),
};

export const listAdminKeys: OwnerCommand<null, readonly AdminKey[], readonly ShownAdminKey[]> = {
  effect: 'reads',
  role: 'owner',
  input: () => null,
  run: (_, { context }) => context.engine.read.adminKeys(),
  shown: (keys) => keys.map(shownAdminKey),
};

export const revokeAdminKey: OwnerCommand<
  AdminKey,
  AdminKey,
  Pick<AdminKey, 'id' | 'name'> & { readonly revoked: true }
> = {
  effect: 'changes',
  role: 'owner',
  input: ({ targets }) => targets.adminKey(),
  async run(key, { context }) {
    await context.engine.change.revokeAdminKey(key.id);
    return key;
  },
  shown: ({ id, name }) => ({ id, name, revoked: true }),
};

interface ShownAdminKey extends Pick<AdminKey, 'id' | 'name' | 'shell'> {
  readonly created: string;
}

function shownAdminKey({ id, name, shell, createdAtMs }: AdminKey): ShownAdminKey {
  return { id, name, shell, created: new Date(createdAtMs).toISOString() };
}
