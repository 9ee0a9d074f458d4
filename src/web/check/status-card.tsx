/** The card at the top of a check's page: its status, the reason, since when, what happens next, and what one can do about it. */

import { countedStatusOf } from '../../domain/check/shown-status.ts';
import type { LogEntry, NotificationEntry } from '../../domain/views/log-view.ts';
import type { CheckRow, CheckStory, ProjectView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { CheckActions } from '../actions/check-actions.tsx';
import { EndMaintenance, MaintenanceWords } from '../actions/maintenance.tsx';
import { setPaused, unacknowledge, unsnooze } from '../actions/row-actions.tsx';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { addressOf } from '../core/route.ts';
import {
  dayMomentWords,
  distanceWords,
  lastRunWords,
  nextEvent,
  statusReason,
  statusTitle,
} from '../core/status-words.ts';
import {
  exactClock,
  exactTime,
  momentWords,
  shownStatusOfRow,
  statusWords,
  unbroken,
  waitingWords,
} from '../core/words.ts';
import { failedAgainWords } from '../log/failed-runs.ts';
import { LastOutput } from '../log/last-output.tsx';
import { maintainedUntil, windowOf } from '../rows/maintained.ts';
import { isHandledRow, isSnoozedRow, stateWords } from '../rows/row-words.ts';
import { farOverWords } from '../rows/run-progress.ts';
import type { Maintenance } from '../rows/use-maintenance.ts';
import { Icon } from '../ui/icons.tsx';
import type { ServerLacks } from '../ui/retry-now.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { LatestNotifications, type Unheard } from './latest-notifications.tsx';
import { useNextRuns } from './next-runs.ts';

interface StatusCardProps {
  readonly row: CheckRow;
  readonly project: string;
  /** Entries of its log, newest first. */
  readonly entries: readonly LogEntry[];
  readonly pingUrl: string | null;
  readonly projects: readonly ProjectView[];
  readonly mayEdit: boolean;
  readonly nowMs: number;
  readonly edit: () => void;
  /** Tries the deliveries again. */
  readonly retry: (entries: readonly NotificationEntry[]) => Promise<void>;
  readonly lacks: ServerLacks;
  /** Shows an entry of the log. */
  readonly open: (entry: WantedEntry) => void;
  /** The incident that it is in; null for none. */
  readonly incident: CheckStory['incident'] | null;
  readonly maintenance: Maintenance;
  /** Null unless nobody was notified of what is wrong now. */
  readonly unheard: Unheard | null;
  /** Whether an integration of it works. */
  readonly hasRecipients: boolean;
  /** Whether what is below the buttons has not come. */
  readonly isComing: boolean;
  /** The name of who looks at it. */
  readonly reader: string;
  /** When the connection broke: what is shown was so then, and may be otherwise now. Null while there is one. */
  readonly asOfMs: number | null;
}

export function StatusCard(props: StatusCardProps) {
  const { row, entries, nowMs, mayEdit, project, asOfMs, isComing } = props;
  const { status, mark } = stateWords(row, nowMs);
  const again = failedAgainWords(row, entries);
  const isQuiet = isSnoozedRow(row, nowMs) || windowOf(row, props.maintenance.windows) !== null;
  const reason = statusReason(row, entries, nowMs, props.hasRecipients && !isQuiet);
  const [nextMs = null] = useNextRuns(row, nowMs);
  const asOf = asOfMs === null ? '' : ` · as of ${exactClock(asOfMs)}`;
  const last = `${lastRunWords(row, { reason, nextMs, nowMs })}${asOf}`;
  const isTaken = row.acknowledged !== null || isQuiet;
  const isHeld = isHandledRow(row, nowMs, maintainedUntil(row, props.maintenance.windows));
  return (
    <section
      class={`card now ${status}${isHeld ? ' held' : ''}${asOfMs === null ? '' : ' stale'}`}
      aria-label="Status"
    >
      <div class="now-head">
        <div>
          <Shape of={mark} size={40} />
          <p class="big">{statusTitle(row, nowMs)}</p>
          <p class="why">
            {/* A full stop before the dot between both would be one too many. */}
            <strong>{reason.replace(/\.$/, '')}</strong>
            {again !== '' && <span class="from-768">{` · ${again}`}</span>}
            <FarOver row={row} nowMs={nowMs} />
            <span title={exactTime(row.sinceMs)}>
              {` · ${sinceWords(row)} since ${momentWords(row.sinceMs, nowMs)}`}
            </span>
          </p>
          {isTaken ? (
            <div class="by" data-space={last}>
              <div>
                <Taken {...props} />
              </div>
            </div>
          ) : (
            <div class="by" data-space={spaceOf(props)}>
              <p class="faint">{last}</p>
            </div>
          )}
        </div>
        <NextUp row={row} nowMs={nowMs} />
      </div>
      {mayEdit && <CheckActions {...props} />}
      {isComing && (
        <div class="rest-coming" role="status">
          <span class="hidden">Loading…</span>
        </div>
      )}
      <NextUpBelow row={row} nowMs={nowMs} />
      <LastOutput {...props} />
      {again !== '' && (
        // Above the buttons it would be a line more, and move them.
        <p class="strip-line below-768">
          <Icon name="pulse" />
          <span>{capital(again)}</span>
        </p>
      )}
      <FarOverBelow row={row} nowMs={nowMs} />
      <InIncident {...props} />
      {isTaken && (
        <p class="strip-line">
          <Icon name="pulse" />
          <span>{last}</span>
        </p>
      )}
      {row.status === 'paused' && mayEdit && <PausedBelow row={row} project={project} />}
      <LatestNotifications {...props} />
    </section>
  );
}

/** A run that takes many times as long as usual looks calm otherwise. */
function FarOver({ row, nowMs }: Pick<StatusCardProps, 'row' | 'nowMs'>) {
  const words = farOverWords(row, nowMs);
  if (words === '') return null;
  return (
    <span class="from-768">
      {' · '}
      <span class="over-usual">{words}</span>
    </span>
  );
}

function FarOverBelow({ row, nowMs }: Pick<StatusCardProps, 'row' | 'nowMs'>) {
  const words = farOverWords(row, nowMs);
  if (words === '') return null;
  return (
    <p class="strip-line below-768 over-usual">
      <Icon name="clock" />
      <span>{words}</span>
    </p>
  );
}

/** What is said once the reader has acknowledged it, where that is possible: with a long name it is two lines on a phone. */
function spaceOf({ row, mayEdit, reader, nowMs }: StatusCardProps): string {
  if (row.status !== 'down' || !mayEdit) return '';
  return `${acknowledgedWords(reader)}, ${unbroken(momentWords(nowMs, nowMs))}. ${besideWithdraw}Withdraw`;
}

/** As wide as what is around the word in its button. */
const besideWithdraw = '\u00a0\u00a0\u00a0';

function acknowledgedWords(by: string): string {
  return by === '' ? 'Acknowledged' : `Acknowledged by ${by}`;
}

/** One that was resumed is new to nobody. */
function sinceWords(row: StatusCardProps['row']): string {
  const { status, cause, nPings } = row;
  const isResumed = status === 'new' && cause === 'resume';
  const isWaiting = isResumed || countedStatusOf(shownStatusOfRow(row), nPings) === 'waiting';
  return (isWaiting ? waitingWords : statusWords[status]).toLowerCase();
}

function NextUp({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const next = nextEvent(row, nowMs);
  if (!next) return null;
  return (
    <p class="next from-768" title={exactTime(next.atMs)}>
      <span>{next.title}</span>
      <strong>{capital(dayMomentWords(next.atMs, nowMs))}</strong>
      <span>{distanceWords(next.atMs, nowMs)}</span>
    </p>
  );
}

/** On a phone it is below the buttons: a check that is down has nothing next, and would have a blank line above them. */
function NextUpBelow({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const next = nextEvent(row, nowMs);
  if (!next) return null;
  return (
    <p class="strip-line below-768">
      <Icon name="clock" />
      <span>
        {next.title} <strong>{dayMomentWords(next.atMs, nowMs)}</strong>, {distanceWords(next.atMs, nowMs)}
      </span>
    </p>
  );
}

/** One that is up has left it, although what was read before still has it. */
function InIncident({ incident, project, row }: Pick<StatusCardProps, 'incident' | 'project' | 'row'>) {
  if (!incident || row.status !== 'down') return null;
  const { id, title, note } = incident;
  return (
    <>
      <p class="strip-line">
        <Icon name="incident" />
        <span>
          Incident: <a href={addressOf(project, 'incidents', id)}>{title}</a>
        </span>
      </p>
      {note && (
        <p class="strip-line one-line">
          <Icon name="chat" />
          <span title={note.text}>
            {note.by || 'Somebody'}: {note.text}
          </span>
        </p>
      )}
    </>
  );
}

/**
 * Who keeps alerts back, since when or until when, with the button that ends it: in the line that has the last run otherwise, so that the
 * buttons below stay where they are.
 */
function Taken(props: StatusCardProps) {
  const { row, project, mayEdit, nowMs, reader } = props;
  const { acknowledged } = row;
  return (
    <>
      {acknowledged && (
        <p class="taken">
          <Icon name="acknowledge" />
          <span title={acknowledged.by}>{acknowledgedWords(acknowledged.by)}</span>
          <span>, {unbroken(momentWords(acknowledged.atMs, nowMs))}.</span>{' '}
          <span class="from-768">No reminders until it is up.</span>
          {mayEdit && (
            <button
              type="button"
              class="quiet"
              aria-label="Withdraw acknowledgement"
              onClick={() => void unacknowledge(project, row, reader)}
            >
              Withdraw
            </button>
          )}
        </p>
      )}
      {isSnoozedRow(row, nowMs) && (
        <p class="taken">
          <Icon name="moon" />
          <span>Snoozed until {momentWords(row.snoozedUntilMs, nowMs)}.</span>{' '}
          <span class="from-768">Pings are recorded, nobody is alerted.</span>
          {mayEdit && (
            <button type="button" class="quiet" onClick={() => void unsnooze(project, row)}>
              End the snooze
            </button>
          )}
        </p>
      )}
      <InMaintenance {...props} />
    </>
  );
}

function InMaintenance({ row, maintenance, ...props }: StatusCardProps) {
  const { project, mayEdit, nowMs } = props;
  const window = windowOf(row, maintenance.windows);
  if (!window) return null;
  return (
    <p class="taken">
      <Shape of="maintenance" size={16} />
      <MaintenanceWords {...{ window, project, mayEdit, nowMs }} />{' '}
      {mayEdit && <EndMaintenance {...{ window, project }} shown={1} changed={maintenance.look} />}
    </p>
  );
}

function PausedBelow({ row, project }: Pick<StatusCardProps, 'row' | 'project'>) {
  return (
    <p class="strip-line below-768">
      <Icon name="pause" />
      <span>Once resumed, it waits for a ping.</span>
      <button type="button" class="quiet" onClick={() => void setPaused(project, [row], false)}>
        Resume
      </button>
    </p>
  );
}
