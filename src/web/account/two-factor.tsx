/**
 * The codes of an authenticator app at the sign-in: they are set up with a QR code, have recovery codes, and can be switched
 * off.
 */
import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { RecoveryCodesView, TotpView } from '../../domain/views/account-view.ts';
import { send } from '../core/calls.ts';
import { Act, Copyable, Problem } from '../ui/bits.tsx';
import { Panel } from '../ui/panel.tsx';
import { PasswordField } from './password-field.tsx';

interface TwoFactorProps {
  /** Number of recovery codes; null where no code is asked for. */
  readonly left: number | null;
  readonly changed: () => void;
}

export function TwoFactor({ left, changed }: TwoFactorProps) {
  const [offer, setOffer] = useState<TotpView | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState('');
  const begin = (): Promise<void> => send<TotpView>('POST', '/web/account/totp/new').then(setOffer);
  const enabled = (shown: readonly string[]): void => {
    setOffer(null);
    setCodes(shown);
    changed();
  };
  return (
    <Panel
      title="Two-factor sign-in"
      help="Asks for a code of an authenticator app after the password."
      isForm
    >
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      <Problem text={failed} />
      {left === null && !offer && (
        <Act run={begin} failed={setFailed}>
          Set up…
        </Act>
      )}
      {left === null && offer && <SetUp offer={offer} enabled={enabled} failed={setFailed} />}
      {left !== null && (
        <TurnedOn
          left={left}
          failed={setFailed}
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
  return (
    <div class="shown-once" role="status">
      <p>Recovery codes: each signs you in once, without your phone. Save them, they won't be shown again.</p>
      <Copyable text={codes.join('\n')} />
    </div>
  );
}

interface SetUpProps {
  readonly offer: TotpView;
  readonly enabled: (codes: readonly string[]) => void;
  readonly failed: (error: string) => void;
}

function SetUp({ offer, enabled, failed }: SetUpProps) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { secret, uri } = offer;
  const enable = (): Promise<void> =>
    send<RecoveryCodesView>('POST', '/web/account/totp', { secret, code, password }).then(({ codes: made }) =>
      enabled(made),
    );
  return (
    <>
      <p>Scan this with the app, or type the key into it.</p>
      <QrCode text={uri} />
      <Copyable text={secret} />
      <label>
        Code that the app shows
        <input
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={10}
          value={code}
          onInput={({ currentTarget }) => setCode(currentTarget.value)}
        />
      </label>
      <PasswordField password={password} type={setPassword} />
      <Act
        class="main"
        run={enable}
        failed={failed}
        disabled={code.trim() === '' || password === ''}
        isDefault
      >
        Turn on
      </Act>
    </>
  );
}

interface TurnedOnProps {
  readonly left: number;
  readonly shown: (codes: readonly string[]) => void;
  readonly failed: (error: string) => void;
}

function TurnedOn({ left, shown, failed }: TurnedOnProps) {
  const [password, setPassword] = useState('');
  const run = (path: string) => (): Promise<void> =>
    send<Partial<RecoveryCodesView>>('POST', path, { password }).then(({ codes = [] }) => {
      setPassword('');
      shown(codes);
    });
  return (
    <>
      <p>
        On. {left} {left === 1 ? 'recovery code is' : 'recovery codes are'} left.
      </p>
      <PasswordField password={password} type={setPassword} />
      <div class="actions">
        <Act run={run('/web/account/totp/recovery')} failed={failed} disabled={password === ''}>
          Create new recovery codes
        </Act>
        <Act class="danger" run={run('/web/account/totp/off')} failed={failed} disabled={password === ''}>
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
