/**
 * The page of all projects: how many checks each has in each status, its uptime, and whether its integrations work; those with
 * the most trouble come first. Owners can make a new one.
 */
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';
import type { ListSummary, PageState, ProjectOverview, UptimesView } from '../../domain/views/page-view.ts';
import { spanAhead, spanDown } from '../../domain/words/span-words.ts';
import { Uptime } from '../charts/run-columns.tsx';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, replaceSearch, wallAddress } from '../core/route.ts';
import { noteStale } from '../core/stale.ts';
import { useTab } from '../core/tab.ts';
import { mayLeave } from '../core/typed.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocusAfterForm } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { checksWords, exactTime, newWords, shownWords, sinceWords, unbroken } from '../core/words.ts';
import { alsoWords, shownCount } from '../rows/shown-count.ts';
import { useOverview } from '../rows/use-overview.ts';
import { NotLoaded } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { NewProject } from './project-actions.tsx';
import '../style/overview.css';

/** Milliseconds between two requests for the uptime of thirty days: the server reads that of many checks once in so long. */
const uptimesEveryMs = 60_000;

export function Projects({ live, state, reloadState }: PageProps) {
  const looked = useOverview({ project: '', key: '', rows: false });
  const { overview, error, offsetMs, answeredAtMs } = looked;
  const { data, reload } = useAsk<UptimesView>('/web/uptimes');
  useEvery(uptimesEveryMs, reload);
  const [isNew, setNew] = useNewForm();
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isNew);
  const nowMs = useNow(offsetMs);
  useTab(live.summary, 'Projects');
  useStaleWhile(error, answeredAtMs);
  if (!overview) return <NotLoaded text={error} />;
  return (
    <>
      <div class="page-head">
        <h1>Projects</h1>
        <span class="actions">
          <a class="button" href={wallAddress('')}>
            <Icon name="grid" /> Wall view
          </a>
          {state.user?.role === 'owner' && (
            <button
              ref={opener}
              type="button"
              class="main"
              aria-expanded={isNew}
              onClick={() => (!isNew || mayLeave(() => setNew(false))) && setNew(!isNew)}
            >
              <Icon name="plus" /> New project
            </button>
          )}
        </span>
      </div>
      {isNew && state.user?.role === 'owner' && (
        <NewProject
          made={() => {
            looked.reload();
            reloadState();
          }}
          close={() => setNew(false)}
        />
      )}
      <div class="overview card">
        <table>
          <thead>
            <tr>
              <th scope="col">Project</th>
              {shownStatuses.map((status) => (
                <th key={status} scope="col" class="figure count">
                  {wordsOf(
                    overview.projects.map(({ summary }) => summary),
                    status,
                  )}
                </th>
              ))}
              <th scope="col" class="figure count">
                Checks
              </th>
              <th scope="col" class="figure">
                {uptimeTitle}
              </th>
              <th scope="col">{integrationsTitle}</th>
            </tr>
          </thead>
          <tbody>
            {overview.projects.map((project) => (
              <Line
                key={project.id}
                project={project}
                state={state}
                uptime={data?.uptimes[project.id] ?? null}
                sinceMs={data?.since[project.id] ?? null}
                nowMs={nowMs}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Whether the form for a new one is open. Its address opens it on this very page, too, or takes the focus there where it is open. */
function useNewForm(): readonly [isOpen: boolean, open: (isOpen: boolean) => void] {
  const isAsked = (): boolean => new URLSearchParams(location.search).has('new');
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => {
    const changed = (): void => {
      if (!isAsked()) return;
      setOpen(true);
      document.querySelector<HTMLElement>('form .new-name')?.focus();
    };
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  const open = (isOpen: boolean): void => {
    setOpen(isOpen);
    if (!isOpen && isAsked()) replaceSearch('');
  };
  return [isOpen, open];
}

/** The word of a status, of the checks of some projects. */
function wordsOf(summaries: readonly ListSummary[], status: ShownStatus): string {
  const sum = (of: (summary: ListSummary) => number): number =>
    summaries.reduce((total, summary) => total + of(summary), 0);
  if (status !== 'new') return shownWords[status];
  return newWords(
    sum(({ counts }) => counts.new),
    sum(({ neverPinged }) => neverPinged),
  );
}

const uptimeTitle = '30-day uptime';
const integrationsTitle = 'Integrations';

/** Has the page say that what is shown is as old as the last answer. */
function useStaleWhile(error: string, answeredAtMs: number | null): void {
  const asker = useRef({});
  useEffect(() => {
    // The sentence goes on with what to do; what is wrong comes first.
    const [why = ''] = error.split('. ');
    noteStale(asker.current, why === '' || answeredAtMs === null ? null : { atMs: answeredAtMs, why });
    return () => noteStale(asker.current, null);
  }, [error, answeredAtMs]);
}

interface LineProps {
  readonly project: ProjectOverview;
  readonly state: PageState;
  readonly uptime: number | null;
  /** Since when the first check was watched; null where that is 30 days ago. */
  readonly sinceMs: number | null;
  readonly nowMs: number;
}

function Line({ project, state, uptime, sinceMs, nowMs }: LineProps) {
  const { id, name, summary, hasIntegrations } = project;
  const { counts, all } = summary;
  const trouble = troubleOf(project, state);
  const mayAdd = state.projects.some((one) => one.id === id && one.role !== 'viewer');
  const worst = shownStatuses.find((status) => counts[status] > 0) ?? 'new';
  const address = addressOf(id, 'checks');
  return (
    <tr class={all === 0 ? `${worst} without-checks` : worst}>
      <th scope="row">
        <Shape of={worst} />
        <span>
          <a href={address}>{name}</a>
          {all > 0 && <span class="note narrow-only">{checksWords(all)}</span>}
          <span class="note">{noteOf(summary, nowMs)}</span>
        </span>
      </th>
      {all === 0 && (
        <td class="no-check" colSpan={shownStatuses.length + 1}>
          {mayAdd && (
            <a href={addressOf(id, 'new')}>
              Create a check<span class="hidden"> in {name}</span>
            </a>
          )}
        </td>
      )}
      {all > 0 && <Counts project={project} />}
      <td class={uptime === null ? 'figure uptime none' : 'figure uptime'} data-head={uptimeTitle}>
        <Uptime percent={uptime} />
        {sinceMs !== null && (
          <span class="note" title={`Watched since ${exactTime(sinceMs)}`}>
            {sinceWords(sinceMs, nowMs)}
          </span>
        )}
      </td>
      <td class={trouble ? 'works' : 'works none'} data-head={integrationsTitle}>
        {trouble ? (
          <a href={trouble.address}>
            {trouble.parts.map(({ words, look }, at) => (
              <Fragment key={look}>
                {at > 0 && ', '}
                <span class={look}>{words}</span>
              </Fragment>
            ))}
            <span class="hidden"> in {name}</span>
          </a>
        ) : hasIntegrations ? (
          'No problems'
        ) : (
          <NoIntegrations project={project} mayAdd={mayAdd} />
        )}
      </td>
    </tr>
  );
}

function Counts({ project: { id, name, summary } }: Pick<LineProps, 'project'>) {
  const { all } = summary;
  const address = addressOf(id, 'checks');
  const counted = shownStatuses.map((status) => ({ status, count: shownCount(status, summary) }));
  return (
    <>
      {counted.map(({ status, count }) => (
        <td
          key={status}
          class={`figure count ${status}${count === 0 ? ' none' : ''}`}
          data-head={wordsOf([summary], status)}
        >
          {count === 0 ? (
            0
          ) : (
            <a
              href={`${address}?status=${status}`}
              aria-label={`${count} ${wordsOf([summary], status)} in ${name}${alsoWords(status, summary, ', ')}`}
              title={alsoWords(status, summary) || undefined}
            >
              {count.toLocaleString()}
            </a>
          )}
          {alsoWords(status, summary) !== '' && (
            <span class="note" aria-hidden="true">
              {alsoWords(status, summary)}
            </span>
          )}
        </td>
      ))}
      <td class="figure all">
        <a
          href={address}
          aria-label={all === 1 ? `1 check in ${name}` : `${all.toLocaleString()} checks in ${name}`}
        >
          {all.toLocaleString()}
        </a>
      </td>
    </>
  );
}

/** Without any, and without a check that needs one. */
function NoIntegrations({
  project,
  mayAdd,
}: {
  readonly project: ProjectOverview;
  readonly mayAdd: boolean;
}) {
  return (
    <>
      None
      {mayAdd && (
        <>
          {', '}
          <a href={addressOf(project.id, 'integrations', 'new')}>
            add one<span class="hidden"> to {project.name}</span>
          </a>
        </>
      )}
    </>
  );
}

/** Failing integrations that are named: as many as the state has of each project. */
const failingNamedMax = 5;

interface TroublePart {
  readonly words: string;
  readonly look: 'down' | 'late';
}

interface Trouble {
  /** The worst first; each has its own look. */
  readonly parts: readonly TroublePart[];
  readonly address: string;
}

const partOf = (look: TroublePart['look'], words: string): TroublePart => ({ words, look });

/** Returns what is wrong with its integrations; null if nothing is. */
function troubleOf(
  { id, summary, hasIntegrations }: ProjectOverview,
  { failing, unconfigured }: PageState,
): Trouble | null {
  const [failed, unable] = [failing[id]?.length ?? 0, unconfigured[id]?.count ?? 0];
  const address = addressOf(id, 'integrations');
  const more = failed === failingNamedMax ? ' or more' : '';
  if (failed > 0) {
    const also = unable > 0 ? [partOf('late', `${unable} cannot send`)] : [];
    // With both, it would be the widest column: its head says what it is about.
    const many = also.length === 0 ? integrationsWords(failed, more) : `${failed}${more}`;
    return { parts: [partOf('down', `${many} failing`), ...also], address };
  }
  if (unable > 0) return { parts: [partOf('late', `${integrationsWords(unable)} cannot send`)], address };
  if (summary.notifyNobody === 0) return null;
  // A matrix without a column is of no use.
  const where = hasIntegrations ? `${address}?view=matrix&notifies=nobody` : address;
  return { parts: [partOf('late', nobodyWords(summary.notifyNobody))], address: where };
}

function integrationsWords(count: number, more = ''): string {
  return count === 1 ? '1 integration' : `${count}${more} integrations`;
}

function nobodyWords(count: number): string {
  return count === 1 ? '1 check notifies nobody' : `${count.toLocaleString()} checks notify nobody`;
}

function noteOf({ all, downSinceMs, lateUntilMs }: ProjectOverview['summary'], nowMs: number): string {
  if (all === 0) return 'No checks yet';
  if (downSinceMs !== null) return `Longest down ${unbroken(spanDown(nowMs - downSinceMs))}`;
  if (lateUntilMs !== null) return `Next down in ${unbroken(spanAhead(lateUntilMs - nowMs))}`;
  return 'Nothing is down';
}
