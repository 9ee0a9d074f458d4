/** Commands about the whole installation: passwords, snapshots. */
import type { User } from '../../domain/accounts/user.ts';
import { auditFact } from '../../engine/context/audit-facts.ts';
import type { Engine } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asIs, type OwnerCommand } from '../contract/command.ts';
import { needsShell } from '../contract/needs-shell.ts';
import { linkPath } from '../secrets/tokens.ts';

interface PasswordLink {
  /** Null: the link creates the first user. */
  readonly user: User | null;
  /** Path and fragment, to be appended to the base URL. */
  readonly path: string;
}

/** The link with which a user sets a new password; while there is no user, the one that sets the first. */
export const resetPassword: OwnerCommand<User | null, PasswordLink, ShownPasswordLink> = {
  effect: 'changes',
  role: 'owner',
  input({ targets, shell }) {
    const user = targets.user();
    // With an owner's password one can set up shell integrations on the page.
    if (!shell && (user === null || user.role === 'owner'))
      throw needsShell('reset the password of an owner');
    return user;
  },
  run(user, { context, nowMs }) {
    const of = { subjectId: user?.id ?? '', name: user?.name ?? '', detail: 'to set a password' };
    context.engine.change.noteAudit(auditFact('link-created', 'member', of));
    return { user, path: linkPath(context.tokens.link(user, nowMs)) };
  },
  shown: ({ user, path }, { baseUrl }) => ({ user: user?.name ?? null, link: baseUrl() + path }),
};

/** For somebody who has lost the phone and the recovery codes: the password is enough until the user sets it up again. */
export const resetTotp: OwnerCommand<User, User, Pick<User, 'id' | 'name'>> = {
  effect: 'changes',
  role: 'owner',
  input({ targets, shell }) {
    const user = targets.user();
    if (user === null) throw new KnellError('not-found', 'there is no user yet');
    if (!shell && user.role === 'owner') throw needsShell('reset the two-factor sign-in of an owner');
    return user;
  },
  run(user, { context }) {
    if (!user.totp) throw new KnellError('conflict', `${user.name} signs in without codes`);
    return context.engine.change.updateUser(user.id, (now) => ({ ...now, totp: undefined }));
  },
  shown: ({ id, name }) => ({ id, name }),
};

export interface ServerInfo {
  readonly baseUrl: string;
  readonly node: string;
  /** A path that is answered once, and only by this process: see `echo-routes`. */
  readonly echo: string;
}

export const serverInfo: OwnerCommand<null, ServerInfo, ShownServer> = {
  effect: 'changes',
  role: 'owner',
  input: () => null,
  run: (_, { context: { echoes, baseUrl }, nowMs }) => {
    return { baseUrl: baseUrl(), node: process.versions.node, echo: echoes.open(nowMs) };
  },
  shown: ({ baseUrl, node, echo }) => ({ base_url: baseUrl, node, echo }),
};

type SnapshotSummary = Awaited<ReturnType<Engine['writeSnapshot']>>;

export const writeSnapshot: OwnerCommand<string, SnapshotSummary> = {
  effect: 'changes',
  role: 'owner',
  input({ args, context, shell }) {
    if (typeof args.file !== 'string') return context.newSnapshotFile();
    if (!shell) throw needsShell('name the file of a snapshot');
    return args.file;
  },
  run: (file, { context, progress }) => context.engine.writeSnapshot(file, progress),
  shown: asIs,
};

interface ShownPasswordLink {
  readonly user: string | null;
  readonly link: string;
}

export interface ShownServer extends Pick<ServerInfo, 'node' | 'echo'> {
  readonly base_url: string;
}
