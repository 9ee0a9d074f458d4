/**
 * The wall view: how everything is, large, for a screen in the office. It has no controls but the way out and to what is down, for
 * members. Others open it by a link with a key in its fragment, which no log and no proxy gets to see.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';
import type { Overview, TroubledRow, WallIncidentView } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { addressOf, go, projectsPath } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useNow } from '../core/use-now.ts';
import { useWide } from '../core/use-wide.ts';
import { exactClock, momentWords, newWords, shownWords, timeWords } from '../core/words.ts';
import { failingParts } from '../form/channel-trouble.ts';
import { isHandledRow, nameOf, stateWords } from '../rows/row-words.ts';
import { alsoWords, shownCount } from '../rows/shown-count.ts';
import { type LookedOverview, staleAfterMs, useOverview } from '../rows/use-overview.ts';
import { Icon, Logo } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { openWords } from './incidents-line.tsx';
import '../style/overview.css';

export function Wall({ project }: { readonly project: string }) {
  const [key] = useState(() => location.hash.slice(1));
  const looked = useOverview({ project, key, rows: true });
  const { overview, error } = looked;
  const nowMs = useNow(looked.offsetMs);
  const isOne = overview?.projects.length === 1;
  const title = isOne ? (overview?.projects[0]?.name ?? '') : 'All projects';
  useTab(overview ? { counts: countsOf(overview) } : null, title);
  const isMember = key === '';
  const isOfAll = project === '' && overview !== null && overview.projects.length > 1;
  const out = isOfAll
    ? { to: fromRoot(projectsPath), name: 'Projects', back: 'Back to all projects' }
    : {
        to: project === '' ? fromRoot('/checks') : addressOf(project, 'checks'),
        name: 'Checks',
        back: 'Back to the checks',
      };
  useEscape(out.to, isMember);
  return (
    <main class="wall" id="main">
      <header>
        {isMember ? (
          <a href={out.to} aria-label={out.back} title={`${out.back} (Escape)`}>
            <Logo />
            <span class="back">
              <Icon name="left" /> {out.name}
            </span>
          </a>
        ) : (
          <Logo />
        )}
        <h1>{overview ? title : 'Knell'}</h1>
        <Freshness looked={looked} />
        <time>{timeWords(nowMs)}</time>
      </header>
      {overview === null ? (
        <p role="status">{error === '' ? 'Loading…' : error}</p>
      ) : (
        <>
          <Counts
            counts={countsOf(overview)}
            neverPinged={neverPingedIn(overview)}
            runningToo={runningTooIn(overview)}
          />
          <WallIncidents overview={overview} nowMs={nowMs} />
          <Troubled overview={overview} nowMs={nowMs} />
        </>
      )}
    </main>
  );
}

function useEscape(out: string, isMember: boolean): void {
  useEffect(() => {
    if (!isMember) return;
    const pressed = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') go(out);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [out, isMember]);
}

function countsOf({ projects }: Overview): Record<ShownStatus, number> {
  const sum = (status: ShownStatus): number =>
    projects.reduce((total, { summary }) => total + shownCount(status, summary), 0);
  return {
    ...{ down: sum('down'), late: sum('late'), running: sum('running') },
    ...{ up: sum('up'), paused: sum('paused'), new: sum('new') },
  };
}

function neverPingedIn({ projects }: Overview): number {
  return projects.reduce((total, { summary }) => total + summary.neverPinged, 0);
}

function runningTooIn({ projects }: Overview): number {
  return projects.reduce((total, { summary }) => total + summary.runningToo, 0);
}

function checksOf({ projects }: Overview): number {
  return projects.reduce((total, { summary }) => total + summary.all, 0);
}

/** Says how old the picture is: an old one that looks new is worse than none. */
function Freshness({ looked: { answeredAtMs } }: { readonly looked: LookedOverview }) {
  if (answeredAtMs === null) return null;
  const isStale = !navigator.onLine || Date.now() - answeredAtMs > staleAfterMs;
  return (
    <span class={`connection ${isStale ? 'offline' : 'on'}`} role="status">
      {isStale ? `Offline, data from ${exactClock(answeredAtMs)}` : 'Live'}
    </span>
  );
}

interface CountsProps {
  readonly counts: Readonly<Record<ShownStatus, number>>;
  readonly neverPinged: number;
  readonly runningToo: number;
}

function Counts({ counts, neverPinged, runningToo }: CountsProps) {
  return (
    <ul class="counts">
      {shownStatuses
        .filter((status) => status === 'down' || status === 'late' || counts[status] > 0)
        .map((status) => (
          <li key={status} class={`${status}${counts[status] === 0 ? ' none' : ''}`}>
            <strong>{counts[status].toLocaleString()}</strong>
            <span>
              <Shape of={status} />{' '}
              {status === 'new' ? newWords(counts.new, neverPinged) : shownWords[status]}
              {alsoWords(status, { runningToo }, ', ')}
            </span>
          </li>
        ))}
    </ul>
  );
}

/**
 * How many there are, and of those with several checks what they are: that nobody has acknowledged first, since somebody in the
 * office may.
 */
function WallIncidents({ overview, nowMs }: { readonly overview: Overview; readonly nowMs: number }) {
  const scrolls = useScrolls();
  const { projects } = overview;
  const all = projects
    .flatMap(({ name, incidents }) => incidents.map((incident) => ({ incident, project: name })))
    .sort(
      (a, b) =>
        Number(a.incident.isAcknowledged) - Number(b.incident.isAcknowledged) ||
        b.incident.openedMs - a.incident.openedMs,
    );
  const count = projects.reduce((sum, { summary }) => sum + summary.incidents.count, 0);
  const acknowledged = projects.reduce((sum, { summary }) => sum + summary.incidents.acknowledged, 0);
  const [failing, unable] = integrationTrouble(overview);
  const isTroubled = failing !== '' || unable !== '';
  if (count === 0 && !isTroubled) return null;
  const shown = scrolls ? all : all.slice(0, incidentsShown);
  return (
    <section class="open-incidents" aria-label="Incidents and integrations">
      <div class="said">
        {count > 0 && (
          <h2 class={acknowledged < count ? 'open' : ''}>
            <Icon name="incident" size={20} />
            {openWords({ count, acknowledged })}
          </h2>
        )}
        {isTroubled && (
          <h2 class={failing === '' ? 'late' : 'bad'}>
            <Icon name="hook" size={20} />
            <span>
              {failing}
              {failing !== '' && unable !== '' && ', '}
              <span class="late">{unable}</span>
            </span>
          </h2>
        )}
      </div>
      {shown.length > 0 && (
        <ul>
          {shown.map(({ incident, project }) => (
            <li
              key={`${project} ${incident.openedMs} ${incident.title}`}
              class={incident.isAcknowledged ? 'taken' : ''}
            >
              <span class="title">{incident.title}</span>
              <span class="note">
                {projects.length > 1 && `${project} · `}
                {downWords(incident.down)} since {momentWords(incident.openedMs, nowMs)}
              </span>
              <span class="who">{takenWords(incident)}</span>
            </li>
          ))}
          {count > shown.length && (
            <li>
              <span class="note">and {(count - shown.length).toLocaleString()} more</span>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

/** Whether what is down reaches anybody. */
function integrationTrouble({ projects }: Overview): ReturnType<typeof failingParts> {
  const sum = (of: 'failing' | 'unable'): number =>
    projects.reduce((total, { integrations }) => total + (integrations?.[of] ?? 0), 0);
  return failingParts(sum('failing'), sum('unable'));
}

/** Below them there are the checks that are down. */
const incidentsShown = 4;

/** Returns `12 checks down`. */
function downWords(down: number): string {
  return down === 1 ? '1 check down' : `${down.toLocaleString()} checks down`;
}

function takenWords({ isAcknowledged, by }: WallIncidentView): string {
  if (!isAcknowledged) return 'Not acknowledged';
  return by === '' ? 'Acknowledged' : `Acknowledged by ${by}`;
}

interface Trouble {
  readonly row: TroubledRow;
  readonly project: string;
  /** Address of the check; empty for who looks by a link. */
  readonly href: string;
}

/** Whether the screen is so small that the wall is scrolled: somebody holds it. As in the style. */
function useScrolls(): boolean {
  const [isWide, isTall] = [useWide(), useWide(500, 'height')];
  return !isWide || !isTall;
}

/** Lists as many checks as fit on the screen, or all where it is scrolled, and says how many more there are. */
function Troubled({ overview, nowMs }: { readonly overview: Overview; readonly nowMs: number }) {
  const box = useRef<HTMLUListElement>(null);
  const counts = countsOf(overview);
  const shown = troubleOf(overview, nowMs);
  const fitting = useFitting(box, shown);
  const fits = useScrolls() ? Number.POSITIVE_INFINITY : fitting;
  const total = counts.down + counts.late;
  if (total === 0) return <AllWell overview={overview} counts={counts} />;
  const lines = total > fits ? shown.slice(0, Math.max(1, fits - 1)) : shown;
  const isOne = overview.projects.length === 1;
  return (
    <ul class="troubled" ref={box}>
      {lines.map((trouble) => (
        <Line
          key={`${trouble.project} ${trouble.row.id}`}
          {...{ trouble, nowMs }}
          project={isOne ? '' : trouble.project}
        />
      ))}
      {total > lines.length && <li class="more">and {(total - lines.length).toLocaleString()} more</li>}
    </ul>
  );
}

/**
 * Returns how many lines of a list fit into it, if each is as tall as the tallest: on a phone a long name has several lines. What was
 * the tallest once counts until the list has another size, so that lines do not come and go.
 */
function useFitting(box: RefObject<HTMLUListElement | null>, shown: readonly Trouble[]): number {
  const [fits, setFits] = useState(Number.POSITIVE_INFINITY);
  const tallest = useRef(0);
  const names = shown.map(({ row }) => nameOf(row)).join('\n');
  const measure = (list: HTMLUListElement): void => {
    const heights = [...list.children].map((line) => line.getBoundingClientRect().height);
    tallest.current = Math.max(tallest.current, ...heights);
    if (tallest.current > 0) setFits(Math.max(1, Math.floor(list.clientHeight / tallest.current)));
  };
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const observer = new ResizeObserver(() => {
      tallest.current = 0;
      measure(list);
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [shown.length > 0]);
  useLayoutEffect(() => {
    if (box.current) measure(box.current);
  }, [names, fits]);
  return fits;
}

/** As in the list: what needs nobody now must not take the place of what does. */
function isHandled({ row }: Trouble, nowMs: number): boolean {
  return isHandledRow(row, nowMs, maintainedUntil(row, nowMs));
}

function maintainedUntil({ maintainedUntilMs = 0 }: TroubledRow, nowMs: number): number | null {
  return maintainedUntilMs > nowMs ? maintainedUntilMs : null;
}

/** Returns the checks of all projects: what is down before what is late, what nobody handles before the rest, and the newest first. */
function troubleOf({ projects }: Overview, nowMs: number): readonly Trouble[] {
  const all = projects.flatMap(({ id, name, troubled }) =>
    troubled.map((row) => ({ row, project: name, href: id === '' ? '' : addressOf(id, 'checks', row.id) })),
  );
  const [down, late] = [
    all.filter(({ row }) => row.status === 'down'),
    all.filter(({ row }) => row.status !== 'down'),
  ];
  const handledLast = (a: Trouble, b: Trouble): number =>
    Number(isHandled(a, nowMs)) - Number(isHandled(b, nowMs));
  down.sort((a, b) => handledLast(a, b) || b.row.sinceMs - a.row.sinceMs);
  late.sort((a, b) => handledLast(a, b) || (a.row.downAtMs ?? 0) - (b.row.downAtMs ?? 0));
  return [...down, ...late];
}

interface LineProps {
  readonly trouble: Trouble;
  /** Empty where there is only one. */
  readonly project: string;
  readonly nowMs: number;
}

/** The check's page is asked for from the server: the row has the id by which a viewer knows it, and the address another one. */
function Line({ trouble, project, nowMs }: LineProps) {
  const { row, href } = trouble;
  const words = stateWords(row, nowMs, maintainedUntil(row, nowMs));
  return (
    <li class={isHandled(trouble, nowMs) ? `${words.status} held` : words.status}>
      <Shape of={words.mark} />
      <span class="name">
        {href === '' ? (
          <span class="own">{nameOf(row)}</span>
        ) : (
          <a class="own" href={href} target="_self">
            {nameOf(row)}
          </a>
        )}
        {project !== '' && <span class="note">{project}</span>}
      </span>
      <span class="state">
        {words.first}
        <span class="note">{words.second}</span>
      </span>
    </li>
  );
}

function AllWell({
  overview,
  counts,
}: {
  overview: Overview;
  counts: Readonly<Record<ShownStatus, number>>;
}) {
  const all = checksOf(overview);
  return (
    <p class="well">
      <Shape of={all === 0 ? 'new' : 'up'} />
      {all === 0 ? 'No checks yet' : 'Nothing is down'}
      {counts.running > 0 && <span class="note">{counts.running.toLocaleString()} running now</span>}
    </p>
  );
}
