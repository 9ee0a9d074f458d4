/**
 * The page of one incident: what is down and why, what one can do about it, and what happened until now. It is read on a phone at night,
 * so the most urgent is at the top, and nothing moves under the thumb.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { endedBy } from '../../domain/alerting/incident-words.ts';
import { incidentsKeptMax } from '../../domain/limits.ts';
import type { IncidentDetailsAnswer } from '../../domain/views/api-answers.ts';
import type { IncidentView } from '../../domain/views/incident-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { unsnoozeAll } from '../actions/bulk-actions.ts';
import { EndMaintenance, MaintenanceWords } from '../actions/maintenance.tsx';
import { useSeen } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useArrived } from '../core/use-arrived.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus } from '../core/use-focus.ts';
import { useLiveNow } from '../core/use-now.ts';
import { useSettled } from '../core/use-settled.ts';
import { useWide } from '../core/use-wide.ts';
import { checksWords, exactTime, momentWords } from '../core/words.ts';
import { windowOf } from '../rows/maintained.ts';
import { isSnoozedRow } from '../rows/row-words.ts';
import { type Maintenance, useMaintenance } from '../rows/use-maintenance.ts';
import { useRowsOf } from '../rows/use-rows.ts';
import { Act, NotLoaded, Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { PageHead } from '../ui/page-head.tsx';
import {
  lackedSetting,
  lacksOf,
  RetryNow,
  retryEach,
  type ServerLacks,
  useLooksAfterRetry,
} from '../ui/retry-now.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { IncidentActions, Withdraw } from './incident-actions.tsx';
import { IncidentChecks, idOf } from './incident-checks.tsx';
import {
  acknowledgedWords,
  countWords,
  durationTitle,
  incidentMarks,
  itemTimes,
  sinceParts,
  timelineOf,
} from './incident-words.ts';
import { type Again, reopenedWords } from './timeline-lines.ts';
import '../style/check.css';
import '../style/incidents.css';

/** What became of a notification is not published. */
const askEveryMs = 30_000;

/**
 * What is below the first check waits for the outputs of those in sight, which would move it, at most for a second. What is in sight is
 * known a frame or two after it is drawn, and its log has the number of the output.
 */
const outputsWait = { frames: 6, ms: 1000 };

/** The error for an incident that does not exist, as `messageOf` has it. */
const noneSuch = 'Not found';

export function IncidentPage(props: PageProps & { readonly id: string }) {
  const { project, id, live } = props;
  const path = `/web/in/${project}/incidents/${id}`;
  const { data, error, reload } = useSeen<IncidentView>(path);
  useEvery(askEveryMs, reload);
  useTab(live.summary, data?.title ?? 'Incident');
  useFocus(data || error ? id : '');
  if (error === noneSuch) return <Gone incidents={addressOf(project, 'incidents')} />;
  if (!data) return error === '' ? <p role="status">Loading…</p> : <NotLoaded text={error} />;
  return <Whole {...props} incident={data} error={error} reload={reload} />;
}

function Gone({ incidents }: { readonly incidents: string }) {
  return (
    <NotFound
      title="Incident not found"
      why={`This incident was deleted or the link is wrong. A project keeps its newest ${incidentsKeptMax.toLocaleString()} incidents.`}
    >
      <a class="button main" href={incidents}>
        All incidents
      </a>
    </NotFound>
  );
}

interface WholeProps extends PageProps {
  readonly incident: IncidentView;
  readonly error: string;
  readonly reload: () => void;
}

function Whole({ state, project, live, mayEdit, incident, error, reload }: WholeProps) {
  const nowMs = useLiveNow(live);
  const ids = incident.checks.map(idOf);
  const { rows, error: rowsError } = useRowsOf(project, ids, live);
  const maintenance = useMaintenance(project, nowMs);
  const { windows } = maintenance;
  useReloading(rows, reload);
  const isHere = useArrived(true, outputsWait);
  const known = rows ?? new Map();
  const down = incident.checks
    .filter(({ left }) => left === null)
    .flatMap((check) => known.get(idOf(check)) ?? [])
    .filter(({ status }) => status === 'down');
  return (
    <article class={isHere ? 'incident' : 'incident outputs-coming'}>
      <PageHead list="Incidents" href={addressOf(project, 'incidents')} title={incident.title} />
      <Problem text={error || rowsError} />
      <section class={`card now ${cardLooks[incident.state]}`} aria-label="Status">
        <StatusHead
          {...{ incident, project, mayEdit, nowMs }}
          reader={state.user?.name ?? ''}
          changed={reload}
        />
        {mayEdit && (
          <IncidentActions
            key={incident.id}
            {...{ incident, project, down, ids, maintenance }}
            changed={reload}
          />
        )}
        <Snoozed {...{ project, mayEdit, nowMs, down }} changed={reload} />
        <InMaintenance
          {...{ project, mayEdit, nowMs, maintenance }}
          rows={[...known.values()]}
          changed={reload}
        />
      </section>
      {rows && <IncidentChecks {...{ incident, rows, windows, project, nowMs }} />}
      <Timeline {...{ incident, project, nowMs, mayEdit, reload }} lacks={lacksOf(state)} />
    </article>
  );
}

interface SnoozedProps extends Pick<WholeProps, 'project' | 'mayEdit'> {
  readonly down: readonly CheckRow[];
  readonly nowMs: number;
  readonly changed: () => void;
}

/** Below the buttons as well: until when nobody is alerted of what is down, with what ends that. */
function Snoozed({ down, project, mayEdit, nowMs, changed }: SnoozedProps) {
  const [failed, setFailed] = useState('');
  const snoozed = down.filter((row) => isSnoozedRow(row, nowMs));
  if (snoozed.length === 0) return null;
  const untilMs = Math.min(...snoozed.map(({ snoozedUntilMs }) => snoozedUntilMs ?? 0));
  return (
    <p class="strip-line">
      <Icon name="moon" />
      <span>
        Snoozed until {momentWords(untilMs, nowMs)}.
        {snoozed.length !== down.length && ` Of ${checksWords(snoozed.length)}.`}
      </span>
      {mayEdit && (
        <Act class="quiet" run={() => unsnoozeAll(project, snoozed).then(changed)} failed={setFailed}>
          End the snooze
        </Act>
      )}
      <Problem text={failed} />
    </p>
  );
}

interface InMaintenanceProps extends Pick<WholeProps, 'project' | 'mayEdit'> {
  readonly rows: readonly CheckRow[];
  readonly maintenance: Maintenance;
  readonly nowMs: number;
  readonly changed: () => void;
}

/** A line for each window about its checks, below the buttons: they stay where they are when one begins. */
function InMaintenance({ rows, maintenance, changed, ...props }: InMaintenanceProps) {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const id = windowOf(row, maintenance.windows)?.id;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const done = (): void => {
    maintenance.look();
    changed();
  };
  return (
    <>
      {maintenance.windows
        .filter(({ id }) => counts.has(id))
        .map((window) => (
          <p key={window.id} class="strip-line">
            <Shape of="maintenance" size={16} />
            <span>
              <MaintenanceWords {...props} window={window} />
              {counts.get(window.id) !== rows.length && ` Of ${checksWords(counts.get(window.id) ?? 0)}.`}
            </span>
            {props.mayEdit && (
              <EndMaintenance
                {...{ window, project: props.project, changed: done }}
                shown={counts.get(window.id) ?? 0}
              />
            )}
          </p>
        ))}
    </>
  );
}

interface TimelineProps extends Pick<WholeProps, 'incident' | 'project' | 'mayEdit' | 'reload'> {
  readonly nowMs: number;
  readonly lacks: ServerLacks;
}

function Timeline({ incident, project, nowMs, mayEdit, reload, lacks }: TimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const [failed, setFailed] = useState('');
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const { missing, mayAllow } = lacks;
  const timeline = useMemo(
    () =>
      timelineOf(incident, minuteMs, {
        lacksFor: (kind) => lackedSetting(kind, { missing }) !== undefined,
        mayAllow,
      }),
    [incident, minuteMs, missing, mayAllow],
  );
  const times = useMemo(() => itemTimes(timeline, minuteMs), [timeline, minuteMs]);
  const lookAgain = useLooksAfterRetry(reload);
  const retry = async (deliveries: readonly Again[]): Promise<void> => {
    const ids = deliveries.map(({ id }) => id);
    await retryEach(project, ids, lookAgain);
  };
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Problem text={failed} />
      <ol class="card plain timeline">
        {timeline.slice(0, isWhole ? timeline.length : timelineShown).map((item, at) => (
          <li key={item.key} class={item.isBad ? 'wrong' : ''}>
            <time title={exactTime(item.atMs)} dateTime={new Date(item.atMs).toISOString()}>
              {times[at]}
            </time>
            <Icon name={item.icon} />
            <div>
              <p>{item.words}</p>
              {item.text !== '' && <p class="said">{item.text}</p>}
            </div>
            <RetryNow of={item.again} retry={mayEdit ? retry : undefined} {...{ lacks }} failed={setFailed} />
          </li>
        ))}
      </ol>
      {!isWhole && timeline.length > timelineShown && (
        <p class="more-incidents">
          <button type="button" onClick={() => setWhole(true)}>
            Show all {timeline.length}
          </button>
        </p>
      )}
    </section>
  );
}

/** Lines of the timeline before one asks for all: a check that goes down and comes up all night makes hundreds. */
const timelineShown = 30;

const cardLooks: Readonly<Record<IncidentDetailsAnswer['state'], string>> = {
  open: 'down',
  acknowledged: 'down held',
  resolved: 'up',
};

const untilUp = ' No reminders until the checks are up.';
const withdraw = 'Withdraw';

interface HeadProps extends Pick<WholeProps, 'project' | 'mayEdit'> {
  readonly incident: IncidentDetailsAnswer;
  readonly nowMs: number;
  readonly changed: () => void;
  /** The name of who looks at it. */
  readonly reader: string;
}

/**
 * Invariant: it is as tall before the reader acknowledges the incident as after that, in every font: what is said then has its space
 * from the beginning. So the buttons below stay where they are.
 */
function StatusHead(props: HeadProps) {
  const { incident, nowMs, reader } = props;
  const { state, opened, resolved } = incident;
  const ended = resolved === null ? null : endedBy(incident.entries);
  const at = (instant: string): string => momentWords(Date.parse(instant), nowMs);
  const [count, since] =
    resolved === null ? sinceParts(incident, nowMs) : [countWords(incident), `from ${at(opened)}`];
  // Who has acknowledged it is below: on a phone that is enough, and a second line would be empty until then.
  const isWide = useWide();
  const title = isWide || state !== 'acknowledged' ? incident : ({ ...incident, state: 'open' } as const);
  const taken = { ...title, state: isWide ? 'acknowledged' : 'open', acknowledged_by: reader } as const;
  return (
    <div class="now-head">
      <div>
        <Shape of={ended === null ? incidentMarks[state] : 'paused'} size={40} />
        <p class="big" {...(resolved === null ? { 'data-space': durationTitle(taken, nowMs) } : {})}>
          <span>{durationTitle(title, nowMs, ended)}</span>
        </p>
        <p class="why">
          <strong>{count}</strong>
          <span title={exactTime(Date.parse(opened))}> · {since}</span>
          {resolved !== null && <span title={exactTime(Date.parse(resolved))}> until {at(resolved)}</span>}
          {reopenedWords(incident)}
        </p>
        <WhoLine {...props} />
      </div>
    </div>
  );
}

/** Who has acknowledged it, and what withdraws that. On a phone it does not say what follows: that would be a second line. */
function WhoLine({ incident, project, mayEdit, nowMs, reader, changed }: HeadProps) {
  const { state, acknowledged, resolved } = incident;
  const line = useRef<HTMLParagraphElement>(null);
  const act = mayEdit ? ` ${withdraw}` : '';
  const taken = `Acknowledged by ${reader}, ${momentWords(nowMs, nowMs)}.`;
  const space = { 'data-space': `${taken}${untilUp}${act}`, 'data-short': `${taken}${act}` };
  const at = acknowledged === null ? '' : `, ${momentWords(Date.parse(acknowledged), nowMs)}`;
  return (
    <p class="who" ref={line} tabIndex={-1} {...(resolved === null ? space : {})}>
      <span>
        <span role="status">
          {state === 'open' && <strong class="bad">{acknowledgedWords(incident)}.</strong>}
          {state === 'acknowledged' && (
            <>
              {acknowledgedWords(incident)}
              {at}.<span class="from-768">{untilUp}</span>
            </>
          )}
          {state === 'resolved' && `${acknowledgedWords(incident)}${at}`}
        </span>{' '}
        {mayEdit && state === 'acknowledged' && (
          <Withdraw
            {...{ project, id: incident.id }}
            words={withdraw}
            isOwn={incident.acknowledged_by === reader}
            changed={changed}
            done={() => {
              // The button is gone then: a second press of the same key is for nothing.
              line.current?.focus();
              changed();
            }}
          />
        )}
      </span>
    </p>
  );
}

/** Asks for the incident again when one of its checks has changed, or something that is published with them. */
function useReloading(rows: ReadonlyMap<string, unknown> | null, reload: () => void): void {
  const settled = useSettled(rows);
  useEffect(() => {
    if (settled > 0) reload();
  }, [settled, reload]);
}
