/**
 * The page of one's own reports by mail: how often they come and to which address, what the present one says, and a button that
 * sends one at once.
 */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ShownPeriod, shownPeriods } from '../../domain/accounts/report-period.ts';
import { type ReportFrequency, reportFrequencies } from '../../domain/accounts/user.ts';
import type { ReportsView, SavedReports } from '../../domain/views/report-view.ts';
import { checkGiven, PasswordField, wantsPassword } from '../account/password-field.tsx';
import { fromRoot } from '../core/base-path.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { replaceSearch, settingAddress, useSearch } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { isReadersZone, zoneName, zoneSuffix } from '../core/time-style.ts';
import { useStored, useUnsaved } from '../core/typed.ts';
import { useFocus } from '../core/use-focus.ts';
import { exactTime } from '../core/words.ts';
import { Act, NotLoaded, Problem } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, mustBeMail, useFormErrors } from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { unchangedWords } from '../ui/unchanged.tsx';
import { ReportPreview } from './report-preview.tsx';
import '../style/panels.css';

const frequencyWords: Readonly<Record<ReportsView['frequency'], string>> = {
  off: 'Off',
  daily: 'Every day',
  weekly: 'Every week, on Monday',
  monthly: 'Every month, on the 1st',
};

export function Reports({ live, state }: PageProps) {
  const { data, error, reload } = useAsk<ReportsView>('/web/reports');
  useTab(live.summary, 'Reports');
  useLookAgain(data?.isConfirmed === false && data.address !== '', reload);
  useFocus(data ? 'shown' : '');
  const [isCounted, setCounted] = useState(false);
  const counted = useCallback(() => setCounted(true), []);
  if (!data) return <NotLoaded text={error} />;
  return (
    <>
      <div class="page-head">
        <h1>Reports</h1>
      </div>
      <p>
        An email with the outages of all checks in all projects that you can see, the worst first. Without
        outages it comes too, as a sign that Knell is running.
      </p>
      <Preview
        key={data.timeZone}
        frequency={data.frequency === 'off' ? 'weekly' : data.frequency}
        hasOthers={state.projects.length > 1}
        counted={counted}
        timeZone={data.timeZone}
        changed={reload}
      />
      {isCounted && (
        <Choice key={data.address} isOwner={state.user?.role === 'owner'} reports={data} changed={reload} />
      )}
    </>
  );
}

const lookEveryMs = 10_000;

/** The link in the email opens in another tab: who comes back sees what it did. */
function useLookAgain(isWaiting: boolean, look: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    const seen = (): void => {
      if (document.visibilityState === 'visible') look();
    };
    document.addEventListener('visibilitychange', seen);
    addEventListener('focus', seen);
    // Both windows may be in sight.
    const timer = setInterval(seen, lookEveryMs);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
      removeEventListener('focus', seen);
    };
  }, [isWaiting, look]);
}

interface ChoiceProps {
  /** Whether the user is an owner of the installation, who may set what is lacking. */
  readonly isOwner: boolean;
  readonly reports: ReportsView;
  readonly changed: () => void;
}

function Choice({ isOwner, reports, changed }: ChoiceProps) {
  const [frequency, setFrequency] = useState(reports.frequency);
  const [address, setAddress] = useState(reports.address);
  const { form, invalid, failed, typed, errorOf, otherThan } = useFormErrors();
  const [said, setSaid] = useState('');
  const [present, setPresent] = useState('');
  const choice = [frequency, address.trim()].join(' ');
  const [stored, noteSaved] = useStored([reports.frequency, reports.address].join(' '));
  const isSame = choice === stored;
  useUnsaved(() => !isSame);
  const asksPassword = reports.needsPassword && address.trim() !== reports.address;
  const wanted = asksPassword ? wantsPassword(present) : '';
  const save = async (): Promise<void> => {
    if (frequency !== 'off' || address.trim() !== '') mustBeMail(address, 'address');
    if (asksPassword) checkGiven(present, 'present');
    const { verification } = await send<SavedReports>('POST', '/web/reports', {
      ...{ frequency, address },
      ...(asksPassword ? { present } : {}),
    });
    setPresent('');
    noteSaved(choice);
    setSaid(verification === '' ? 'Saved.' : `Saved, but no email was sent: ${verification}.`);
    changed();
  };
  return (
    <Panel title="Delivery" isForm form={form}>
      {!reports.canSend && (
        <p class="problem">
          This server cannot send mail: KNELL_MAIL_URL is not set. No reports are sent.
          {isOwner && (
            <>
              {' '}
              <a href={settingAddress('KNELL_MAIL_URL')}>Mail server settings</a>
            </>
          )}
        </p>
      )}
      <label>
        How often
        <select
          value={frequency}
          onChange={({ currentTarget: { value } }) =>
            setFrequency(reportFrequencies.find((one) => one === value) ?? 'off')
          }
        >
          {reportFrequencies.map((one) => (
            <option key={one} value={one}>
              {frequencyWords[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Email address
        <input
          type="email"
          autocomplete="email"
          maxLength={254}
          value={address}
          {...markedInvalid('address', invalid)}
          onInput={({ currentTarget }) => typed(setAddress)(currentTarget.value)}
        />
      </label>
      <FieldErrorText name="address" invalid={invalid} />
      {asksPassword && (
        <PasswordField
          password={present}
          type={typed(setPresent)}
          error={errorOf('present')}
          hint="Links for a new password go to this address."
        />
      )}
      <State {...{ reports, failed, setSaid }} draft={{ frequency, address: address.trim() }} />
      <Problem text={otherThan('address', ...(asksPassword ? ['present'] : []))} />
      <div class="actions">
        <Act
          class="main"
          run={save}
          failed={failed}
          offBecause={isSame ? unchangedWords : ''}
          wants={wanted}
          isDefault
        >
          Save
        </Act>
        <Act
          run={() => send('POST', '/web/reports/send').then(() => setSaid('Sent.'))}
          failed={failed}
          disabled={!reports.canSend || !reports.isConfirmed}
        >
          Send me one now
        </Act>
        <span role="status" class={said === '' || wanted !== '' ? 'faint' : undefined}>
          {wanted || said || notSentBecause(reports)}
        </span>
      </div>
    </Panel>
  );
}

/** Why `Send me one now` is off; empty while it is not, or another line says it. */
function notSentBecause({ canSend, address, isConfirmed }: ReportsView): string {
  if (!canSend || isConfirmed) return '';
  return address === '' ? 'Save an address to send one.' : 'Confirm the address to send one.';
}

interface StateProps {
  readonly reports: ReportsView;
  /** What is chosen and not saved yet. */
  readonly draft: Pick<ReportsView, 'frequency' | 'address'>;
  readonly failed: (error: string) => void;
  readonly setSaid: (text: string) => void;
}

/** Says what becomes of the reports: when the next one comes, or what is missing. */
function State({ reports, draft, failed, setSaid }: StateProps) {
  const { address, isConfirmed, nextMs, timeZone, lastError, canSend, frequency } = reports;
  return (
    <>
      {address !== '' && !isConfirmed && (
        <p>
          {address} is not confirmed yet. Follow the link in the email that was sent there.{' '}
          {canSend && (
            <Act
              class="quiet within"
              run={() => send('POST', '/web/reports/ask').then(() => setSaid('Sent.'))}
              failed={failed}
            >
              Send it again
            </Act>
          )}
        </p>
      )}
      {address === '' && frequency === 'off' && <p>No reports are sent. {toGetThem(draft)}</p>}
      {nextMs !== null && (
        <p>
          The next report is sent on {exactTime(nextMs, timeZone)}
          {zoneSuffix(timeZone)}.
        </p>
      )}
      {lastError !== '' && <p class="problem">The last report was not sent: {lastError}.</p>}
    </>
  );
}

/** What is still to be done, one after the other. */
function toGetThem({ frequency, address }: StateProps['draft']): string {
  if (frequency !== 'off')
    return address === '' ? 'To get them, give an address.' : 'To get them, save this.';
  return address === ''
    ? 'To get them, choose how often, and give an address.'
    : 'To get them, choose how often.';
}

interface ZoneProps extends Pick<ReportsView, 'timeZone'> {
  /** Asks for the reports again. */
  readonly changed: () => void;
}

/** A report has a zone of its own only as long as the member has chosen none: the page has that of the browser then. */
function Zone({ timeZone, changed }: ZoneProps) {
  const own = zoneName();
  const [problem, failed] = useState('');
  const choose = async (): Promise<void> => {
    await send('POST', '/web/account', { timeZone: own });
    changed();
  };
  return (
    <>
      <p class="faint">
        Days, weeks and months are those of {timeZone}
        {!isReadersZone(timeZone) && `, while the other times on this page are those of your browser, ${own}`}
        . The time zone is chosen on the <a href={fromRoot('/account')}>account page</a>.{' '}
        {!isReadersZone(timeZone) && (
          <Act class="quiet within" run={choose} failed={failed}>
            Use {own}
          </Act>
        )}
      </p>
      <Problem text={problem} />
    </>
  );
}

const previews: Readonly<Record<ShownPeriod, string>> = {
  daily: 'Today',
  weekly: 'This week',
  monthly: 'This month',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  'last-month': 'Last month',
};

interface PreviewProps extends ZoneProps {
  readonly frequency: ReportFrequency;
  /** Whether the reader has more than one project. */
  readonly hasOthers: boolean;
  readonly counted: () => void;
}

function Preview({ frequency, timeZone, changed, ...rest }: PreviewProps) {
  const asked = new URLSearchParams(useSearch()).get('period');
  const shown = shownPeriods.find((one) => one === asked) ?? frequency;
  const show = (one: ShownPeriod): void =>
    replaceSearch(one === frequency ? '' : String(new URLSearchParams({ period: one })));
  const isPresent = shown === 'daily' || shown === 'weekly' || shown === 'monthly';
  return (
    <section aria-label="Preview" class="card report">
      <div class="report-head">
        <h2>
          {previews[shown]}
          {isPresent && ' so far'}
          {!isReadersZone(timeZone) && <span class="faint"> {timeZone}</span>}
        </h2>
        <fieldset class="segments" aria-label="Period of the preview">
          {shownPeriods.map((one) => (
            <button key={one} type="button" aria-pressed={one === shown} onClick={() => show(one)}>
              {previews[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <ReportPreview key={shown} period={shown} {...rest} />
      <Zone {...{ timeZone, changed }} />
    </section>
  );
}
