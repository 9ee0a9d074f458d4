/** The page of one's own account: name, how times and colours are shown, password, codes at the sign-in, sessions, its end. */
import { useState } from 'preact/hooks';
import {
  type PreferenceField,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from '../../domain/accounts/preferences.ts';
import { nameCharsMax, passwordCharsMin } from '../../domain/limits.ts';
import type { AccountView, SavedAccountView, SessionView } from '../../domain/views/account-view.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { browserWords } from '../core/browser-words.ts';
import { Refusal, send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { formatted } from '../core/time-style.ts';
import { useStored, useUnsaved } from '../core/typed.ts';
import { useFocus } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { Act, NotLoaded, Problem, Sure, Time } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, useFormErrors } from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { unchangedWords } from '../ui/unchanged.tsx';
import { CloseAccount } from './close-account.tsx';
import { Passkeys } from './passkeys.tsx';
import { ChosenPassword, checkGiven, PasswordField, wantsPassword } from './password-field.tsx';
import { TwoFactor } from './two-factor.tsx';
import { WaitingAddress } from './waiting-address.tsx';

export function Account({ project, live, state, reloadState }: PageProps) {
  const { data, error, reload } = useAsk<AccountView>('/web/account');
  useTab(live.summary, 'Account');
  useFocus(data ? `${data.sessions.length} ${data.recoveryCodesLeft} ${data.passkeys.length}` : '');
  if (!data) return <NotLoaded text={error} />;
  const changed = (): void => {
    reload();
    reloadState();
  };
  return (
    <>
      <h1>Account</h1>
      <Profile account={data} state={state} offsetMs={live.offsetMs} changed={changed} />
      {data.hasPassword && <NewPassword changed={changed} />}
      {data.hasPassword && <TwoFactor left={data.recoveryCodesLeft} changed={changed} />}
      {data.hasPassword && <Passkeys passkeys={data.passkeys} offsetMs={live.offsetMs} changed={changed} />}
      {!state.byProxy && <Sessions sessions={data.sessions} offsetMs={live.offsetMs} changed={changed} />}
      <CloseAccount
        project={project}
        name={data.name}
        closing={data.closing}
        hasPassword={data.hasPassword}
      />
    </>
  );
}

interface ProfileProps {
  readonly account: AccountView;
  readonly state: PageState;
  readonly offsetMs: number;
  readonly changed: () => void;
}

/** Where the server sends mail, an address is the name only once its mail was read. */
function Profile({ account, state: { byProxy, sendsMail, user }, offsetMs, changed }: ProfileProps) {
  const [name, setName] = useState(account.name);
  const [chosen, choose] = useState<Preferences>(account.preferences);
  const { form, invalid, failed, typed, errorOf, otherThan } = useFormErrors();
  const [isSaved, setSaved] = useState(false);
  const [present, setPresent] = useState('');
  const [storedName, noteName] = useStored(account.name);
  const [stored, noteChosen] = useStored(account.preferences);
  const isOther = name.trim() !== storedName;
  const isAddress = [name, account.name].some((one) => one.includes('@'));
  const isSame = !isOther && isEqual(chosen, user?.preferences ?? account.preferences);
  // The menu of the header changes the colours, too.
  useUnsaved(() => isOther || !isEqual(chosen, stored));
  const asksPassword = account.hasPassword && isAddress && isOther;
  const save = async (): Promise<void> => {
    setSaved(false);
    if (name.trim() === '') throw new Refusal('Enter a name.', 'name');
    if (asksPassword) checkGiven(present, 'present');
    const { asked } = await send<SavedAccountView>('POST', '/web/account', {
      ...chosen,
      ...(byProxy ? {} : { name }),
      ...(asksPassword ? { present } : {}),
    });
    setPresent('');
    if (asked) setName(account.name);
    else noteName(name.trim());
    noteChosen(chosen);
    changed();
    if (typeof asked?.error === 'string')
      throw new Error(`The email to ${asked.to} was not sent: ${asked.error}`);
    setSaved(asked === null);
  };
  return (
    <Panel
      title="Profile"
      help="Your name in the audit log and on checks, and how times and colours are shown."
      isForm
      form={form}
    >
      <label>
        Name
        <input
          value={name}
          maxLength={nameCharsMax}
          disabled={byProxy}
          {...markedInvalid('name', invalid)}
          onInput={({ currentTarget }) => typed(setName)(currentTarget.value)}
        />
      </label>
      <FieldErrorText name="name" invalid={invalid} />
      {sendsMail && isOther && name.includes('@') ? (
        <p class="faint hint">A link is sent to this address. Your name changes when you confirm it there.</p>
      ) : (
        <NameUses account={account} {...{ byProxy, sendsMail }} />
      )}
      {account.newAddress && (
        <WaitingAddress waiting={account.newAddress} offsetMs={offsetMs} changed={changed} failed={failed} />
      )}
      {asksPassword && (
        <PasswordField password={present} type={typed(setPresent)} error={errorOf('present')} />
      )}
      {preferenceNames.map((name) => (
        <Preference
          key={name}
          field={preferenceFields[name]}
          value={chosen[name]}
          choose={(value) => choose({ ...chosen, [name]: value })}
        />
      ))}
      <Problem text={otherThan('name', ...(asksPassword ? ['present'] : []))} />
      <div class="actions">
        <Act
          class="main"
          run={save}
          failed={failed}
          offBecause={isSame ? unchangedWords : ''}
          wants={name.trim() === '' ? 'Enter a name first.' : asksPassword ? wantsPassword(present) : ''}
          isDefault
        >
          Save
        </Act>
        <span role="status">{isSaved ? 'Saved.' : ''}</span>
      </div>
    </Panel>
  );
}

/** The menu of the header changes the colours, too: what is kept is what the state says, which is never older. */
function isEqual(one: Preferences, other: Preferences): boolean {
  return preferenceNames.every((name) => one[name] === other[name]);
}

type NameUsesProps = Pick<ProfileProps, 'account'> & Pick<PageState, 'byProxy' | 'sendsMail'>;

/** What the name is for, and where mails about the account go: to the name, if it is an address, else where the reports go. */
function NameUses({ account, byProxy, sendsMail }: NameUsesProps) {
  const { name, mailAddress } = account;
  const first = byProxy ? 'Your name comes from the proxy that signs you in.' : 'You also sign in with it.';
  if (!sendsMail)
    return <p class="faint hint">{first} This account gets no email: this server sends none.</p>;
  if (mailAddress === null)
    return (
      <p class="faint hint">
        {first}{' '}
        {byProxy
          ? 'This account gets no email.'
          : 'If it is an email address, mails about your account go there.'}
      </p>
    );
  if (mailAddress === name)
    return <p class="faint hint">{first} It is an email address, so mails about your account go there.</p>;
  return (
    <p class="faint hint">
      {first} Mail goes to {mailAddress}, as your <a href={fromRoot('/reports')}>reports</a> do
      {byProxy ? '.' : '; you can sign in with that too, unless another account uses it.'}
    </p>
  );
}

interface PreferenceProps {
  readonly field: PreferenceField;
  readonly value: string;
  readonly choose: (value: string) => void;
}

function Preference({ field, value, choose }: PreferenceProps) {
  const { label } = field;
  const choices =
    field.kind === 'choice' ? field.choices : zoneChoices(`${field.none} (${browserStyle().zone})`);
  return (
    <label>
      {label}
      <select aria-label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {choices.map(([one, words]) => (
          <option key={one} value={one}>
            {field === preferenceFields.clock ? words.replace(exampleTime, exampleOf12) : words}
            {field === preferenceFields.clock && one === 'auto' && ` (${browserStyle().hours} hours)`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** In the words of the preferences. */
const exampleTime = '5:05 PM';

/** As the browser writes it, like the times of the page: not every English has capitals there. */
function exampleOf12(): string {
  const digits = { hour: 'numeric', minute: '2-digit', hourCycle: 'h12', timeZone: 'UTC' } as const;
  return formatted(Date.UTC(2000, 0, 1, 17, 5), digits);
}

/** How the browser shows times by itself. */
function browserStyle(): { readonly zone: string; readonly hours: 12 | 24 } {
  const { timeZone, hour12 } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  return { zone: timeZone || 'UTC', hours: hour12 ? 12 : 24 };
}

function zoneChoices(none: string): readonly (readonly [string, string])[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return [['', none], ...zones.map((zone) => [zone, zone] as const)];
}

function NewPassword({ changed }: { readonly changed: () => void }) {
  const [present, setPresent] = useState('');
  const [password, setPassword] = useState('');
  const { form, invalid, failed, typed, errorOf, otherThan } = useFormErrors();
  const [isSet, setIsSet] = useState(false);
  // A browser fills in the current one by itself.
  useUnsaved(() => password !== '');
  const set = async (): Promise<void> => {
    setIsSet(false);
    checkGiven(present, 'present');
    if (password.length < passwordCharsMin) throw new Refusal('This password is too short.', 'password');
    await send('POST', '/web/account/password', { present, password });
    setPresent('');
    setPassword('');
    setIsSet(true);
    changed();
  };
  return (
    <Panel title="Password" help="A new password signs you out everywhere else." isForm form={form}>
      <PasswordField
        label="Current password"
        password={present}
        type={typed(setPresent)}
        error={errorOf('present')}
      />
      <ChosenPassword label="New password" password={password} type={typed(setPassword)} invalid={invalid} />
      <Problem text={otherThan('present', 'password')} />
      <div class="actions">
        <Act
          run={set}
          failed={failed}
          wants={present === '' || password === '' ? 'Enter both passwords first.' : ''}
          isDefault
        >
          Set new password
        </Act>
        <span role="status">{isSet ? 'Your password was changed.' : ''}</span>
      </div>
    </Panel>
  );
}

/** The server notes a use of a session at most this often, so what is less long ago is not known better. */
const exactToMs = 600_000;

function LastUse({ atMs, nowMs }: { readonly atMs: number; readonly nowMs: number }) {
  if (nowMs - atMs < exactToMs) return <>in the last 10 minutes</>;
  return <Time atMs={atMs} nowMs={nowMs} />;
}

interface SessionsProps {
  readonly sessions: readonly SessionView[];
  readonly offsetMs: number;
  readonly changed: () => void;
}

function Sessions({ sessions, offsetMs, changed }: SessionsProps) {
  const nowMs = useNow(offsetMs);
  const [failed, setFailed] = useState('');
  return (
    <Panel
      title="Sessions"
      help="Browsers in which you are signed in. Times of use are rounded to ten minutes."
    >
      <Problem text={failed} />
      <ul class="plain">
        {sessions.map(({ id, usedAtMs, startedAtMs, address, userAgent, isOwn }) => (
          <li key={id} class="line">
            <strong>{browserWords(userAgent)}</strong>
            <span>{address}</span>
            <span class="faint">
              {isOwn && 'this browser, '}used <LastUse atMs={usedAtMs} nowMs={nowMs} />,{' '}
              <span class="whole">
                signed in <Time atMs={startedAtMs} nowMs={nowMs} />
              </span>
            </span>
            {!isOwn && (
              <Act
                class="quiet"
                run={() => send('DELETE', `/web/account/sessions/${id}`).then(changed)}
                failed={setFailed}
              >
                Sign out
                <span class="hidden">
                  {' '}
                  {browserWords(userAgent)}, {address}
                </span>
              </Act>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Sure
          label="Sign out all others"
          of=""
          ask="You will be signed out in every other browser, also in those that are not listed."
          yes="Sign out all others"
          run={() => send('POST', '/web/account/sessions/others').then(changed)}
        />
      )}
    </Panel>
  );
}
