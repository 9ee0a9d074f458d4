/**
 * The form and the list of who may see a project, and in which role. Owners of the project see it; those of the installation
 * also see who may sign in at all.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type MemberRole, memberRoles } from '../../domain/accounts/user.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { MemberView, NewMemberView } from '../../domain/views/account-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { fromRoot } from '../core/base-path.ts';
import { messageOf, send } from '../core/calls.ts';
import { useUnsaved } from '../core/typed.ts';
import { useInSight } from '../core/use-in-sight.ts';
import { Act, Copyable, LocalOnly, Problem, Sure, useOnce } from '../ui/bits.tsx';
import {
  FieldErrorText,
  markedInvalid,
  noFieldError,
  refuseTooLong,
  useErrorInFocus,
} from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { say } from '../ui/toasts.tsx';
import { type NewOwner, RoleChoice, roleWords, SavedRole, useOwnerQuestion } from './role-choice.tsx';

interface MembersProps {
  readonly project: string;
  readonly members: readonly MemberView[];
  readonly reload: () => void;
  readonly self: string;
  readonly isOwnerOfAll: boolean;
  readonly sendsMail: boolean;
  /** Whether a proxy signs members in, of which there is no trace. */
  readonly byProxy: boolean;
}

export function Members(props: MembersProps) {
  const { project, members, reload, self, isOwnerOfAll, sendsMail, byProxy } = props;
  const { links, add, drop, copied } = useLinks();
  const { failed, setFailed, turn, fresh } = useFailure();
  const mark = useInSight(failed);
  const offered = useNewestLink(links[0]?.link ?? '');
  // Owners of the installation see all members: the server keeps the last owner as one.
  const owners = members.filter(({ role }) => role === 'owner').length;
  const isLastOwner = ({ role }: MemberView): boolean => isOwnerOfAll && role === 'owner' && owners === 1;
  const offer = (path: string, body: unknown, name: string, to = ''): Promise<void> => {
    fresh();
    return send<NewMemberView>('POST', path, body).then((made) => {
      add(made, name, to === self);
      reload();
    });
  };
  const [askOwner, ownerQuestion] = useOwnerQuestion();
  const hint = useId();
  const change = async (member: MemberView, isOfAll: boolean, role: string): Promise<boolean> => {
    const { id, name } = member;
    fresh();
    if (role === 'owner' && !(await askOwner({ name, isOfAll }))) return false;
    const path = isOfAll ? `/web/users/${id}` : `/web/in/${project}/members/${id}`;
    const before = isOfAll ? member.role : (member.ownRole ?? 'default');
    const set = (to: string): Promise<unknown> => send('POST', path, { role: to }).finally(reload);
    try {
      await set(role);
      say(roleWords(member, role, isOfAll), () => set(before), [id]);
      return true;
    } catch (reason) {
      setFailed(messageOf(reason));
      return false;
    }
  };
  return (
    <Panel title="Members" look="full">
      <div ref={mark} class="in-sight" />
      {links.length > 0 && (
        <div class="shown-once" role="status" ref={offered}>
          {links.map((one) => (
            <OfferedLink key={one.name} {...one} copied={() => copied(one.link)} />
          ))}
        </div>
      )}
      <Problem text={failed} />
      <Roles />
      <p class="faint" id={hint}>
        A role is saved once it is chosen; by keyboard, with Enter or when you leave the field.
      </p>
      <table class="members">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">In this project</th>
            {isOwnerOfAll && <th scope="col">In all other projects</th>}
            {isOwnerOfAll && <th scope="col">{accountTitle}</th>}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Member
              key={member.id}
              member={member}
              isSelf={member.id === self}
              isLastOwner={isLastOwner(member)}
              byProxy={byProxy}
              hint={hint}
              save={(role) => change(member, false, role)}
            >
              {isOwnerOfAll && (
                <>
                  {!isLastOwner(member) && (
                    <td data-head="In all other projects">
                      <SavedRole
                        label={`Role of ${member.name} in all other projects`}
                        hint={hint}
                        role={member.role}
                        save={(role) => change(member, true, role)}
                      />
                    </td>
                  )}
                  <td data-head={accountTitle}>
                    <Account
                      {...{ member, offer, reload, self, fresh }}
                      failed={setFailed}
                      deleted={() => {
                        drop(member.name);
                        // It takes the place of what was said of a role, which nothing can give back.
                        say(`${member.name} was deleted.`, null, [member.id]);
                        reload();
                      }}
                    />
                  </td>
                </>
              )}
            </Member>
          ))}
        </tbody>
      </table>
      <Invite
        {...{ isOwnerOfAll, sendsMail, askOwner, turn }}
        offer={(body) => offer(`/web/in/${project}/members`, body, body.name)}
        failed={setFailed}
      />
      {ownerQuestion}
    </Panel>
  );
}

/** What was said of an action. `turn` is another one with each action that begins with `fresh`: what was said before it is over. */
function useFailure() {
  const [failed, setFailed] = useState('');
  const [turn, setTurn] = useState(0);
  const fresh = (): void => {
    setFailed('');
    setTurn((before) => before + 1);
  };
  return { failed, setFailed, turn, fresh };
}

/** Those that were created on this visit of the page, which asks before one is lost that nobody has copied. */
function useLinks() {
  const [links, setLinks] = useState<readonly Link[]>([]);
  useUnsaved(() => links.some(({ isCopied }) => !isCopied), 'link');
  const drop = (name: string): void => setLinks((before) => before.filter((one) => one.name !== name));
  const add = ({ link, mailed }: NewMemberView, name: string, isOwn: boolean): void => {
    if (link === null) return;
    const added = {
      link: location.origin + fromRoot(link),
      name,
      isOwn,
      mailed,
      isCopied: mailed?.error === null,
    };
    // Of each member the last one counts.
    setLinks((before) => [added, ...before.filter((one) => one.name !== name)]);
  };
  const copied = (link: string): void =>
    setLinks((before) => before.map((one) => (one.link === link ? { ...one, isCopied: true } : one)));
  return { links, add, drop, copied };
}

/** Gives the focus to what copies the newest link, which is above the form that asked for it. Returns the ref of the box of all links. */
function useNewestLink(link: string) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (link === '') return;
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector<HTMLElement>('.copyable button')?.focus();
  }, [link]);
  return box;
}

/** A link to set a password, which is shown only on this visit of the page. */
interface Link {
  readonly link: string;
  readonly name: string;
  /** Whether it is for who sees it. */
  readonly isOwn: boolean;
  /** What became of the email with it, if there was one. */
  readonly mailed: NewMemberView['mailed'] | undefined;
  /** Whether it may be left; one that was mailed has arrived where it is wanted. */
  readonly isCopied: boolean;
}

function OfferedLink({ link, name, isOwn, mailed, copied }: Link & { readonly copied: () => void }) {
  return (
    <>
      {mailed?.error === null && <p>An invitation was sent to {mailed.to}.</p>}
      {typeof mailed?.error === 'string' && (
        <p class="problem">
          The invitation to {mailed.to} was not sent: {mailed.error}
        </p>
      )}
      <p>
        {linkWords(isOwn ? '' : name, mailed?.error === null)} to set a password (one use, expires in 24
        hours):
      </p>
      <Copyable text={link} copied={copied} />
      <LocalOnly url={link} what="This link" />
    </>
  );
}

/** What each role may do, from most to least. */
function Roles() {
  return (
    <ul class="plain faint">
      <li>
        <strong>Owner:</strong> changes everything, also the project itself, its keys and its members.
      </li>
      <li>
        <strong>Editor:</strong> changes checks, integrations, maintenance windows and status pages.
      </li>
      <li>
        <strong>Viewer:</strong> reads only.
      </li>
      <li>
        <strong>None:</strong> does not see the project.
      </li>
    </ul>
  );
}

/** Beside roles in a project: an account is the same in all of them. */
const accountTitle = 'Account on this server';

/** `name`: of another member, whom it is for. */
function linkWords(name: string, isMailed: boolean): string {
  const words = name === '' ? 'use this link' : `send ${name} this link`;
  return isMailed ? `If the email does not arrive, ${words}` : capital(words);
}

interface MemberProps {
  readonly member: MemberView;
  readonly isSelf: boolean;
  /** Its role cannot change anywhere: one cell says so for both. */
  readonly isLastOwner: boolean;
  readonly byProxy: boolean;
  readonly hint: string;
  readonly save: (role: string) => Promise<boolean>;
  readonly children: ComponentChildren;
}

function Member({ member, isSelf, isLastOwner, byProxy, hint, save, children }: MemberProps) {
  const { name, role, ownRole, isNew } = member;
  return (
    <tr>
      <th scope="row">
        {name}
        {isSelf && <span class="note">you</span>}
        {isNew && !byProxy && <span class="note">not signed in yet</span>}
      </th>
      <td data-head={isLastOwner ? 'Role' : 'In this project'} {...(isLastOwner ? { colSpan: 2 } : {})}>
        {isLastOwner ? (
          'Owner of all projects, and the only owner'
        ) : role === 'owner' ? (
          'owner, as in other projects'
        ) : (
          <SavedRole
            label={`Role of ${name} in this project`}
            {...{ hint, save }}
            role={ownRole}
            elsewhere={role}
          />
        )}
      </td>
      {children}
    </tr>
  );
}

interface AccountProps {
  readonly member: MemberView;
  readonly self: string;
  /** `to` is whom the link is for. */
  readonly offer: (path: string, body: unknown, name: string, to: string) => Promise<void>;
  readonly reload: () => void;
  readonly failed: (error: string) => void;
  /** Drops what was said of an action before. */
  readonly fresh: () => void;
  readonly deleted: () => void;
}

function Account({ member, self, offer, reload, failed, fresh, deleted }: AccountProps) {
  const { id, name, hasTotp, hasPassword } = member;
  return (
    <>
      <Act
        class="quiet"
        run={() => offer(`/web/users/${id}`, { link: true }, member.name, id)}
        failed={failed}
      >
        {hasPassword ? 'Reset password' : 'New invitation link'}
        <span class="hidden"> for {name}</span>
      </Act>
      {hasTotp && (
        <Sure
          label="Reset two-factor sign-in"
          of={name}
          title={`Reset two-factor sign-in of ${name}?`}
          ask={`${name} will sign in with the password only, until they set it up again.`}
          yes="Reset"
          run={() => send('POST', `/web/users/${id}`, { resetTotp: true }).then(reload).finally(fresh)}
        />
      )}
      {id !== self && (
        <Sure
          label="Delete account…"
          of={name}
          isDanger
          title={`Delete the account of ${name}?`}
          ask={`${name} will be signed out everywhere and lose access to all projects of this server.`}
          yes="Delete"
          run={() => send('DELETE', `/web/users/${id}`).then(deleted).finally(fresh)}
        />
      )}
    </>
  );
}

interface InviteProps {
  readonly isOwnerOfAll: boolean;
  readonly sendsMail: boolean;
  readonly askOwner: (owner: NewOwner) => Promise<boolean>;
  readonly offer: (body: { readonly name: string; readonly role: string }) => Promise<void>;
  readonly failed: (error: string) => void;
  /** Another one with each action on the page: what was said of the name before it is over. */
  readonly turn: number;
}

const roleNamed = (name: string): MemberRole => memberRoles.find((one) => one === name) ?? 'none';

function Invite({ isOwnerOfAll, sendsMail, askOwner, offer, failed, turn }: InviteProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('editor');
  const [installation, setInstallation] = useState<MemberRole>('none');
  const add = async (): Promise<void> => {
    refuseTooLong(name, nameCharsMax, 'name');
    const isOfAll = isOwnerOfAll && installation === 'owner';
    if ((isOfAll || role === 'owner') && !(await askOwner({ name: name.trim(), isOfAll }))) return;
    await offer({ name, role, ...(isOwnerOfAll ? { installation } : {}) });
    setName('');
    // It is for one person only, as what it opens is more than this project.
    setInstallation('none');
  };
  useUnsaved(() => name.trim() !== '');
  const form = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  const [busy, act] = useOnce(add, (error, field) =>
    field === 'name' ? setInvalid({ field: 'new-member', error }) : failed(error),
  );
  useErrorInFocus(form, invalid);
  useEffect(() => setInvalid(noFieldError), [turn]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    failed('');
    if (name.trim() !== '') void act();
    else setInvalid({ field: 'new-member', error: 'Enter a name or an email address.' });
  };
  return (
    <form class="inline" onSubmit={submit} ref={form} noValidate>
      <label>
        Name or email address of a new member
        <input
          value={name}
          {...markedInvalid('new-member', invalid)}
          onInput={(event) => {
            setName(event.currentTarget.value);
            setInvalid(noFieldError);
            failed('');
          }}
        />
      </label>
      <RoleChoice label="Role in this project" role={role} change={(next) => setRole(roleNamed(next))} />
      {isOwnerOfAll && (
        <RoleChoice
          label="Role in all other projects"
          role={installation}
          change={(next) => setInstallation(roleNamed(next))}
        />
      )}
      <button
        type="submit"
        class="main"
        aria-disabled={busy || name.trim() === ''}
        title={name.trim() === '' ? 'Enter a name or an email address first.' : undefined}
      >
        Invite
      </button>
      <FieldErrorText name="new-member" invalid={invalid} />
      <p class="faint">
        {sendsMail
          ? 'A new member with an email address is sent an invitation. For any other name, you get a link to pass on.'
          : 'For a new member, you get a link to pass on.'}
      </p>
    </form>
  );
}
