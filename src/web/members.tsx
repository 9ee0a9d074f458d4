/** Who may sign in, and as what. For owners. */

import { useState } from 'preact/hooks';
import type { MemberView } from '../domain/page-view.ts';
import { type Role, roles } from '../domain/user.ts';
import { fromRoot } from './base-path.ts';
import { Act, Copyable, Problem, Sure } from './bits.tsx';
import { messageOf, send } from './door.ts';

interface MembersProps {
  readonly members: readonly MemberView[];
  readonly reload: () => void;
  readonly self: string;
}

export function Members({ members, reload, self }: MembersProps) {
  const [link, setLink] = useState('');
  const [failed, setFailed] = useState('');
  const offer = (path: string, body: unknown): Promise<void> =>
    send<{ link: string }>('POST', path, body).then((made) => {
      setLink(location.origin + fromRoot(made.link));
      reload();
    });
  const change = (id: string, role: string): void => {
    send('POST', `/web/users/${id}`, { role }).then(reload, (reason: unknown) =>
      setFailed(messageOf(reason)),
    );
  };
  return (
    <section>
      <h2>Members</h2>
      <p>
        People who can sign in. Roles apply to all projects. Owners: everything. Editors: everything except
        keys, members and projects. Viewers: read-only.
      </p>
      {link !== '' && (
        <div class="shown-once" role="status">
          <p>Send them this link to set a password (one use, expires in 24 hours):</p>
          <Copyable text={link} />
        </div>
      )}
      <Problem text={failed} />
      <ul class="plain">
        {members.map(({ id, name, role, hasPassword, hasTotp }) => (
          <li key={id} class="line">
            <strong>{name}</strong> {!hasPassword && <span class="faint">no password yet</span>}
            <RoleChoice label={`Role of ${name}`} role={role} change={(next) => change(id, next)} />
            <Act class="quiet" run={() => offer(`/web/users/${id}`, { link: true })} failed={setFailed}>
              Reset password<span class="hidden"> for {name}</span>
            </Act>
            {hasTotp && (
              <Sure
                label="Reset two-factor sign-in"
                of={name}
                ask={`${name} will sign in with the password only, until they set it up again.`}
                yes="Reset"
                run={() => send('POST', `/web/users/${id}`, { resetTotp: true }).then(reload)}
              />
            )}
            {id !== self && (
              <Sure
                label="Remove"
                of={name}
                ask={`${name} will be signed out everywhere and lose access to all projects.`}
                yes="Remove"
                run={() => send('DELETE', `/web/users/${id}`).then(reload)}
              />
            )}
          </li>
        ))}
      </ul>
      <Invite offer={(name, role) => offer('/web/users', { name, role })} failed={setFailed} />
    </section>
  );
}

function RoleChoice(props: { label: string; role: Role; change: (role: string) => void }) {
  return (
    <select
      aria-label={props.label}
      value={props.role}
      onChange={(event) => props.change(event.currentTarget.value)}
    >
      {roles.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

interface InviteProps {
  readonly offer: (name: string, role: Role) => Promise<void>;
  readonly failed: (error: string) => void;
}

function Invite({ offer, failed }: InviteProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  return (
    <div class="inline">
      <label>
        Name of a new member
        <input value={name} maxLength={100} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <RoleChoice
        label="Role of the new member"
        role={role}
        change={(next) => setRole(roles.find((one) => one === next) ?? 'viewer')}
      />
      <Act run={() => offer(name, role)} failed={failed} disabled={name.trim() === ''}>
        Invite
      </Act>
    </div>
  );
}
