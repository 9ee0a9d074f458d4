/**
 * The cards of what is set of a check, beside its history: schedule, notifications, badge. Each is edited in its place.
 */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { AlertingAnswer } from '../../domain/views/api-answers.ts';
import type { IntegrationsView } from '../../domain/views/integration-view.ts';
import type { ActiveWindowView, ChannelView, CheckRow, PageState } from '../../domain/views/page-view.ts';
import { everySpan, exactSpan } from '../../domain/words/span-words.ts';
import { kinds } from '../../integrations/all.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { firstLook, pictureOf, shownOfCheck, urlsOfCheck, written } from '../badges/badge.tsx';
import { send, useSeen } from '../core/calls.ts';
import { distanceWords } from '../core/status-words.ts';
import { zoneName } from '../core/time-style.ts';
import { selectAll } from '../core/use-focus.ts';
import { dayWords, errorWords, timeWords } from '../core/words.ts';
import { ChannelTicks } from '../form/channels-field.tsx';
import { draftErrors, errorsAfter } from '../form/check-errors.ts';
import { expectation, expectationFields, fieldsChangedBy } from '../form/check-form.tsx';
import { Expectation } from '../form/expectation.tsx';
import { expectedOf, overdueGuard, pingedOf } from '../form/overdue.ts';
import { cannotSend, type Health, healthOf } from '../integrations/integration-health.ts';
import { kindTitle } from '../log/log-words.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { graceWords, nameOf, namesZone, scheduleTitle } from '../rows/row-words.ts';
import { CopyButton, Problem } from '../ui/bits.tsx';
import { type FieldError, noFieldError, refusedIn, togetherIn, useFieldErrors } from '../ui/field-error.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { SaveButton, useChanged, useUnchanged } from '../ui/unchanged.tsx';
import { DependsLine } from './depends-line.tsx';
import { useNextRuns } from './next-runs.ts';
import { WhatIf } from './what-if.tsx';

export interface SideProps {
  readonly row: CheckRow;
  readonly check: ApiCheck;
  readonly project: string;
  readonly mayEdit: boolean;
  readonly nowMs: number;
  readonly saved: () => void;
}

interface EditableProps extends SideProps {
  readonly title: string;
  /** Returns the fields that the form sends. */
  readonly fieldsOf: (form: FormData) => Readonly<Record<string, unknown>>;
  /** The fields. What is wrong with one of those that it names is said there. */
  readonly form: ComponentChildren | ((invalid: FieldError) => ComponentChildren);
  /** Rejects what the form should not send at the first attempt. */
  readonly guard?: (fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The form itself, for who has to know whether it is open. */
  readonly edited?: { current: HTMLFormElement | null };
  /** What is shown above the buttons. `fields` says what the form would send now. */
  readonly above?: (fields: () => Readonly<Record<string, unknown>>) => ComponentChildren;
  readonly children: ComponentChildren;
}

/** A card that a form replaces while it is edited. */
export function Editable(props: EditableProps) {
  const { title, fieldsOf, form, above, children, mayEdit, project, row, saved } = props;
  const card = useRef<HTMLElement>(null);
  const own = useRef<HTMLFormElement>(null);
  const edited = props.edited ?? own;
  const [isOpen, setOpen] = useState(false);
  const { invalid, refuse, changed: noteChange } = useFieldErrors(edited);
  const [isSame, look] = useUnchanged(edited, isOpen);
  const changed = useChanged(edited, fieldsOf, isOpen);
  useFocusInside(card, isOpen);
  const close = (): void => {
    refuse(noFieldError);
    setOpen(false);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (look() || !(event.currentTarget instanceof HTMLFormElement)) return;
    const refused = refusedIn(event.currentTarget);
    if (refused.error !== '') return refuse(refused);
    const sent = event.currentTarget;
    let fields = {};
    try {
      fields = changed(new FormData(sent), [expectation]);
      await props.guard?.(fields);
      await send('POST', apiPath(project, `checks/${row.id}`), fields);
      saved();
      close();
    } catch (reason) {
      refuse(togetherIn(sent, await errorsAfter(reason, project, fields)));
    }
  };
  return (
    <section class="card" ref={card}>
      <div class="card-head">
        <h2>{title}</h2>
        {mayEdit && !isOpen && (
          <button type="button" class="quiet" onClick={() => setOpen(true)}>
            Edit<span class="hidden"> {title.toLowerCase()}</span>
          </button>
        )}
      </div>
      {isOpen ? (
        <form
          class="in-place"
          onSubmit={submit}
          onInput={({ target }) => noteChange(fieldsChangedBy(target))}
          ref={edited}
          noValidate
        >
          {typeof form === 'function' ? form(invalid) : form}
          {above?.(() => (edited.current === null ? {} : fieldsOf(new FormData(edited.current))))}
          <Problem text={typeof form === 'function' && invalid.field !== '' ? '' : invalid.error} />
          <div class="actions">
            <SaveButton isSame={isSame}>Save</SaveButton>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        children
      )}
    </section>
  );
}

/** Gives the focus to the first element of a card's form when it opens, and back to its button when the form is gone. */
function useFocusInside(box: { readonly current: HTMLElement | null }, isOpen: boolean): void {
  const was = useRef(isOpen);
  useLayoutEffect(() => {
    if (was.current === isOpen) return;
    was.current = isOpen;
    const first = isOpen ? 'form :is(a, button, input, select, textarea)' : '.card-head button';
    const field = box.current?.querySelector<HTMLElement>(first) ?? null;
    field?.focus();
    if (field?.matches('textarea')) selectAll(field);
  }, [box, isOpen]);
}

export function ScheduleCard(props: SideProps) {
  const { row, check, nowMs } = props;
  const [refuseOverdue] = useState(overdueGuard);
  return (
    <Editable
      {...props}
      guard={async (fields) => {
        if ((await draftErrors(props.project, fields)).length === 0)
          await refuseOverdue([pingedOf(check, fields)], expectedOf(check, fields));
      }}
      title="Schedule"
      fieldsOf={expectationFields}
      form={(invalid) => <Expectation check={check} invalid={invalid} />}
      above={(fields) => <WhatIf project={props.project} id={row.id} fields={fields} />}
    >
      <p class="schedule-line">
        <strong>{scheduleTitle(row)}</strong>
        {row.kind !== 'simple' && <code>{row.schedule}</code>}
      </p>
      <p class="faint">
        {row.kind === 'simple' || namesZone(row) ? graceTitle(row) : `${row.tz} · ${graceTitle(row)}`}
      </p>
      {(check.max_runtime ?? 0) > 0 && (
        <p class="faint">A run may take {exactSpan((check.max_runtime ?? 0) * 1000)}</p>
      )}
      {row.status !== 'paused' && <NextRuns row={row} nowMs={nowMs} />}
    </Editable>
  );
}

function graceTitle(row: CheckRow): string {
  return graceWords(row).replace('Grace', 'Grace time');
}

function NextRuns({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const coming = useNextRuns(row, nowMs);
  if (coming.length === 0) return null;
  return (
    <>
      <p class="faint">Next runs expected{namesZone(row) && `, in your time (${zoneName()})`}</p>
      <table class="next-runs">
        <caption class="hidden">Next runs</caption>
        <tbody>
          {coming.map((atMs) => (
            <tr key={atMs}>
              <td>{dayWords(atMs, nowMs)}</td>
              <td>{timeWords(atMs)}</td>
              <td class="faint">{distanceWords(atMs, nowMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface NotifyProps extends SideProps {
  readonly missing: PageState['missing'];
  /** A value that is another one when the check has changed, or a delivery was tried again. */
  readonly version: unknown;
  /** The maintenance that is on. */
  readonly windows: readonly ActiveWindowView[];
  readonly channels: readonly ChannelView[];
  /** Address of the page of integrations. */
  readonly integrations: string;
}

/** A check without integrations is marked: it looks fine until it is too late. */
export function NotifyCard(props: NotifyProps) {
  const { row, channels, integrations, project, missing, nowMs } = props;
  // The words and the colour of how an integration works are the same as on the page of the integrations.
  const { data } = useSeen<IntegrationsView>(`/web/in/${project}/integrations`, props.version);
  const healthBy = (id: string): Health | null => {
    const one = data?.integrations.find((integration) => integration.id === id);
    return one ? healthOf(one, { nowMs, missing: missing[one.kind] ?? [] }) : null;
  };
  const assigned = channels.filter(({ id }) => row.channels.includes(id));
  const form =
    channels.length === 0 ? (
      <p>
        No integrations yet. <a href={integrations}>Add an integration</a>
      </p>
    ) : (
      <ChannelTicks {...{ channels, state: { missing, nowMs } }} assigned={row.channels} />
    );
  return (
    <Editable
      {...props}
      title="Notifications"
      fieldsOf={(data) => ({ channels: data.getAll('channel').join(',') })}
      form={form}
    >
      {assigned.length === 0 && (
        <p>
          Notifies <strong class="bad">nobody</strong>. <a href={integrations}>Add an integration</a>
        </p>
      )}
      <ul class="integrations-list">
        {assigned.map((channel) => (
          <Notified key={channel.id} channel={channel} health={healthBy(channel.id)} />
        ))}
      </ul>
      <DependsLine project={project} dependsOn={props.check.depends_on ?? ''} />
      {props.mayEdit && assigned.length > 0 && <WhoIsNotified {...props} healthBy={healthBy} />}
    </Editable>
  );
}

/** In sentences, where somebody asks for them. */
function WhoIsNotified(props: SentencesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="who-is-notified" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Who would be notified now?</summary>
      {isOpen && <Sentences {...props} />}
    </details>
  );
}

interface SentencesProps extends NotifyProps {
  readonly healthBy: (id: string) => Health | null;
}

function Sentences({ row, project, version, windows, channels, nowMs, healthBy }: SentencesProps) {
  const path = apiPath(project, `checks/${row.id}/alerting`);
  // Maintenance changes who is notified, and does not change the check.
  const on = windows.map(({ id, untilMs }) => `${id} ${untilMs}`).join();
  const whole = useMemo(() => ({ version, on }), [version, on]);
  const { data, error } = useSeen<AlertingAnswer>(path, whole);
  if (!data) return <p class="faint">{error || 'One moment…'}</p>;
  const titleBy = (id: string): string => {
    const known = channels.find((one) => one.id === id);
    return known ? channelTitle(known) : '';
  };
  return (
    <>
      <p>{(row.status !== 'down' && reachedWords(data, healthBy)) || errorWords(data.text, nowMs)}</p>
      <ul>
        {data.recipients.map(({ channel, name, kind, notified, text }) => (
          <li key={channel}>
            <strong>{titleBy(channel) || name || kindTitle(kind) || kind}</strong>: {errorWords(text, nowMs)}
            {notified && <Doubt health={healthBy(channel)} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Of a check that is not down: how many would get the alert, where not all of them work; empty where the rules say all. */
function reachedWords({ held, recipients }: AlertingAnswer, healthBy: SentencesProps['healthBy']): string {
  const healths = recipients.filter(({ notified }) => notified).map(({ channel }) => healthBy(channel));
  const failing = healths.filter((one) => one?.isFailing).length;
  const unable = healths.filter((one) => one !== null && cannotSend(one)).length;
  if (held !== null || failing + unable === 0) return '';
  const count = recipients.length;
  const reached = healths.length - failing - unable;
  const whom =
    reached === 0
      ? `none of its ${count === 1 ? 'integrations' : `${count} integrations`}`
      : `${reached} of ${count} integrations`;
  const rest = [
    failing === 0 ? '' : `${failing} ${failing === 1 ? 'is tried, but fails' : 'are tried, but fail'} now`,
    unable === 0 ? '' : `${unable} cannot send`,
  ];
  return `If it went down now, ${whom} would be reached: ${rest.filter((part) => part !== '').join(', ')}.`;
}

/** What the rules say of an integration does not happen where it does not work. */
function Doubt({ health }: { readonly health: Health | null }) {
  if (health === null || (!health.isFailing && health.mark !== 'late')) return null;
  return <span class="bad"> But: {health.words.charAt(0).toLowerCase() + health.words.slice(1)}.</span>;
}

interface NotifiedProps {
  readonly channel: ChannelView;
  /** How the integration works; null until it is known. */
  readonly health: Health | null;
}

function Notified({ channel, health }: NotifiedProps) {
  const { kind, delayS, repeatS } = channel;
  const title = titles[kind];
  const when = [
    title,
    delayS === 0 ? 'at once' : `after ${exactSpan(delayS * 1000)}`,
    repeatS === 0 ? '' : everySpan(repeatS * 1000),
  ];
  return (
    <li>
      <span class="kind-icon">
        <Icon name={kinds[kind].icon} />
      </span>
      <span class="who">
        <span>{channelTitle(channel)}</span>
        <span class="faint">{when.filter((part) => part !== '').join(' · ')}</span>
      </span>
      {health && (
        <span class={`channel-state ${health.mark}`} title={channel.lastError || health.note || undefined}>
          <Shape of={health.mark} size={16} />
          {health.words}
        </span>
      )}
    </li>
  );
}

/** Why the badge of such a check is green. */
function asUpWords(row: CheckRow): string {
  if (row.status === 'paused') return 'While it is paused, the badge counts it as up.';
  if (row.status === 'new') return 'Until its first run is over, the badge counts it as up.';
  return row.status === 'grace' ? 'The badge counts a late check as up.' : '';
}

export function BadgeCard({ row, check }: Pick<SideProps, 'row' | 'check'>) {
  const name = nameOf(row);
  const urls = urlsOfCheck(check.badge_url);
  const asUp = asUpWords(row);
  return (
    <section class="card">
      <h2>Status badge</h2>
      <p class="badge-line">
        <img src={pictureOf(urls.svg, shownOfCheck(row))} alt={`Status badge of ${name}`} height="20" />
        <CopyButton text={written(firstLook, name, urls)} label="Copy Markdown" />
      </p>
      {asUp !== '' && <p class="faint">{asUp}</p>}
    </section>
  );
}
