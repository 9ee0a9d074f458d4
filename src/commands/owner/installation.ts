/** Commands about the whole installation: passwords, snapshots. */
import type { User } from '../../domain/accounts/user.ts';
import { auditFact } from '../../engine/context/audit-facts.ts';
import { KnellError } from '../../lib/errors.ts';
import { optional, required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { asIs, command } from '../contract/declaration.ts';
import { needsShell } from '../contract/needs-shell.ts';
import { linkPath } from '../secrets/tokens.ts';

export const installationCommands = {
  /** The link with which a user sets a new password; while there is no owner, the one that creates the first. */
  'password reset': command({
    effect: 'changes',
    role: 'owner',
    help: 'print a link that sets a new password (default: of the only owner)',
    takes: { user: optional(kind.user, '[user]') },
    run({ user: named }, { context, nowMs, shell }) {
      const users = context.engine.read.users();
      const user = named ?? onlyOwner(users);
      // With an owner's password one can set up shell integrations on the page.
      if (!shell && (user === null || user.role === 'owner'))
        throw needsShell('reset the password of an owner');
      const of = { subjectId: user?.id ?? '', name: user?.name ?? '', detail: 'to set a password' };
      context.engine.change.noteAudit(auditFact('link-created', 'member', of));
      // Path and fragment, to be appended to the base URL.
      return { user, others: user ? [] : namesOf(users), path: linkPath(context.tokens.link(user, nowMs)) };
    },
    shown: ({ user, others, path }, { baseUrl }) => {
      return { user: user?.name ?? null, link: baseUrl() + path, others };
    },
  }),
  /** For somebody who has lost the phone and the recovery codes: the password is enough until the user sets it up again. */
  'user reset-totp': command({
    effect: 'changes',
    role: 'owner',
    help: 'let a member who has lost the phone sign in with the password only',
    takes: { user: required(kind.user, '<user>') },
    run({ user }, { context, shell }) {
      if (!shell && user.role === 'owner') throw needsShell('reset the two-factor sign-in of an owner');
      if (!user.totp) throw new KnellError('conflict', `${user.name} signs in without codes`);
      return context.engine.change.updateUser(user.id, (now) => ({ ...now, totp: undefined }));
    },
    shown: ({ id, name }) => ({ id, name }),
  }),
  'server info': command({
    effect: 'changes',
    role: 'owner',
    line: null,
    help: 'what the server is, with a path that is answered once, and only by this process',
    takes: {},
    run: (_, { context: { echoes, baseUrl, listens, mailServer }, nowMs }) => {
      const echo = echoes.open(nowMs);
      return { baseUrl: baseUrl(), node: process.versions.node, echo, listens, mail: mailServer() };
    },
    shown: ({ baseUrl, node, echo, mail, listens: { http, httpCompat, smtp } }) => ({
      ...{ base_url: baseUrl, node, echo },
      mail_server: mail && { host: mail.host, port: mail.port, encryption: mail.encryption },
      listens: { http, http_compat: httpCompat, smtp },
    }),
  }),
  snapshot: command({
    effect: 'changes',
    role: 'owner',
    help: 'write everything into one file; pings go on meanwhile',
    more: `Without FILE, the snapshot is written into snapshots/ of the data directory and kept until you delete it.
A running Knell also writes snapshots there, and deletes its older ones: see KNELL_SNAPSHOTS.
For a FILE named list or verify, write ./list or ./verify.`,
    takes: {
      file: optional(kind.text(), '[file]', 'where to write it, on the server'),
    },
    run({ file }, { context, shell, progress }) {
      if (file !== undefined && !shell) throw needsShell('name the file of a snapshot');
      return context.engine.writeSnapshot(file ?? context.newSnapshotFile(), progress);
    },
    shown: asIs,
  }),
} as const;

/**
 * Null while there is no owner, whatever other users there are: then the link creates the first one. The file system is the
 * permission of the command line, so no old password is asked for.
 */
function onlyOwner(users: readonly User[]): User | null {
  const owners = users.filter(({ role }) => role === 'owner');
  const [first = null, ...others] = owners;
  if (others.length === 0) return first;
  throw new KnellError(
    'conflict',
    `there are ${owners.length} owners: name one of ${namesOf(owners).join(', ')}`,
  );
}

function namesOf(users: readonly User[]): readonly string[] {
  return users.map(({ name }) => name);
}
