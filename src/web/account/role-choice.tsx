/** The fields in which a role is chosen, and the question before somebody becomes an owner. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type MemberRole, memberRoles } from '../../domain/accounts/user.ts';
import type { MemberView } from '../../domain/views/account-view.ts';
import { useStepped } from './stepped-choice.ts';

interface RoleChoiceProps {
  readonly label: string;
  readonly role: MemberRole;
  readonly change: (role: string) => void;
}

/** A role of somebody new, with its label: it is saved with the form that it is in. */
export function RoleChoice({ label, role, change }: RoleChoiceProps) {
  const id = useId();
  return (
    <span class="role">
      <label for={id}>{label}</label>
      <select id={id} value={role} onChange={(event) => change(event.currentTarget.value)}>
        <Roles />
      </select>
    </span>
  );
}

function Roles() {
  return memberRoles.map((one) => <option key={one}>{one}</option>);
}

interface SavedRoleProps {
  /** Not visible: the head of the table says it. */
  readonly label: string;
  /** Id of the line that says when a role is saved. */
  readonly hint: string;
  /** The role; null for the one of the installation. */
  readonly role: MemberRole | null;
  /** The role in the installation, where a role in a project is chosen. */
  readonly elsewhere?: MemberRole;
  /** Returns whether the role was saved. */
  readonly save: (role: string) => Promise<boolean>;
}

/** A role that is saved once it is chosen. */
export function SavedRole({ label, hint, role, elsewhere, save }: SavedRoleProps) {
  const choice = useStepped(role ?? 'default', save);
  return (
    <span class="role">
      <select aria-label={label} aria-describedby={hint} {...choice}>
        {elsewhere !== undefined && <option value="default">{elsewhere}, as in other projects</option>}
        <Roles />
      </select>
    </span>
  );
}

/** Somebody who is to be an owner: of one project, or of all. */
export interface NewOwner {
  readonly name: string;
  readonly isOfAll: boolean;
}

interface Asked extends NewOwner {
  readonly answer: (isWanted: boolean) => void;
}

/** Returns a question that asks whether somebody is to be an owner, and the dialog in which it is asked. */
export function useOwnerQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (owner: NewOwner): Promise<boolean> => new Promise((answer) => setAsked({ ...owner, answer }));
  return [ask, asked && <OwnerQuestion {...asked} close={() => setAsked(null)} />] as const;
}

function OwnerQuestion({ name, isOfAll, answer, close }: Asked & { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isWanted = useRef(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="owner-title"
      aria-describedby="owner-words"
      onClose={() => {
        close();
        answer(isWanted.current);
      }}
    >
      <h2 id="owner-title">
        Is {name} to be an owner of {isOfAll ? 'all projects' : 'this project'}?
      </h2>
      <p id="owner-words">
        {isOfAll
          ? 'An owner changes and deletes everything in every project, now and later, and the members and settings of this server, your role too.'
          : 'An owner changes everything in the project, also its keys and its members, your role too, and can delete it.'}
      </p>
      <div class="actions">
        <button
          type="button"
          class="main"
          onClick={() => {
            isWanted.current = true;
            dialog.current?.close();
          }}
        >
          Give the role
        </button>
        <button type="button" autofocus onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

/** Returns what somebody may do by now, whose roles in this project and in the others were those of the member. */
export function roleWords(
  { name, role: elsewhere, ownRole }: Pick<MemberView, 'name' | 'role' | 'ownRole'>,
  role: string,
  isOfAll: boolean,
): string {
  // Without a role of its own, this project has that of all others.
  const ofAll = role === 'owner' || ownRole === null ? 'all projects' : 'all other projects';
  const where = isOfAll ? ofAll : 'this project';
  const now = role === 'default' ? elsewhere : role;
  const as = role === 'default' ? ', as in other projects,' : '';
  if (now === 'none') return `${name} has no role in ${where}${as} now.`;
  return `${name} is ${now === 'viewer' ? 'a' : 'an'} ${now} of ${where}${as} now.`;
}
