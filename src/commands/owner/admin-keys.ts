/**
 * Commands about the keys of the admin API.
 * Invariant: an admin key creates none that may do more than itself.
 */
import type { AdminKey } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import { optional, required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { command } from '../contract/declaration.ts';

export const adminKeyCommands = {
  'admin-key create': command({
    effect: 'changes',
    role: 'owner',
    line: 'key create-admin',
    help: 'create a key for the admin API, which acts as an owner; it is printed only once',
    more: `Without --allow-shell the key cannot create, edit or delete integrations of kind shell, name the file of a snapshot, or
reset the password of an owner.`,
    takes: {
      name: required(kind.logged(kind.text()), '<name>', 'what it is called'),
      shell: optional(
        kind.flag(),
        '--allow-shell',
        'it may also do what runs commands or writes files on the server',
      ),
    },
    run({ name, shell = false }, { context, nowMs, shell: mayUseShell }) {
      if (shell && !mayUseShell)
        throw new KnellError('conflict', 'only admin keys created with --allow-shell may create such keys');
      return context.engine.change.createAdminKey(name, shell, nowMs);
    },
    shown: ({ key, clear }) => ({ ...shownAdminKey(key), key: clear }),
  }),
  'admin-key list': command({
    effect: 'reads',
    role: 'owner',
    line: 'key list-admin',
    help: 'list the keys of the admin API',
    takes: {},
    run: (_, { context }) => context.engine.read.adminKeys(),
    shown: (keys) => keys.map(shownAdminKey),
  }),
  'admin-key revoke': command({
    effect: 'changes',
    role: 'owner',
    line: 'key revoke-admin',
    help: 'revoke a key of the admin API, by its name or id; it stops working at once',
    takes: { key: required(kind.adminKey, '<key>') },
    async run({ key }, { context }) {
      await context.engine.change.revokeAdminKey(key.id);
      return key;
    },
    shown: ({ id, name }) => ({ id, name, revoked: true }),
  }),
} as const;

interface ShownAdminKey extends Pick<AdminKey, 'id' | 'name' | 'shell'> {
  readonly created: string;
}

function shownAdminKey({ id, name, shell, createdAtMs }: AdminKey): ShownAdminKey {
  return { id, name, shell, created: new Date(createdAtMs).toISOString() };
}
