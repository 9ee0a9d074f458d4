/**
 * The form of the mail server, in parts: nobody has to know how an address is written, nor what to encode in a password. What is
 * saved is the address that the parts give.
 * Invariant: it begins with what is set but for the password, which never comes back: left empty, it stays as long as it is for
 * the same user of the same host.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { MailServerView } from '../../domain/views/page-view.ts';
import { ShownTick } from '../account/password-field.tsx';
import { Refusal } from '../core/calls.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField } from '../core/use-focus.ts';
import { Problem, useOnce } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, useFormErrors } from '../ui/field-error.tsx';
import { SaveButton } from '../ui/unchanged.tsx';
import { type MailParts, mailUrlOf, usualPorts, wrongPart } from './mail-url.ts';

interface MailServerFieldProps {
  /** The mail server that is set; null for none. */
  readonly server: MailServerView | null;
  /** `keepsPassword`: the one that is set goes with the address. */
  readonly save: (address: string, keepsPassword: boolean) => Promise<void>;
  readonly close: () => void;
  /** When a change works. */
  readonly effect: string;
  /** The form of the address as a whole. */
  readonly children: ComponentChildren;
}

export function MailServerField({ children, ...props }: MailServerFieldProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <div class="mail-server">
      <button type="button" class="quiet" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Enter host, user and password' : 'Enter one address instead'}
      </button>
      {isWhole ? children : <Parts {...props} />}
    </div>
  );
}

const nothing: MailParts = { host: '', port: '', encryption: 'starttls', user: '', password: '' };

/** The mail server that is set, on one line. */
export function MailServerWords({ server }: { readonly server: MailServerView }) {
  const { host, port, encryption, user, hasPassword } = server;
  return (
    <span>
      <code>{host}</code>, port {port}, {encryptionWords[encryption]},{' '}
      {user === '' ? (
        'no sign-in'
      ) : (
        <>
          user <code>{user}</code>
        </>
      )}
      {hasPassword && <span class="faint"> (password set, not shown)</span>}
    </span>
  );
}

const encryptionWords = { starttls: 'STARTTLS if offered', tls: 'TLS' } as const;

const texts = [
  ['host', 'Host', 'Such as mail.example.org'],
  ['port', 'Port', ''],
  ['user', 'User', 'Empty: no sign-in'],
  ['password', 'Password', ''],
] as const;

function Parts({ server, save, close, effect }: Omit<MailServerFieldProps, 'children'>) {
  const [before] = useState(() => (server ? { ...server, password: '' } : nothing));
  const [parts, setParts] = useState<MailParts>(before);
  const [isShown, show] = useState(false);
  const { form, invalid, failed, typed, otherThan } = useFormErrors();
  useFirstField(form);
  const isSame =
    parts.encryption === before.encryption &&
    texts.every(([name]) => parts[name].trim() === before[name].trim());
  useUnsaved(() => !isSame);
  const hasStored = server?.hasPassword === true;
  const isItsUser = parts.host.trim() === before.host && parts.user === before.user;
  const keepsPassword = hasStored && isItsUser && parts.password === '';
  const [busy, act] = useOnce(async () => {
    const wrong = wrongPart(parts);
    if (wrong) throw new Refusal(wrong[1], wrong[0]);
    if (hasStored && !isItsUser && parts.user !== '' && parts.password === '')
      throw new Refusal('Enter the password: another user or host needs it again.', 'password');
    await save(mailUrlOf(parts), keepsPassword);
  }, failed);
  const part = (name: keyof MailParts) => typed((text) => setParts((now) => ({ ...now, [name]: text })));
  const encrypt = typed((text) => {
    const encryption = text === 'tls' ? 'tls' : 'starttls';
    setParts((now) => ({
      ...now,
      encryption,
      // The usual port goes along.
      port: now.port.trim() === usualPorts[now.encryption] ? usualPorts[encryption] : now.port,
    }));
  });
  return (
    <form
      class="value"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) void act();
      }}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      noValidate
    >
      {texts.map(([name, label, example]) => (
        <Fragment key={name}>
          <label>
            {label}
            <input
              name={name}
              {...(name === 'password' && !isShown
                ? { type: 'password' as const }
                : { type: 'text' as const })}
              {...(name === 'port' ? { inputMode: 'numeric' as const } : {})}
              autocomplete={name === 'password' ? 'new-password' : 'off'}
              placeholder={
                name === 'port'
                  ? usualPorts[parts.encryption]
                  : name === 'password' && keepsPassword
                    ? 'Unchanged'
                    : example
              }
              value={parts[name]}
              onInput={({ currentTarget }) => part(name)(currentTarget.value)}
              {...markedInvalid(name, invalid)}
            />
          </label>
          <FieldErrorText name={name} invalid={invalid} />
          {name === 'port' && (
            <label>
              Encryption
              <select
                name="encryption"
                value={parts.encryption}
                onChange={({ currentTarget }) => encrypt(currentTarget.value)}
              >
                <option value="starttls">STARTTLS, if the server offers it</option>
                <option value="tls">TLS from the start</option>
              </select>
            </label>
          )}
        </Fragment>
      ))}
      <ShownTick isShown={isShown} show={show} />
      <SaveButton isSame={isSame} busy={busy}>
        Save
      </SaveButton>
      <button type="button" onClick={close}>
        Cancel
      </button>
      <p class="faint hint">{effect}</p>
      <Problem text={otherThan('host', 'port', 'user', 'password')} />
    </form>
  );
}
