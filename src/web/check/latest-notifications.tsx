/**
 * What became of the notifications of a check's latest status change, at the foot of its card: how many arrived, and of each integration
 * that failed why it did, and what one can do about it.
 */
import { useState } from 'preact/hooks';
import { blockedAddressIn, whyBlocked } from '../../domain/deliveries/blocked-words.ts';
import type { LogEntry, NotificationEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { addressOf } from '../core/route.ts';
import { errorWords, momentWords } from '../core/words.ts';
import {
  channelWords,
  isOfDeleted,
  lastResults,
  notificationTitle,
  outcomeCounts,
  shownOutcome,
} from '../log/log-words.ts';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { lackedSetting, RetryNow, type ServerLacks } from '../ui/retry-now.tsx';

/** No integration is notified of the check, or one is now and none was when it went down. */
export type Unheard = 'never' | 'then';

interface LatestProps {
  readonly row: CheckRow;
  readonly project: string;
  /** Entries of its log, newest first. */
  readonly entries: readonly LogEntry[];
  readonly mayEdit: boolean;
  readonly nowMs: number;
  /** Tries the deliveries again. */
  readonly retry: (entries: readonly NotificationEntry[]) => Promise<void>;
  readonly lacks: ServerLacks;
  /** Null unless nobody was notified of what is wrong now. */
  readonly unheard: Unheard | null;
}

export function LatestNotifications(props: LatestProps) {
  const { row, project, entries, mayEdit, nowMs, unheard } = props;
  const latest = lastResults(
    entries.filter(
      (entry): entry is NotificationEntry => entry.what === 'notification' && entry.changedMs === row.sinceMs,
    ),
  );
  if (latest.length === 0)
    return unheard === null ? null : <Nobody unheard={unheard} project={project} mayEdit={mayEdit} />;
  const held = latest.find(({ outcome }) => outcome === 'held');
  if (held && latest.every(({ outcome }) => outcome === 'held'))
    return <HeldBack entry={held} nowMs={nowMs} />;
  return <Outcomes {...props} latest={latest} />;
}

const dayMs = 86_400_000;

/** Integrations that failed of which each has a line of its own. */
const namedMax = 3;

function Outcomes({
  row,
  latest,
  mayEdit,
  nowMs,
  retry,
  lacks,
}: LatestProps & { readonly latest: readonly NotificationEntry[] }) {
  const [error, setError] = useState('');
  // Those that failed, or have failed so far.
  const failed = byName(latest.filter((entry) => ['failed', 'failing'].includes(shownOutcome(entry))));
  const others = failed.slice(namedMax);
  const deleted = latest.filter(isOfDeleted);
  const retryOf = (entries: readonly NotificationEntry[]) => (
    <RetryNow
      of={entries.filter(({ deliveryId }) => deliveryId !== null)}
      retry={mayEdit ? retry : undefined}
      lacks={lacks}
      failed={setError}
    />
  );
  return (
    <div class="strip-line notified">
      <Icon name="bell" />
      <span>
        Notifications{changeWords(row, nowMs)}: {outcomeCounts(latest)}
      </span>
      {failed.slice(0, namedMax).map((entry) => (
        <p key={entry.channelId}>
          <span>
            <strong class="bad">{channelWords(entry)}</strong>{' '}
            <Why entry={entry} lacks={lacks} nowMs={nowMs} />
          </span>
          {retryOf([entry])}
        </p>
      ))}
      {deleted.length > 0 && <p>{deletedWords(deleted.length)}</p>}
      {others.length > 0 && (
        <p>
          <span>{failed.length - namedMax} more failed: see the log</span>
          {retryOf(others)}
        </p>
      )}
      <Problem text={error} />
    </div>
  );
}

function deletedWords(count: number): string {
  return count === 1
    ? 'An integration that was deleted: not sent'
    : `${count.toLocaleString()} integrations that were deleted: not sent`;
}

/**
 * ` of the outage since Wed 25 Nov, 17:01`: what is old would read as if it were of today. They may have been sent long after the check
 * became what it is, as at the end of maintenance.
 */
function changeWords({ status, sinceMs }: CheckRow, nowMs: number): string {
  if (nowMs - sinceMs < dayMs) return '';
  const since = momentWords(sinceMs, nowMs);
  return status === 'down' ? ` of the outage since ${since}` : ` of the change of ${since}`;
}

/** In the order of their names: by their times they change places with each reminder. */
function byName(entries: readonly NotificationEntry[]): readonly NotificationEntry[] {
  return [...entries].sort(
    (a, b) => channelWords(a).localeCompare(channelWords(b)) || a.channelId.localeCompare(b.channelId),
  );
}

interface WhyProps {
  readonly entry: NotificationEntry;
  readonly lacks: ServerLacks;
  readonly nowMs: number;
}

function Why({ entry, lacks, nowMs }: WhyProps) {
  const lacked = lackedSetting(entry.channelKind, lacks);
  const blocked = blockedAddressIn(entry.error);
  if (lacked !== undefined) return <>needs {lacked}, which is not set</>;
  if (blocked !== '' && lacks.mayAllow) return <>{whyBlocked(blocked)}</>;
  return <span title={entry.error}>{errorWords(entry.error, nowMs)}</span>;
}

/** The settings of the check, or maintenance, hold the notification back from everybody. */
function HeldBack({ entry, nowMs }: { readonly entry: NotificationEntry; readonly nowMs: number }) {
  return (
    <p class="strip-line" role="status">
      <Icon name="pause" />
      <span>
        <strong>Nobody was notified.</strong> {notificationTitle(entry)} held back:{' '}
        {errorWords(entry.error, nowMs)}.
      </span>
    </p>
  );
}

interface NobodyProps extends Pick<LatestProps, 'project' | 'mayEdit'> {
  readonly unheard: Unheard;
}

function Nobody({ unheard, project, mayEdit }: NobodyProps) {
  return (
    <p class="strip-line unheard" role="status">
      <Icon name="bell" />
      <span>
        <strong class="bad">Nobody was notified.</strong>{' '}
        {unheard === 'never'
          ? 'This check has no integration that is notified when it goes down.'
          : 'When it went down, no integration of this check was notified.'}
      </span>
      {mayEdit && <a href={addressOf(project, 'integrations')}>Integrations</a>}
    </p>
  );
}
