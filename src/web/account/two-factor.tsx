/**
 * The codes of an authenticator app at the sign-in: they are set up with a QR code, have recovery codes, and can be switched
 * off.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { RecoveryCodesView, TotpView } from '../../domain/views/account-view.ts';
import { Refusal, send } from '../core/calls.ts';
import { useFirstField, useFocusAfterForm } from '../core/use-focus.ts';
import { useWide } from '../core/use-wide.ts';
import { Act, Copyable, Problem } from '../ui/bits.tsx';
import { FieldErrorText, type FormErrors, markedInvalid, useFormErrors } from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { checkGiven, PasswordField, wantsPassword } from './password-field.tsx';

interface TwoFactorProps {
  /** Number of recovery codes; null where no code is asked for. */
  readonly left: number | null;
  readonly changed: () => void;
}

export function TwoFactor({ left, changed }: TwoFactorProps) {
  const [offer, setOffer] = useState<TotpView | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const errors = useFormErrors();
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, offer !== null);
  const begin = (): Promise<void> => send<TotpView>('POST', '/web/account/totp/new').then(setOffer);
  const close = (): void => {
    errors.failed('');
    setOffer(null);
  };
  const enabled = (shown: readonly string[]): void => {
    close();
    setCodes(shown);
    changed();
  };
  return (
    <Panel
      title="Two-factor sign-in"
      help="Asks for a code of an authenticator app after the password."
      isForm
      form={errors.form}
    >
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      <Problem text={errors.otherThan('code', 'password')} />
      {left === null && codes.length === 0 && <p>Off: a password is enough to sign in.</p>}
      {left === null && !offer && codes.length === 0 && (
        <Act run={begin} failed={errors.failed} own={opener}>
          Set up…
        </Act>
      )}
      {left === null && offer && <SetUp {...{ errors, offer, enabled }} cancel={close} />}
      {left !== null && (
        <TurnedOn
          left={left}
          errors={errors}
          shown={(made) => {
            setCodes(made);
            changed();
          }}
        />
      )}
    </Panel>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  // The button that had the focus went with the form.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div class="shown-once" role="status" ref={box}>
      <p>Recovery codes: each signs you in once, without your phone. Save them, they won't be shown again.</p>
      <Copyable text={codes.join('\n')} />
    </div>
  );
}

interface SetUpProps {
  readonly errors: FormErrors;
  readonly offer: TotpView;
  readonly enabled: (codes: readonly string[]) => void;
  readonly cancel: () => void;
}

function SetUp({ errors, offer, enabled, cancel }: SetUpProps) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { invalid, failed, typed, errorOf } = errors;
  const first = useRef<HTMLDivElement>(null);
  useFirstField(first);
  const { secret, uri } = offer;
  const isWide = useWide();
  const enable = async (): Promise<void> => {
    checkGiven(password, 'password');
    if (code.trim() === '') throw new Refusal('Enter the code that the app shows.', 'code');
    const { codes } = await send<RecoveryCodesView>('POST', '/web/account/totp', { secret, code, password });
    enabled(codes);
  };
  const here = (
    <p>
      Authenticator on this device? <a href={uri}>Open it there</a>.
    </p>
  );
  return (
    <>
      {/* The first step: a keyboard over the QR code would hide it. A code holds for half a minute, and comes last. */}
      <div ref={first} class="first-field">
        <PasswordField password={password} type={typed(setPassword)} error={errorOf('password')} mayShow />
      </div>
      {!isWide && here}
      <p>Scan this with an authenticator app, or type the key in.</p>
      <QrCode text={uri} />
      <Copyable text={secret} isKey />
      {isWide && here}
      <label>
        Code that the app shows
        <input
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={10}
          value={code}
          {...markedInvalid('code', invalid)}
          onInput={({ currentTarget }) => typed(setCode)(currentTarget.value)}
        />
      </label>
      <FieldErrorText name="code" invalid={invalid} />
      <p class="faint hint">Turning it on gives you recovery codes, for when you lose the app.</p>
      <div class="actions even">
        <Act
          class="main"
          run={enable}
          failed={failed}
          wants={wantsPassword(password) || (code.trim() === '' ? 'Enter the code first.' : '')}
          isDefault
        >
          Turn on
        </Act>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

interface TurnedOnProps {
  readonly left: number;
  readonly shown: (codes: readonly string[]) => void;
  readonly errors: FormErrors;
}

function TurnedOn({ left, shown, errors: { failed, typed, errorOf } }: TurnedOnProps) {
  const [password, setPassword] = useState('');
  const run = (path: string) => async (): Promise<void> => {
    checkGiven(password, 'password');
    const { codes = [] } = await send<Partial<RecoveryCodesView>>('POST', path, { password });
    setPassword('');
    shown(codes);
  };
  return (
    <>
      <p>
        On. {left} {left === 1 ? 'recovery code is' : 'recovery codes are'} left.
      </p>
      <PasswordField password={password} type={typed(setPassword)} error={errorOf('password')} />
      <div class="actions">
        <Act run={run('/web/account/totp/recovery')} failed={failed} wants={wantsPassword(password)}>
          Create new recovery codes
        </Act>
        <Act
          class="danger"
          run={run('/web/account/totp/off')}
          failed={failed}
          wants={wantsPassword(password)}
        >
          Turn off
        </Act>
      </div>
    </>
  );
}

/** The code is dark on light in both themes, since many cameras read no other. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key">
      <rect class="light" width={size} height={size} />
      <path class="dark" d={path} />
    </svg>
  );
}
