/**
 * The page of one check: its status, the reason and what can be done; how it did and what happened; where it is pinged, when,
 * and who is notified. The most urgent is at the top; from a width of 1000 px on, what is set is at the right.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import '../style/check.css';
import type { LogEntry, LogView, NotificationEntry } from '../../domain/views/log-view.ts';
import type {
  ChannelView,
  CheckRow,
  CheckStatistics,
  CheckStory,
  PageState,
  ProjectSettings,
} from '../../domain/views/page-view.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { gutterMin, overhang } from '../charts/run-chart.tsx';
import { ask, Refusal, send, useSeen } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go, replaceSearch, useSearch } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { zoneName } from '../core/time-style.ts';
import { leaveUnasked } from '../core/typed.ts';
import { useArrived } from '../core/use-arrived.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus } from '../core/use-focus.ts';
import { useLiveNow } from '../core/use-now.ts';
import { useSettled } from '../core/use-settled.ts';
import { hasRecipients } from '../form/channel-trouble.ts';
import { draftErrors } from '../form/check-errors.ts';
import { CheckForm } from '../form/check-form.tsx';
import { dropGuard } from '../form/dropped.ts';
import { expectedOf, overdueGuard, pingedOf } from '../form/overdue.ts';
import { overwrittenWords } from '../form/overwritten.ts';
import { CompareCard } from '../log/compare-card.tsx';
import { HistoryCard, historyRangeOf } from '../log/history-card.tsx';
import { LinkedOutput } from '../log/linked-output.tsx';
import { LogCard } from '../log/log-card.tsx';
import { PingCard } from '../log/ping-card.tsx';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { tagsOf } from '../rows/filter.ts';
import { useNeighbours } from '../rows/list-order.ts';
import { nameOf } from '../rows/row-words.ts';
import { type Maintenance, useMaintenance } from '../rows/use-maintenance.ts';
import { useRow } from '../rows/use-rows.ts';
import { NotFound } from '../ui/not-found.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { lacksOf, retryEach, useLooksAfterRetry } from '../ui/retry-now.tsx';
import { isShortcut } from '../ui/shortcuts.tsx';
import { Tag } from '../ui/tag.tsx';
import { say } from '../ui/toasts.tsx';
import { useActionKeys } from './action-keys.ts';
import { DescriptionCard, useDescriptionPlace } from './description-card.tsx';
import { HintsCard } from './hints-card.tsx';
import type { Unheard } from './latest-notifications.tsx';
import { ListedCheck } from './listed-check.tsx';
import { ResultsCard } from './results-card.tsx';
import { RunsCard } from './runs-card.tsx';
import { BadgeCard, NotifyCard, ScheduleCard } from './side-cards.tsx';
import { StatusCard } from './status-card.tsx';
import { undoOfEdit } from './undo-edit.ts';
import { UptimeCard } from './uptime-card.tsx';
import { WhatIf } from './what-if.tsx';

export function CheckPage(props: PageProps & { readonly id: string }) {
  const { project, id, live } = props;
  const { row, isKnown } = useRow(project, id, live);
  const version = useSettled(row);
  const check = useSeen<ApiCheck>(apiPath(project, `checks/${id}`), version);
  const settings = useSeen<ProjectSettings>(`/web/in/${project}/settings`, version);
  const maintenance = useMaintenance(project, useLiveNow(live));
  const { editing, edit, done, toTop } = useEditing(props.mayEdit);
  const wasThere = useRef(false);
  useTab(live.summary, row?.name || 'Check');
  useFocus(editing ? 'form' : 'check');
  if (row) wasThere.current = true;
  // A check that has just been made is not among the rows yet.
  if (isKnown && !row && (wasThere.current || check.error === noneSuch))
    return <Gone checks={addressOf(project, 'checks')} />;
  if (!row || !check.data || !settings.data)
    return <ListedCheck id={id} error={check.error || settings.error} />;
  if (editing)
    return (
      <Edit
        {...{ project, state: props.state }}
        settings={settings.data}
        check={check.data}
        cancel={done}
        saved={() => {
          check.reload();
          toTop();
        }}
      />
    );
  return (
    <Whole
      {...props}
      row={row}
      version={version}
      check={check.data}
      settings={settings.data}
      maintenance={maintenance}
      edit={edit}
      saved={check.reload}
    />
  );
}

/**
 * Whether the form is shown: the address says so, so that the way back goes from the form to its check, and a page that is loaded
 * again is the form still.
 */
function useEditing(mayEdit: boolean) {
  const isOurs = useRef(false);
  const query = new URLSearchParams(useSearch());
  const edit = (): void => {
    isOurs.current = true;
    query.set('edit', '');
    go(`${location.pathname}?${query}`);
  };
  const done = (): void => {
    query.delete('edit');
    leaveUnasked();
    if (isOurs.current) history.back();
    else replaceSearch(query.toString());
  };
  /** To the top of the check, where its name and its status are: the way back by itself goes to where one was. */
  const toTop = (): void => {
    const scroll = (): unknown => requestAnimationFrame(() => scrollTo(0, 0));
    addEventListener('popstate', scroll, { once: true });
    done();
  };
  return { editing: mayEdit && query.has('edit'), edit, done, toTop };
}

/** The error of the management API for a check that does not exist, as `messageOf` has it. */
const noneSuch = 'Not found';

function Gone({ checks }: { readonly checks: string }) {
  return (
    <NotFound title="Check not found" why="This check was deleted or the link is wrong.">
      <a class="button main" href={checks}>
        All checks
      </a>
    </NotFound>
  );
}

interface WholeProps extends PageProps {
  readonly id: string;
  readonly row: CheckRow;
  /** A value that is another one when the check has changed. */
  readonly version: unknown;
  readonly check: ApiCheck;
  readonly settings: ProjectSettings;
  readonly maintenance: Maintenance;
  readonly edit: () => void;
  readonly saved: () => void;
}

function Whole(props: WholeProps) {
  const { project, id, row, version, check, settings, maintenance, mayEdit, state, live, edit, saved } =
    props;
  const range = historyRangeOf(useSearch());
  const path = `/web/in/${project}/checks/${id}`;
  const query = new URLSearchParams({ range, tz: zoneName() });
  const story = useSeen<CheckStory>(`${path}/story`, version);
  const statistics = useSeen<CheckStatistics>(`${path}/statistics?${query}`, version);
  // Maintenance is in the log, and does not change the check.
  const on = maintenance.windows.map(({ id, untilMs }) => `${id} ${untilMs}`).join();
  const log = useSeen<LogView>(`${path}/log`, useVersion(version, on));
  const [wanted, open] = useWantedEntry();
  const [retried, setRetried] = useState(0);
  const look = useCallback((): void => {
    log.reload();
    setRetried((before) => before + 1);
  }, [log.reload]);
  const lookAgain = useLooksAfterRetry(look);
  const [gutter, align] = useState(gutterMin);
  const nowMs = useLiveNow(live);
  // What a link names is moved to as soon as it is there.
  const isHere = useArrived(wanted === null);
  const side = { row, check, project, mayEdit, nowMs, saved };
  const { place, form } = useDescriptionPlace(check.desc);
  const description = <DescriptionCard {...side} form={form} />;
  const retry = async (entries: readonly NotificationEntry[]): Promise<void> => {
    const ids = entries.flatMap(({ deliveryId }) => deliveryId ?? []);
    await retryEach(project, ids, lookAgain);
  };
  const whole = useVersion(version, `${retried} ${on}`);
  const lacks = lacksOf(state);
  const unheard = unheardOf(row, settings.channels, log.data?.entries ?? [], nowMs);
  useEvery(outcomesEveryMs(row, log.data?.entries ?? [], { unheard, nowMs }), look);
  return (
    <article class={isHere ? 'check' : 'check coming'}>
      <Head {...{ project, row, mayEdit, edit, nowMs }} />
      <div class="check-main" style={{ '--gutter': `${gutter}px`, '--overhang': `${overhang}px` }}>
        <StatusCard
          {...{ row, project, mayEdit, nowMs, edit, retry, lacks, open, unheard, maintenance }}
          projects={state.projects}
          reader={state.user?.name ?? ''}
          isComing={!isHere}
          hasRecipients={hasRecipients(row.channels, settings.channels, state)}
          entries={log.data?.entries ?? []}
          pingUrl={check.ping_url ?? null}
          incident={story.data?.incident ?? null}
          asOfMs={live.connected ? null : live.lostAtMs}
        />
        {place === 'below-status' && description}
        {story.data?.tracked && (
          <RunsCard {...{ project, id, nowMs }} tracked={story.data.tracked} version={version} />
        )}
        {reportsResults(check, log.data) && <ResultsCard {...{ project, id, version, nowMs }} />}
        <HintsCard {...{ project, id, version, mayEdit, saved }} />
        <HistoryCard
          {...{ row, range, nowMs, open }}
          statistics={statistics.data}
          story={story.data}
          aligned={align}
        />
        <CompareCard {...{ project, id, nowMs }} />
        <LinkedOutput {...{ project, id }} />
        <LogCard
          {...{ project, id, nowMs, wanted, lacks }}
          units={new Map((row.results ?? []).map(([name, , unit]) => [name, unit]))}
          version={whole}
          unheardMs={unheard === null ? null : row.sinceMs}
          retry={mayEdit ? retry : undefined}
        />
      </div>
      <div class="check-side">
        {place === 'first-beside' && description}
        <UptimeCard statistics={statistics.data} isDown={row.status === 'down'} />
        {check.ping_url !== undefined && (
          <PingCard
            project={project}
            row={row}
            url={check.ping_url}
            baseUrl={state.baseUrl}
            pingKey={settings.keys.find(({ scope }) => scope === 'ping')?.clear ?? null}
            emailDomain={state.emailDomain}
          />
        )}
        <ScheduleCard {...side} />
        <NotifyCard
          {...side}
          version={whole}
          windows={maintenance.windows}
          missing={state.missing}
          channels={settings.channels}
          integrations={addressOf(project, 'integrations')}
        />
        {place === 'last' && description}
        <BadgeCard {...side} />
      </div>
    </article>
  );
}

/** A check without rules is asked for its numbers only where its log has some: others pay nothing. */
function reportsResults({ results }: ApiCheck, log: LogView | null): boolean {
  const has = log?.entries.some((entry) => entry.what === 'run' && entry.results.length > 0);
  return results !== undefined || has === true;
}

/** Returns another object when either of the two is another. */
function useVersion(version: unknown, more: string): unknown {
  return useMemo(() => ({ version, more }), [version, more]);
}

/**
 * Reads the entry that a link names: its time is in the query, its name behind the hash. A search knows no entries: it names the
 * ping, and the line of its output.
 */
function wantedByAddress(): WantedEntry | null {
  const atMs = Number(new URLSearchParams(location.search).get('at'));
  const id = location.hash.slice(1);
  if (!(atMs > 0) || id === '') return null;
  const [, n, line] = /^output-(\d{1,15})(?:-(\d{1,9}))?$/.exec(id) ?? [];
  if (n === undefined) return { id, atMs };
  return { id, atMs, output: { n: Number(n), line: line === undefined ? null : Number(line) } };
}

/** The entry that is to be shown: that of the address, and of an output that is searched for on this page. */
function useWantedEntry(): readonly [WantedEntry | null, (entry: WantedEntry) => void] {
  const [wanted, open] = useState<WantedEntry | null>(wantedByAddress);
  useEffect(() => {
    let last = location.hash;
    const changed = (): void => {
      const next = wantedByAddress();
      if (next?.output && location.hash !== last) open(next);
      last = location.hash;
    };
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  return [wanted, open];
}

type HeadProps = Pick<WholeProps, 'project' | 'row' | 'mayEdit' | 'edit'> & { readonly nowMs: number };

function Head({ project, row, mayEdit, edit, nowMs }: HeadProps) {
  const { previous, next } = useNeighbours(project, row.id);
  const to = (id: string): string => addressOf(project, 'checks', id);
  useActionKeys({ project, row, mayEdit, edit, nowMs });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!isShortcut(event)) return;
      if (event.key === 'k' && previous !== null) go(to(previous));
      if (event.key === 'j' && next !== null) go(to(next));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [previous, next]);
  return (
    <PageHead list="Checks" href={addressOf(project, 'checks')} title={nameOf(row)}>
      <span class="tag-line">
        {tagsOf(row).map((name) => (
          <Tag key={name} name={name} />
        ))}
      </span>
      <span class="neighbours">
        {previous !== null && (
          <a href={to(previous)}>
            <kbd>k</kbd> Previous
          </a>
        )}
        {next !== null && (
          <a href={to(next)}>
            <kbd>j</kbd> Next
          </a>
        )}
      </span>
    </PageHead>
  );
}

interface EditProps {
  readonly project: string;
  readonly state: PageState;
  readonly settings: ProjectSettings;
  readonly check: ApiCheck;
  readonly cancel: () => void;
  readonly saved: () => void;
}

function Edit({ project, state, settings, cancel, saved, ...props }: EditProps) {
  // As it was when the form was opened: what is saved elsewhere meanwhile does not change the form.
  const [check] = useState(props.check);
  const known = useRef(check);
  const [refuseOverdue] = useState(overdueGuard);
  const [refuseDrops] = useState(dropGuard);
  const save = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
    const now = await ask<ApiCheck>(apiPath(project, `checks/${check.uuid}`));
    const conflict = overwrittenWords(fields, { ...known.current }, { ...now });
    known.current = now;
    if (conflict !== '') throw new Refusal(conflict, '', 409);
    // What is not valid is refused by the server, with no question about it before.
    const isTimed = ['timeout', 'schedule', 'tz', 'grace'].some((name) => name in fields);
    if (isTimed && (await draftErrors(project, fields)).length === 0)
      await refuseOverdue([pingedOf(now, fields)], expectedOf(now, fields));
    if (typeof fields.retention === 'string')
      await refuseDrops(apiPath(project, `checks/${check.uuid}/retention/preview`), fields.retention);
    const after = await send<ApiCheck>('POST', apiPath(project, `checks/${check.uuid}`), fields);
    saved();
    say('Saved.', undoOfEdit(project, fields, { before: now, after }));
  };
  return (
    <>
      <PageHead
        list="Checks"
        href={addressOf(project, 'checks')}
        title="Edit"
        of={{ name: nameOf(check), href: addressOf(project, 'checks', check.uuid) }}
      />
      <CheckForm
        project={project}
        check={check}
        channels={settings.channels}
        inherited={settings.project}
        state={state}
        label="Save"
        save={save}
        cancel={cancel}
        above={(fields) => <WhatIf project={project} id={check.uuid} fields={fields} />}
      />
    </>
  );
}

/** Milliseconds after a change for which its notifications are just being sent. */
const freshMs = 60_000;

/**
 * Milliseconds between two looks at the notifications of the latest change, while any of them may become another one: that is not
 * published. Null where none will.
 */
function outcomesEveryMs(
  { sinceMs }: CheckRow,
  entries: readonly LogEntry[],
  { unheard, nowMs }: { readonly unheard: Unheard | null; readonly nowMs: number },
): number | null {
  const isFresh = nowMs - sinceMs < freshMs;
  const waits = entries.some(
    (entry) => entry.what === 'notification' && entry.changedMs === sinceMs && entry.outcome === 'waiting',
  );
  if (waits) return isFresh ? 3000 : 30_000;
  return isFresh && unheard === 'then' ? 3000 : null;
}

/** Whether nobody was notified of what is wrong now, and why: no integration is, or none was when the check went down. */
function unheardOf(
  row: CheckRow,
  channels: readonly ChannelView[],
  entries: readonly LogEntry[],
  nowMs: number,
): Unheard | null {
  const { status, snoozedUntilMs, sinceMs } = row;
  if (status !== 'down' || (snoozedUntilMs ?? 0) > nowMs) return null;
  const notifies = channels.some(
    ({ id, disabled, unverified }) => row.channels.includes(id) && !disabled && !unverified,
  );
  if (!notifies) return 'never';
  // Only if the change is among the entries: what was sent of it is one record with it, and may be older than they are.
  const isSeen = entries.some((entry) => entry.what === 'change' && entry.atMs === sinceMs);
  const isSent = entries.some((entry) => entry.what === 'notification' && entry.changedMs === sinceMs);
  return isSeen && !isSent ? 'then' : null;
}
