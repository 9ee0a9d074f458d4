/** The two pages that people see before they are signed in. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameCharsMax } from '../../domain/limits.ts';
import type { LinkView, SignInView } from '../../domain/views/account-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import { takeWanted, wantedKind } from '../core/route.ts';
import { useFirstField, useFocusAfterForm } from '../core/use-focus.ts';
import { Act, Problem } from '../ui/bits.tsx';
import {
  allRefusedIn,
  type FieldError,
  FieldErrorText,
  joined,
  markedInvalid,
  noFieldError,
  refusedIn,
  useErrorInFocus,
  useFormErrors,
} from '../ui/field-error.tsx';
import { Logo } from '../ui/icons.tsx';
import { passkeysPossible } from './passkey-support.ts';
import { ChosenPassword, lookOf, ShownTick } from './password-field.tsx';

function useForm(path: string, extra: Readonly<Record<string, string>>) {
  const form = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  useErrorInFocus(form, invalid);
  const [busy, setBusy] = useState(false);
  /** It is true once the password was right and a code is asked for. */
  const [isCodeAsked, setAsked] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const refused = joined(allRefusedIn(event.currentTarget));
    setInvalid(refused);
    if (refused.error !== '') return;
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const answer = await send<SignInView>('POST', path, { ...Object.fromEntries(fields), ...extra });
      if (answer.code) {
        setBusy(false);
        setAsked(true);
        return;
      }
      location.assign(takeWanted() ?? fromRoot('/'));
    } catch (reason) {
      setInvalid({ field: '', error: messageOf(reason) });
      setBusy(false);
    }
  };
  return { form, invalid, busy, isCodeAsked, submit };
}

interface SignInProps {
  readonly fresh: boolean;
  readonly oidc: string | null;
  readonly sendsMail: boolean;
}

/** Who has followed a link, or mistyped an address, reads why this page is here. */
function Wanted() {
  const [kind] = useState(wantedKind);
  if (kind === 'none') return null;
  return (
    <p class="faint">
      {kind === 'page'
        ? 'The page that you asked for is shown once you are signed in.'
        : 'There is no page at that address, or it was moved. Sign in to look for it.'}
    </p>
  );
}

export function SignIn({ fresh, oidc, sendsMail }: SignInProps) {
  const { form, invalid, busy, isCodeAsked, submit } = useForm('/web/sign-in', {});
  const [isForgotten, setForgotten] = useState(false);
  const [isShown, setShown] = useState(false);
  const forgot = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(forgot, isForgotten);
  const code = useRef<HTMLInputElement>(null);
  // A document heeds only its first `autofocus`.
  useLayoutEffect(() => code.current?.focus(), [isCodeAsked]);
  if (fresh) return <Unset />;
  if (isForgotten) return <Forgotten back={() => setForgotten(false)} />;
  return (
    <main class="lone">
      <Title text="Sign in to Knell" />
      <Wanted />
      <form onSubmit={submit} ref={form} noValidate>
        <label>
          Name or email address
          <input name="name" autocomplete="username" required autofocus {...markedInvalid('name', invalid)} />
        </label>
        <FieldErrorText name="name" invalid={invalid} />
        <label>
          Password
          <input
            name="password"
            autocomplete="current-password"
            required
            {...lookOf(isShown)}
            {...markedInvalid('password', invalid)}
          />
        </label>
        <FieldErrorText name="password" invalid={invalid} />
        <ShownTick isShown={isShown} show={setShown} />
        {isCodeAsked && (
          <label>
            Code of your authenticator app, or a recovery code
            <input
              ref={code}
              name="code"
              autocomplete="one-time-code"
              maxLength={20}
              required
              {...markedInvalid('code', invalid)}
            />
          </label>
        )}
        <FieldErrorText name="code" invalid={invalid} />
        <Problem text={invalid.field === '' ? invalid.error : ''} />
        <button type="submit" class="main" disabled={busy}>
          Sign in
        </button>
      </form>
      {passkeysPossible() && <ByPasskey />}
      {oidc !== null && <ByOidc words={oidc} />}
      {sendsMail ? (
        <p class="forgot">
          <button type="button" class="quiet" ref={forgot} onClick={() => setForgotten(true)}>
            Forgot your password?
          </button>
        </p>
      ) : (
        <p class="faint forgot">
          Forgot your password? Run <code>npx knell password reset NAME</code> on the server.
        </p>
      )}
    </main>
  );
}

/** The answer is the same for every name: it does not show whether there is an account. */
function Forgotten({ back }: { readonly back: () => void }) {
  const [isSent, setSent] = useState(false);
  const { form, invalid, failed, otherThan } = useFormErrors();
  useFirstField(form);
  const leave = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(leave, !isSent);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const { error, field } = refusedIn(event.currentTarget);
    failed(error, field);
    if (error !== '') return;
    send('POST', '/web/forgotten-password', Object.fromEntries(new FormData(event.currentTarget))).then(
      () => setSent(true),
      (reason: unknown) => failed(messageOf(reason)),
    );
  };
  return (
    <main class="lone">
      <Title text="Forgot your password?" />
      {isSent ? (
        <p role="status">
          If there is an account of that name with an email address, a link to set a new password is on its
          way. It works once, within 24 hours. Three are sent at once, then one every ten minutes at most:
          look at the newest.
        </p>
      ) : (
        <form onSubmit={submit} ref={form} noValidate>
          <label>
            Name or email address
            <input name="name" autocomplete="username" required {...markedInvalid('name', invalid)} />
          </label>
          <FieldErrorText name="name" invalid={invalid} />
          <p class="faint">
            The link goes to the address that reports go to, or to the name, if that is an email address.
          </p>
          <Problem text={otherThan('name')} />
          <button type="submit" class="main">
            Send a link
          </button>
        </form>
      )}
      <p class="forgot">
        <button type="button" class="quiet" ref={leave} onClick={back}>
          Back to sign-in
        </button>
      </p>
      <p class="faint forgot">
        No email? An owner can create a link, and so can <code>npx knell password reset NAME</code> on the
        server.
      </p>
    </main>
  );
}

/** These words say what went wrong at the provider; the server puts the key into the address. */
const failures: Readonly<Record<string, string>> = {
  unreachable: "The provider can't be reached. Try again in a moment.",
  state: 'This sign-in was not begun in this browser, or took too long. Try again.',
  code: 'This sign-in was used already, or has expired. Try again.',
  answer: "The provider's answer is not valid. Try again, or ask an owner.",
  denied: 'The provider did not let you sign in.',
  unverified: 'The provider has not verified your email address.',
  unknown: 'You are not a member here. Ask an owner to invite you.',
  other: 'The member with your email address belongs to another account of the provider. Ask an owner.',
  busy: 'Too many are signing in. Try again in a moment.',
};

function ByOidc({ words }: { readonly words: string }) {
  const failure = new URLSearchParams(location.search).get('failed') ?? '';
  return (
    <>
      <p class="or">or</p>
      <Problem text={failures[failure] ?? ''} />
      <a class="button" href={fromRoot('/web/oidc/start')} target="_self">
        {words}
      </a>
    </>
  );
}

function ByPasskey() {
  const [failed, setFailed] = useState('');
  const run = async (): Promise<void> => {
    const { signInWithPasskey } = await import('./passkey-browser.ts');
    await signInWithPasskey();
    location.assign(takeWanted() ?? fromRoot('/'));
  };
  return (
    <>
      <p class="or">or</p>
      <Act run={run} failed={setFailed}>
        Sign in with a passkey
      </Act>
      <Problem text={failed} />
    </>
  );
}

function Unset() {
  return (
    <main class="lone">
      <Title text="Welcome to Knell" />
      <p>
        To finish setup, open the link printed when the server started, or run{' '}
        <code>npx knell password reset</code>.
      </p>
    </main>
  );
}

/** What is known of the link in the address: `asked` until the server has answered, or where it cannot. */
type LinkState = { readonly is: 'asked' | 'dead' } | ({ readonly is: 'good' } & LinkView);

/** A link that was used or has expired is refused when the page is opened, not after somebody has thought of a password. */
function useLink(link: string): LinkState {
  const [state, setState] = useState<LinkState>({ is: 'asked' });
  useEffect(() => {
    send<LinkView>('POST', '/web/link', { link }).then(
      (view) => setState({ is: 'good', ...view }),
      (reason: unknown) => {
        if (reason instanceof Refusal && reason.status === 410) setState({ is: 'dead' });
      },
    );
  }, [link]);
  return state;
}

/** The token of the link is in the hash of the URL. */
export function SetPassword({ fresh, sendsMail }: Pick<SignInProps, 'fresh' | 'sendsMail'>) {
  const link = location.hash.slice(1);
  const { form, invalid, busy, submit } = useForm('/web/set-password', { link });
  const state = useLink(link);
  const [password, setPassword] = useState('');
  // A document heeds only its first `autofocus`, which may have been that of the sign-in page.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  // A link with parts belongs to somebody who is a user already: an import brings users before there is an owner.
  const isOwners = fresh && !link.includes('.');
  if (state.is === 'dead') return <DeadLink {...{ fresh, sendsMail }} />;
  const { name, invitedBy, project } = state.is === 'good' ? state : { name: '' };
  return (
    <main class="lone">
      <Title text={isOwners ? 'Welcome to Knell' : 'Set your password'} />
      {invitedBy !== undefined && (
        <p>
          <strong>{invitedBy}</strong> invites you to{' '}
          {project === undefined ? (
            'Knell'
          ) : (
            <>
              the project <strong>{project}</strong>
            </>
          )}
          .
        </p>
      )}
      {name !== '' && (
        <p>
          For <strong>{name}</strong>
        </p>
      )}
      <form onSubmit={submit} ref={form} noValidate>
        {isOwners && (
          <label>
            Your name
            <input
              name="name"
              autocomplete="username"
              defaultValue="owner"
              required
              maxLength={nameCharsMax}
              {...ownNameMarked(invalid)}
            />
          </label>
        )}
        <FieldErrorText name="name" invalid={invalid} />
        {isOwners && (
          <p class="faint hint" id="own-name-hint">
            With an email address as your name, you can reset a forgotten password by mail
            {sendsMail ? '.' : ', once this server has a mail server.'}
          </p>
        )}
        <ChosenPassword label="Password" password={password} type={setPassword} invalid={invalid} />
        <Problem text={invalid.field === '' ? invalid.error : ''} />
        <button type="submit" class="main" disabled={busy}>
          Set password
        </button>
      </form>
    </main>
  );
}

/** The field of the own name has a hint beside what is wrong with it. */
function ownNameMarked(invalid: FieldError) {
  const { 'aria-describedby': error = '', ...marked } = markedInvalid('name', invalid);
  return { ...marked, 'aria-describedby': `own-name-hint ${error}`.trim() };
}

function DeadLink({ fresh, sendsMail }: Pick<SignInProps, 'fresh' | 'sendsMail'>) {
  const [isForgotten, setForgotten] = useState(false);
  if (isForgotten) return <Forgotten back={() => location.assign(fromRoot('/sign-in'))} />;
  const asks = fresh
    ? 'On the server, '
    : `${sendsMail ? 'Or ask' : 'Ask'} an owner for a new link: they create it under Settings\u00a0→\u00a0Members, or with `;
  return (
    <main class="lone">
      <Title text="This link cannot be used" />
      <p role="alert">It was used already, it has expired, or a part of it is missing.</p>
      {!fresh && sendsMail && (
        <p>
          Knell can send a new link to your email address:{' '}
          <button type="button" class="quiet" onClick={() => setForgotten(true)}>
            Forgot your password?
          </button>
        </p>
      )}
      <p>
        {asks}
        <code>npx knell password reset NAME</code>
        {fresh ? ' prints a new one.' : ' on the server.'}
      </p>
      {!fresh && (
        <p class="forgot">
          <a class="button" href={fromRoot('/sign-in')}>
            Sign in
          </a>
        </p>
      )}
    </main>
  );
}

function Title({ text }: { readonly text: string }) {
  return (
    <div class="lone-title">
      <Logo />
      <h1>{text}</h1>
    </div>
  );
}
