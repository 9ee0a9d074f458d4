/** The card at the top of a check's page: its status, the reason, since when, what happens next, and what one can do about it. */

import type { LogEntry, NotificationEntry } from '../../domain/views/log-view.ts';
import type { CheckRow, CheckStory, ProjectView } from '../../domain/views/page-view.ts';
import { CheckActions } from '../actions/check-actions.tsx';
import { setPaused, unacknowledge, unsnooze } from '../actions/row-actions.tsx';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { addressOf } from '../core/route.ts';
import {
  distanceWords,
  lastRunWords,
  momentTitle,
  nextEvent,
  statusReason,
  statusTitle,
} from '../core/status-words.ts';
import { exactClock, exactTime, momentWords, statusWords } from '../core/words.ts';
import { LastOutput } from '../log/last-output.tsx';
import { isHeldBack, stateWords } from '../rows/row-words.ts';
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
  /** Null unless nobody was notified of what is wrong now. */
  readonly unheard: Unheard | null;
  /** Whether what is below the buttons has not come. */
  readonly isComing: boolean;
  /** When the connection broke: what is shown was so then, and may be otherwise now. Null while there is one. */
  readonly asOfMs: number | null;
}

export function StatusCard(props: StatusCardProps) {
  const { row, entries, nowMs, mayEdit, project, asOfMs, isComing } = props;
  const { status, mark } = stateWords(row, nowMs);
  const reason = statusReason(row, entries, nowMs);
  const [nextMs = null] = useNextRuns(row, nowMs);
  const isHeld = row.acknowledged !== null || mark === 'snoozed' || isHeldBack(row);
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
            <span title={exactTime(row.sinceMs)}>
              {` · ${statusWords[row.status].toLowerCase()} since ${momentWords(row.sinceMs, nowMs)}`}
            </span>
          </p>
          <p class="faint">
            {lastRunWords(row, { reason, nextMs, nowMs })}
            {asOfMs !== null && ` · as of ${exactClock(asOfMs)}`}
          </p>
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
      <InIncident {...props} />
      <Held row={row} project={project} mayEdit={mayEdit} nowMs={nowMs} />
      <LatestNotifications {...props} />
    </section>
  );
}

function NextUp({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const next = nextEvent(row, nowMs);
  if (!next) return null;
  return (
    <p class="next from-768" title={exactTime(next.atMs)}>
      <span>{next.title}</span>
      <strong>{momentTitle(next.atMs, nowMs)}</strong>
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
        {next.title} <strong>{momentTitle(next.atMs, nowMs)}</strong>, {distanceWords(next.atMs, nowMs)}
      </span>
    </p>
  );
}

function InIncident({ incident, project }: Pick<StatusCardProps, 'incident' | 'project'>) {
  if (!incident) return null;
  return (
    <p class="strip-line">
      <Icon name="incident" />
      <span>
        Incident: <a href={addressOf(project, 'incidents', incident.id)}>{incident.title}</a>
      </span>
    </p>
  );
}

type HeldProps = Pick<StatusCardProps, 'row' | 'project' | 'mayEdit' | 'nowMs'>;

/** This line says what keeps alerts back and until when, and has the button that ends it. */
function Held({ row, project, mayEdit, nowMs }: HeldProps) {
  const { acknowledged, snoozedUntilMs } = row;
  return (
    <>
      {acknowledged && (
        <p class="strip-line">
          <Icon name="acknowledge" />
          <span>
            Acknowledged{acknowledged.by === '' ? '' : ` by ${acknowledged.by}`},{' '}
            {momentWords(acknowledged.atMs, nowMs)}. No reminders until it is up.
          </span>
          {mayEdit && (
            <button type="button" class="quiet" onClick={() => void unacknowledge(project, row)}>
              Withdraw acknowledgement
            </button>
          )}
        </p>
      )}
      {row.status === 'paused' && mayEdit && (
        <p class="strip-line below-768">
          <Icon name="pause" />
          <span>Paused: no pings are expected.</span>
          <button type="button" class="quiet" onClick={() => void setPaused(project, [row], false)}>
            Resume
          </button>
        </p>
      )}
      {snoozedUntilMs !== null && snoozedUntilMs > nowMs && (
        <p class="strip-line">
          <Icon name="moon" />
          <span>
            Snoozed until {momentWords(snoozedUntilMs, nowMs)}. Pings are recorded, nobody is alerted.
          </span>
          {mayEdit && (
            <button type="button" class="quiet" onClick={() => void unsnooze(project, row)}>
              End the snooze
            </button>
          )}
        </p>
      )}
    </>
  );
}
