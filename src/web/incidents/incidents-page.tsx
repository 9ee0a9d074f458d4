/** The incidents of a project: those that are open first, then those that are over, which can be searched. */
import { useRef, useState } from 'preact/hooks';
import type {
  IncidentsView,
  ListedIncidentView,
  SnoozedIncidentsView,
} from '../../domain/views/incident-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { forEach } from '../actions/row-actions.tsx';
import { send, useSeen } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, useSearch } from '../core/route.ts';
import type { Mark } from '../core/status-words.ts';
import { useTab } from '../core/tab.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus } from '../core/use-focus.ts';
import { useLiveNow } from '../core/use-now.ts';
import { useSettled } from '../core/use-settled.ts';
import { exactTime, momentWords, unbroken } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { causeWords } from '../rows/row-words.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { backwardsWords } from '../ui/filter-parts.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import { alertsWords, foldedAlertsWords } from './alerts-words.ts';
import { unacknowledge } from './incident-actions.tsx';
import {
  askedOf,
  type IncidentFilter,
  incidentFilterOf,
  isFiltered,
  withIncidentFilter,
} from './incident-address.ts';
import { Filter } from './incident-filter.tsx';
import {
  acknowledgedWords,
  countWords,
  endedWords,
  foldedIncidents,
  foldedWords,
  incidentMarks,
  openFirst,
  spanWords,
} from './incident-words.ts';
import { useHistory } from './use-history.ts';
import '../style/incidents.css';

/** As many as one request gives. */
const openShown = 100;
const pageSize = 25;
/** Neither a snooze, maintenance nor what became of an alert changes anything of what is published of incidents. */
const snoozesEveryMs = 30_000;
const none: SnoozedIncidentsView['untilMs'] = {};

export function Incidents({ project, live, mayEdit }: PageProps) {
  const summary = live.summary?.incidents;
  const version = useSettled(summary ? `${live.version} ${JSON.stringify(summary)}` : null);
  const filter = incidentFilterOf(useSearch());
  const listed = (state: 'open' | 'closed', limit: number): string =>
    `/web/in/${project}/incidents?${askedOf(filter, state)}&limit=${limit}`;
  const open = useSeen<IncidentsView>(listed('open', openShown), version);
  const history = useHistory(listed('closed', pageSize), version);
  const snoozed = useSeen<SnoozedIncidentsView>(`/web/in/${project}/snoozed-incidents`, version);
  useEvery(snoozesEveryMs, () => {
    snoozed.reload();
    // What became of an alert is not published either.
    open.reload();
  });
  const nowMs = useLiveNow(live);
  useTab(live.summary, 'Incidents');
  // Without what is snoozed, the order of those that are open is not known.
  const isOrdered = open.data !== null && (snoozed.data !== null || snoozed.error !== '');
  const isKnown = isOrdered && (history.isKnown || history.incidents.length > 0);
  // The fields of the filter stay while what they select is not known yet: the focus is in them.
  const seen = useRef('');
  if (isKnown) seen.current = project;
  const isShown = seen.current === project;
  useFocus(isKnown ? 'incidents' : '');
  const untilMs = snoozed.data?.untilMs ?? none;
  const [shownOpen] = useState(() => new Set<string>());
  if (isOrdered)
    for (const { id, state } of open.data?.incidents ?? [])
      if (state === 'open' && !(id in untilMs)) shownOpen.add(id);
  const past = history.incidents;
  const backwards = backwardsWords('Opened from', withIncidentFilter(filter));
  const isEmpty = isKnown && open.data?.incidents.length === 0 && past.length === 0 && !isFiltered(filter);
  return (
    <>
      <h1>Incidents</h1>
      <Problem text={open.error || history.error} />
      {!isShown && !open.error && !history.error && <p role="status">Loading…</p>}
      {isEmpty && (live.summary?.all === 0 ? <NoCheck {...{ project, mayEdit }} /> : <None />)}
      {isShown && !isEmpty && (
        <>
          <Filter {...{ project, filter }} />
          <Problem text={backwards} />
          {filter.state !== 'closed' && backwards === '' && (
            <Open
              {...{ project, nowMs, mayEdit }}
              changed={open.reloaded}
              incidents={openFirst(open.data?.incidents ?? [], shownOpen, untilMs)}
              snoozed={untilMs}
              maintained={snoozed.data?.maintainedUntilMs ?? none}
              hasMore={open.data?.next != null}
              isFiltered={isFiltered({ ...filter, state: '' })}
            />
          )}
          {filter.state !== 'open' && backwards === '' && (
            <section aria-labelledby="past">
              <h2 id="past">Past incidents</h2>
              {past.length === 0 && <p class="faint">{noneWords(filter)}</p>}
              <Lines {...{ project, nowMs, mayEdit }} incidents={past} />
              {history.hasOlder && <Older load={history.loadOlder} />}
            </section>
          )}
        </>
      )}
    </>
  );
}

function noneWords({ text, since, until }: IncidentFilter): string {
  if (since !== '' || until !== '') return 'No past incident matches.';
  return text === '' ? 'None is over yet.' : 'No past incident has this in the name of a check or in a note.';
}

function None() {
  return (
    <div class="card no-incidents">
      <Shape of="up" size={40} />
      <h2>No incidents</h2>
      <p>
        When a check goes down, an incident opens by itself. Checks that depend on that one join it, and it is
        over when all of them are up again. Here you acknowledge it, leave notes for the others, and see later
        how long it took and who did what.
      </p>
    </div>
  );
}

/** A green sign would say that all is well, where nothing is watched; the dashed ring of a new check, that something is loading. */
function NoCheck({ project, mayEdit }: Pick<PageProps, 'project' | 'mayEdit'>) {
  return (
    <div class="card no-incidents">
      <Icon name="list" size={40} />
      <h2>Nothing is monitored yet</h2>
      <p>
        This project has no checks yet. When a check goes down, an incident opens by itself. It is over when
        the check is up again.
      </p>
      {mayEdit && (
        <a class="button main" href={addressOf(project, 'new')}>
          <Icon name="plus" />
          Create a check
        </a>
      )}
    </div>
  );
}

interface OpenProps extends LinesProps {
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
}

function Open({ incidents, hasMore, isFiltered: isPart, ...rest }: OpenProps) {
  return (
    <section aria-labelledby="open">
      <div class="open-head">
        <h2 id="open">Open now</h2>
        {rest.mayEdit && incidents.length > 1 && <AcknowledgeAll {...rest} {...{ incidents }} />}
      </div>
      {incidents.length === 0 && isPart && <p class="faint">No open incident matches.</p>}
      {incidents.length === 0 && !isPart && (
        <p class="no-open">
          <Shape of="up" /> Nothing is open.
        </p>
      )}
      <Lines incidents={incidents} {...rest} />
      {hasMore && <p class="faint">These are the newest {openShown}. There are more.</p>}
    </section>
  );
}

interface LinesProps {
  readonly incidents: readonly ListedIncidentView[];
  readonly project: string;
  readonly nowMs: number;
  readonly mayEdit: boolean;
  /** Reads the list again, and waits for it: what is said of a change is true of what is shown. */
  readonly changed?: () => Promise<void>;
  readonly snoozed?: SnoozedIncidentsView['untilMs'];
  readonly maintained?: SnoozedIncidentsView['maintainedUntilMs'];
}

function Lines({ incidents, ...rest }: LinesProps) {
  if (incidents.length === 0) return null;
  return (
    <ul class="card plain incidents">
      {foldedIncidents(incidents).map((group) => (
        <Group key={group.at(-1)?.id} group={group} {...rest} />
      ))}
    </ul>
  );
}

type GroupProps = Omit<LinesProps, 'incidents'> & { readonly group: readonly ListedIncidentView[] };

/** One incident, or the many of a check that went down again and again as one line, which shows them. */
function Group({ group, ...rest }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  const [newest] = group;
  if (!newest) return null;
  if (group.length === 1) return <Line incident={newest} {...rest} />;
  const times = group.length.toLocaleString();
  return (
    <>
      <li class="resolved fold">
        <Shape of={incidentMarks.resolved} />
        <strong class="title">{newest.title}</strong>
        <span class="when">
          {foldedWords(group, rest.nowMs)}
          <Alerts words={foldedAlertsWords(group)} isBad={group.some(isMissed)} />
        </span>
        <span class="who">
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : `Show ${times}`}
            <span class="hidden"> incidents: {newest.title}</span>
          </button>
        </span>
      </li>
      {isOpen && group.map((incident) => <Line key={incident.id} incident={incident} {...rest} />)}
    </>
  );
}

function Line({
  incident,
  project,
  nowMs,
  mayEdit,
  changed,
  snoozed = none,
  maintained = none,
}: Omit<LinesProps, 'incidents'> & { readonly incident: ListedIncidentView }) {
  const { id, state, title, opened, acknowledged, endedBy, reopenedMs } = incident;
  const first = whyWords(incident);
  const [since, until, span] = spanWords(incident, nowMs);
  const mayAcknowledge = state === 'open' && mayEdit;
  const snoozedUntilMs = snoozed[id] ?? 0;
  const maintainedUntilMs = maintained[id] ?? 0;
  return (
    <li class={state}>
      <Shape of={markOf(incident, snoozedUntilMs > nowMs)} />
      <a href={addressOf(project, 'incidents', id)}>{title}</a>
      <span class="when">
        {first !== '' && <span class="why">{first}</span>}
        {first !== '' && <span class="beside"> · </span>}
        <time title={exactTime(reopenedMs ?? Date.parse(opened))}>
          {first === '' ? capital(since) : since}
          {until !== '' && <span class="until"> {until}</span>}, {span}
          {endedBy !== undefined && `, ${endedWords[endedBy]}`}
        </time>
        {reopenedMs !== undefined && <span class="beside"> · </span>}
        {reopenedMs !== undefined && (
          <span title={exactTime(Date.parse(opened))}>
            Reopened, first down {unbroken(momentWords(Date.parse(opened), nowMs))}
          </span>
        )}
        {snoozedUntilMs > nowMs && <span class="beside"> · </span>}
        {snoozedUntilMs > nowMs && (
          <span class="snoozed" title={exactTime(snoozedUntilMs)}>
            <Icon name="moon" size={14} /> Snoozed until {unbroken(momentWords(snoozedUntilMs, nowMs))}
          </span>
        )}
        <Alerts words={alertsWords(incident)} isBad={isMissed(incident)} />
        {maintainedUntilMs > nowMs && <span class="beside"> · </span>}
        {maintainedUntilMs > nowMs && (
          <span class="maintained" title={exactTime(maintainedUntilMs)}>
            <Shape of="maintenance" size={14} /> In maintenance until{' '}
            {unbroken(momentWords(maintainedUntilMs, nowMs))}
          </span>
        )}
      </span>
      <span class={state === 'open' ? 'who bad' : 'who'}>
        {state !== 'open' && acknowledged !== null && <Icon name="acknowledge" />}
        {mayAcknowledge ? (
          <Acknowledge {...{ id, title, project, changed }} />
        ) : acknowledged === null ? (
          'Not acknowledged'
        ) : (
          acknowledgedWords(incident)
        )}
      </span>
    </li>
  );
}

/** One that is snoozed looks as its checks do in their list. */
function markOf({ state, endedBy }: ListedIncidentView, isSnoozed: boolean): Mark {
  if (endedBy !== undefined) return 'paused';
  return isSnoozed && state !== 'resolved' ? 'snoozed' : incidentMarks[state];
}

/** Of one check the title says that it is down. */
function whyWords(incident: ListedIncidentView): string {
  const { n_checks, cause, overrun, exitStatus } = incident;
  if (n_checks !== 1) return countWords(incident);
  if (exitStatus !== undefined) return `Exit status ${exitStatus}`;
  return causeWords(cause, overrun === undefined ? undefined : overrun * 1000);
}

/** Of an incident that is over, nothing is to be done any more. */
function isMissed({ alerts, state }: ListedIncidentView): boolean {
  return state !== 'resolved' && (alerts?.failed ?? 0) > 0;
}

interface AlertsProps {
  /** Empty for nothing. */
  readonly words: string;
  readonly isBad: boolean;
}

/** That alerts did not get through. */
function Alerts({ words, isBad }: AlertsProps) {
  if (words === '') return null;
  return (
    <>
      <span class="beside"> · </span>
      <span class={isBad ? 'undelivered bad' : 'undelivered'}>{words}</span>
    </>
  );
}

interface AcknowledgeProps extends Pick<ListedIncidentView, 'id' | 'title'> {
  readonly project: string;
  readonly changed: LinesProps['changed'];
}

function Acknowledge({ id, title, project, changed }: AcknowledgeProps) {
  const acknowledge = async (): Promise<void> => {
    await send('POST', apiPath(project, `incidents/${id}/acknowledge`), {});
    await changed?.();
    say(`Acknowledged: ${title}.`, async () => {
      await unacknowledge(project, id);
      await changed?.();
    });
  };
  return (
    <Act run={acknowledge} failed={(error) => say(error)}>
      Acknowledge<span class="hidden"> {title}</span>
    </Act>
  );
}

/** Of those that are listed. It stays where it is when there is nothing left to acknowledge. */
function AcknowledgeAll({
  incidents,
  project,
  changed,
}: Pick<LinesProps, 'incidents' | 'project' | 'changed'>) {
  const open = incidents.filter(({ state }) => state === 'open');
  // One that is over by now is refused, and keeps none of the others from it.
  const each = async (of: readonly ListedIncidentView[], action: 'acknowledge' | 'unacknowledge') => {
    const path = (id: string): string => apiPath(project, `incidents/${id}/${action}`);
    const { done, error } = await forEach(of, ({ id }) => send('POST', path(id), {}));
    if (done.length === 0) throw new Error(error);
    await changed?.();
    return done;
  };
  const acknowledge = async (): Promise<void> => {
    const done = await each(open, 'acknowledge');
    say(done.length === 1 ? 'Acknowledged 1 incident.' : `Acknowledged ${done.length} incidents.`, () =>
      each(done, 'unacknowledge'),
    );
  };
  return (
    <Act
      class="quiet"
      run={acknowledge}
      failed={(error) => say(error)}
      offBecause={open.length === 0 ? 'All are acknowledged' : ''}
    >
      Acknowledge all{open.length > 0 && ` ${open.length}`}
      <span class="hidden"> open incidents</span>
    </Act>
  );
}

function Older({ load }: { readonly load: () => Promise<void> }) {
  const [failed, setFailed] = useState('');
  return (
    <>
      <p class="more-incidents">
        <Act run={load} failed={setFailed}>
          Load more
        </Act>
      </p>
      <Problem text={failed} />
    </>
  );
}
