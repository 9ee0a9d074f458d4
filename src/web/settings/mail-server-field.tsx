/**
 * The form of the mail server, in parts: nobody has to know how an address is written, nor what to encode in a password. What is
 * saved is the address that the parts give.
 * Invariant: it begins empty, and the password that is set never comes back.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { ShownTick } from '../account/password-field.tsx';
import { Refusal } from '../core/calls.ts';
import { useFirstField } from '../core/use-focus.ts';
import { Problem, useOnce } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, useFormErrors } from '../ui/field-error.tsx';
import { SaveButton } from '../ui/unchanged.tsx';
import { type MailParts, mailUrlOf, usualPorts, wrongPart } from './mail-url.ts';

interface MailServerFieldProps {
  readonly save: (address: string) => Promise<void>;
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

const texts = [
  ['host', 'Host', 'Such as mail.example.org'],
  ['port', 'Port', ''],
  ['user', 'User', 'Empty: no sign-in'],
  ['password', 'Password', ''],
] as const;

function Parts({ save, close, effect }: Omit<MailServerFieldProps, 'children'>) {
  const [parts, setParts] = useState(nothing);
  const [isShown, show] = useState(false);
  const { form, invalid, failed, typed, otherThan } = useFormErrors();
  useFirstField(form);
  const isSame = texts.every(([name]) => parts[name].trim() === '');
  const [busy, act] = useOnce(async () => {
    const wrong = wrongPart(parts);
    if (wrong) throw new Refusal(wrong[1], wrong[0]);
    await save(mailUrlOf(parts));
  }, failed);
  const part = (name: keyof MailParts) =>
    typed((text) => setParts((before) => ({ ...before, [name]: text })));
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
              placeholder={name === 'port' ? usualPorts[parts.encryption] : example}
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
                onChange={({ currentTarget }) => part('encryption')(currentTarget.value)}
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
