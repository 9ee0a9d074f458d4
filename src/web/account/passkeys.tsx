/**
 * The passkeys of one's account: they are listed, added and removed here. It is loaded with the account page; the library is
 * loaded when one is added.
 */
import { useRef, useState } from 'preact/hooks';
import type { PasskeyView } from '../../domain/views/account-view.ts';
import { send } from '../core/calls.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField, useFocusAfterForm } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { Act, Problem, Sure, Time } from '../ui/bits.tsx';
import { type FormErrors, useFormErrors } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Panel } from '../ui/panel.tsx';
import { passkeysNeed, passkeysPossible } from './passkey-support.ts';
import { checkGiven, PasswordField, wantsPassword } from './password-field.tsx';

interface PasskeysProps {
  readonly passkeys: readonly PasskeyView[];
  readonly offsetMs: number;
  readonly changed: () => void;
}

export function Passkeys({ passkeys, offsetMs, changed }: PasskeysProps) {
  const nowMs = useNow(offsetMs);
  const [isAdding, add] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const errors = useFormErrors();
  useFocusAfterForm(opener, isAdding);
  const close = (): void => {
    errors.failed('');
    add(false);
  };
  return (
    <Panel
      title="Passkeys"
      help="Sign in with a fingerprint, a face or a key instead of a password. A passkey needs no further code."
      isForm
      form={errors.form}
    >
      {passkeys.length > 0 && (
        <ul class="plain">
          {passkeys.map(({ id, name, createdAtMs, usedAtMs }) => (
            <li key={id} class="line">
              <strong>{name}</strong>
              <span class="faint">
                added <Time atMs={createdAtMs} nowMs={nowMs} />
                {usedAtMs === null ? ', not used yet' : ', used '}
                {usedAtMs !== null && <Time atMs={usedAtMs} nowMs={nowMs} />}
              </span>
              <Sure
                label="Remove"
                of={name}
                ask={`${name} will no longer sign you in. Remove it from your device or password manager too.`}
                yes="Remove"
                run={() => send('DELETE', `/web/account/passkeys/${id}`).then(changed)}
              />
            </li>
          ))}
        </ul>
      )}
      {passkeys.length === 0 && !isAdding && <p>No passkey yet.</p>}
      {!passkeysPossible() && <p class="faint">{passkeysNeed()}</p>}
      {passkeysPossible() && !isAdding && (
        <button type="button" ref={opener} onClick={() => add(true)}>
          Add a passkey…
        </button>
      )}
      {isAdding && (
        <NewPasskey
          errors={errors}
          added={() => {
            close();
            changed();
          }}
          cancel={close}
        />
      )}
    </Panel>
  );
}

interface NewPasskeyProps {
  readonly errors: FormErrors;
  readonly added: () => void;
  readonly cancel: () => void;
}

function NewPasskey({ errors, added, cancel }: NewPasskeyProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { failed, typed, errorOf, otherThan } = errors;
  useUnsaved(() => name.trim() !== '');
  const first = useRef<HTMLLabelElement>(null);
  useFirstField(first);
  const create = async (): Promise<void> => {
    checkGiven(password, 'password');
    const { createPasskey } = await import('./passkey-browser.ts');
    await createPasskey(name, password);
    added();
  };
  return (
    <>
      <label ref={first}>
        Name of the passkey <FieldNote isOptional>“Passkey” if empty</FieldNote>
        <input
          value={name}
          maxLength={60}
          placeholder="Such as Laptop"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <PasswordField
        password={password}
        type={typed(setPassword)}
        error={errorOf('password')}
        hint="Confirms that it is you who adds a way to sign in."
        mayShow
      />
      <Problem text={otherThan('password')} />
      <div class="actions even">
        <Act class="main" run={create} failed={failed} wants={wantsPassword(password)} isDefault>
          Add passkey
        </Act>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
