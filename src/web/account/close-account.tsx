/** The end of one's own account: what it means is said before, and it takes the password and the name, typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountView, ClosingView } from '../../domain/views/account-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { send, useAsk } from '../core/calls.ts';
import { membersAddress } from '../core/route.ts';
import { Problem } from '../ui/bits.tsx';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { Panel } from '../ui/panel.tsx';
import { checkGiven, PasswordField } from './password-field.tsx';

interface CloseAccountProps {
  /** The one whose members can be made owners; empty if there is none. */
  readonly project?: string;
  readonly name: string;
  readonly closing: ClosingView;
  readonly hasPassword: boolean;
}

export function CloseAccount({ project = '', name, closing, hasPassword }: CloseAccountProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const { refusal, isLastOwner } = closing;
  return (
    <Panel
      title="Close this account"
      help="Ends your sessions, passkeys and reports, and your roles. Projects, checks and integrations stay."
      look="danger"
    >
      {isLastOwner && project !== '' ? (
        <p>
          You can't close your account: you are the only owner of this server, so{' '}
          <a href={membersAddress(project)}>make another member an owner</a> first.
        </p>
      ) : refusal === '' ? (
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          Close your account…
        </button>
      ) : (
        <p>You can't close your account: {refusal}.</p>
      )}
      {/* Made anew each time, so that nothing typed stays in it. */}
      <dialog ref={dialog} aria-labelledby="close-account" onClose={() => setOpen(false)}>
        {isOpen && (
          <Confirm
            name={name}
            closing={closing}
            hasPassword={hasPassword}
            close={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </Panel>
  );
}

/** The same for a member without a project, whose page has nothing else of the account. */
export function CloseOwnAccount() {
  const { data, error } = useAsk<AccountView>('/web/account');
  return data ? <CloseAccount {...data} /> : <Problem text={error} />;
}

interface ConfirmProps extends Omit<CloseAccountProps, 'project'> {
  readonly close: () => void;
}

function Confirm({ name, closing, hasPassword, close }: ConfirmProps) {
  const [present, setPresent] = useState('');
  const run = async (typed: string): Promise<void> => {
    if (hasPassword) checkGiven(present, 'present');
    await send('POST', '/web/account/close', { name: typed, present });
    location.assign(fromRoot('/sign-in'));
  };
  return (
    <ConfirmByName
      id="close-account"
      title="Close your account?"
      {...{ name, run, close }}
      label="Close permanently"
      {...(hasPassword
        ? {
            more: {
              field: 'present',
              of: ({ typed, errorOf }) => (
                <PasswordField password={present} type={typed(setPresent)} error={errorOf('present')} />
              ),
            },
          }
        : {})}
      isFilled={present !== '' || !hasPassword}
    >
      <p>You are signed out everywhere, and nobody can sign in as {name} any more. This cannot be undone.</p>
      <LeftProjects closing={closing} />
    </ConfirmByName>
  );
}

function LeftProjects({ closing: { projects, more } }: Pick<CloseAccountProps, 'closing'>) {
  if (projects.length === 0) return null;
  return (
    <>
      <p>Nobody else owns these projects. They stay, and the owners of this server keep them:</p>
      <ul>
        {projects.map((project) => (
          <li key={project}>{project}</li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </>
  );
}
