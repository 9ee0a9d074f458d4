/**
 * What is done to a maintenance window where it is about a check, or an incident: started, extended, ended; and the words for it.
 * Invariant: each has a way back. What is on is extended: of what is started in one place there is one window.
 */
import { useRef } from 'preact/hooks';
import type { MaintenanceAnswer, MaintenanceListAnswer } from '../../domain/views/maintenance-view.ts';
import type {
  ActiveMaintenanceView,
  ActiveWindowView,
  CheckRow,
  EndedMaintenanceView,
} from '../../domain/views/page-view.ts';
import { ask, send } from '../core/calls.ts';
import { maintenanceAddress } from '../core/route.ts';
import { checksWords, exactTime, momentWords, unbroken } from '../core/words.ts';
import { nameOf } from '../rows/row-words.ts';
import { Act } from '../ui/bits.tsx';
import { say } from '../ui/toasts.tsx';

interface WordsProps {
  readonly window: ActiveWindowView;
  readonly project: string;
  readonly mayEdit: boolean;
  readonly nowMs: number;
}

/** `In maintenance until Sun 6 Dec, 23:20 (DB move): failures are not sent`. What does not fit is left out, the end first. */
export function MaintenanceWords({ window: { name, untilMs }, project, mayEdit, nowMs }: WordsProps) {
  return (
    <>
      <span title={`${name}, until ${exactTime(untilMs)}`}>
        {/* Viewers cannot see the windows. */}
        {mayEdit ? <a href={maintenanceAddress(project)}>In maintenance</a> : 'In maintenance'} until{' '}
        {unbroken(momentWords(untilMs, nowMs))}
      </span>{' '}
      <span class="from-768 of-window">
        <span>({name}</span>)<span class="from-1280">: failures are not sent.</span>
      </span>
    </>
  );
}

interface EndProps {
  readonly project: string;
  readonly window: ActiveWindowView;
  /** How many of its checks are in sight: it ends for all of them. */
  readonly shown: number;
  readonly changed: () => void;
}

export function EndMaintenance({ project, window: { id, name, count }, shown, changed }: EndProps) {
  const own = useRef<HTMLButtonElement>(null);
  const run = async (): Promise<void> => {
    const card = own.current?.closest<HTMLElement>('section');
    await endWindow(project, await windowIn(project, id), { count, changed });
    // The button goes: who goes on with the keyboard is where it was.
    if (card) card.tabIndex = -1;
    card?.focus({ preventScroll: true });
  };
  return (
    <Act class="quiet" own={own} run={run} failed={(error) => error !== '' && say(error)}>
      {count > shown ? (
        <>
          End <span class="from-1280">now </span>for all {count.toLocaleString()}
          <span class="from-1280"> checks</span>
        </>
      ) : (
        'End now'
      )}
      <span class="hidden"> {name}</span>
    </Act>
  );
}

/** With its times as they are: those that are set anew undo what was done to it. */
export async function windowIn(project: string, id: string): Promise<MaintenanceAnswer> {
  const { maintenance } = await ask<MaintenanceListAnswer>(pathOf(project));
  const window = maintenance.find(({ uuid }) => uuid === id);
  if (!window) throw new Error('This maintenance window was deleted.');
  return window;
}

interface Ended {
  /** How many checks the window was about; null where that is not known. */
  readonly count: number | null;
  /** Asks again what is on. */
  readonly changed: () => void;
}

export async function endWindow(
  project: string,
  window: MaintenanceAnswer,
  { count, changed }: Ended,
): Promise<void> {
  const path = pathOf(project, window.uuid);
  const { atEnd } = await send<EndedMaintenanceView>('POST', `${path}/end`);
  // Whether they alert again is another question: another window may be on about some.
  const of = count === null || count < 2 ? '' : ` for ${checksWords(count)}`;
  say(`Maintenance ended${of}: ${shortName(window)}.${atEnd ? endWords(atEnd) : ''}`, () =>
    send('POST', path, timesOf(window)).then(changed),
  );
  changed();
}

/** What is sent at the end, where that is known. */
function endWords({ sent, before, others }: NonNullable<EndedMaintenanceView['atEnd']>): string {
  if (sent > 0)
    return ` The alert${sent === 1 ? '' : 's'} of ${checksWords(sent)} ${sent === 1 ? 'is' : 'are'} sent now.`;
  if (others > 0) return '';
  if (before === 0) return ' No alert is sent: none of its checks is down.';
  return before === 1
    ? ' No alert is sent: that of the check that is down was sent before.'
    : ' No alert is sent: those of the checks that are down were sent before.';
}

/** Undone, it is a new window with all that was set of the other one, and over for now if that was. */
export async function deleteWindow(
  project: string,
  window: MaintenanceAnswer,
  changed: () => void,
): Promise<void> {
  const { name, checks, tags, integrations, counts_as_downtime, active } = window;
  const isQuiet = integrations.length > 0;
  const back = async (): Promise<void> => {
    const again = await send<MaintenanceAnswer>('POST', pathOf(project), {
      ...{ name, checks, tags, integrations },
      ...(isQuiet ? {} : { counts_as_downtime }),
      ...timesOf(window),
    });
    if (again.active && !active) await send('POST', `${pathOf(project, again.uuid)}/end`);
    changed();
  };
  await send('DELETE', pathOf(project, window.uuid));
  say(`${shortName(window)} was deleted.`, back);
  changed();
}

interface Wanted {
  readonly project: string;
  /** The checks that it is about, or is about as well from now on. */
  readonly rows: readonly CheckRow[];
  readonly hours: number;
  /** The checks of the incident. */
  readonly ids: ReadonlySet<string>;
  readonly changed: () => void;
}

/** Somebody else may have started it a moment ago: then it goes on until the later of both ends. */
export async function startMaintenance(wanted: Wanted): Promise<void> {
  const { project, rows, hours, ids, changed } = wanted;
  const path = pathOf(project);
  const { windows } = await ask<ActiveMaintenanceView>(`${path}/active`);
  const known = startedHere(windows, ids);
  if (known) return extend(wanted, known, Math.max(known.untilMs, Date.now() + hours * hourMs));
  const window = await send<MaintenanceAnswer>('POST', path, {
    name: nameFor(rows),
    checks: rows.map(({ id }) => id),
    duration: `${hours}h`,
  });
  const end = () => send('POST', `${pathOf(project, window.uuid)}/end`).then(changed);
  say(maintenanceWords('started', window), end);
  changed();
}

/** By so many hours. Checks that have gone down since are in it, too. */
export function extendMaintenance(wanted: Wanted, known: ActiveWindowView): Promise<void> {
  return extend(wanted, known, known.untilMs + wanted.hours * hourMs);
}

async function extend(
  { project, rows, changed }: Wanted,
  known: ActiveWindowView,
  untilMs: number,
): Promise<void> {
  const path = pathOf(project, known.id);
  const before = await windowIn(project, known.id);
  const checks = [...new Set([...before.checks, ...rows.map(({ id }) => id)])];
  const until = new Date(untilMs).toISOString();
  const window = await send<MaintenanceAnswer>('POST', path, { ...timesOf(before), until, checks });
  const back = { ...timesOf(before), checks: before.checks };
  say(maintenanceWords('extended', window), () => send('POST', path, back).then(changed));
  changed();
}

const hourMs = 3_600_000;

function maintenanceWords(
  done: 'started' | 'extended',
  { checks, until_active: until }: MaintenanceAnswer,
): string {
  const words = until === null ? '' : ` until ${momentWords(Date.parse(until), Date.now())}`;
  return `Maintenance ${done}: ${checksWords(checks.length)}${words}.`;
}

/** Of one that has the name of an incident, without that word: the incident itself goes on. */
function shortName({ name }: MaintenanceAnswer): string {
  return name.startsWith(namePrefix) ? name.slice(namePrefix.length) : name;
}

/** The window that was started on the page of an incident of these checks and is on; null for none. */
export function startedHere(
  windows: readonly ActiveWindowView[],
  ids: ReadonlySet<string>,
): ActiveWindowView | null {
  const here = windows.find(
    ({ name, checks, tags }) =>
      name.startsWith(namePrefix) &&
      tags.length === 0 &&
      checks.length > 0 &&
      checks.every((id) => ids.has(id)),
  );
  return here ?? null;
}

const namePrefix = 'Incident: ';

/** Characters of a name that fit beside the other words into the name of a window. */
const nameCharsMax = 60;

function nameFor([first, ...others]: readonly CheckRow[]): string {
  const name = first ? [...nameOf(first)].slice(0, nameCharsMax).join('') : '';
  return `${namePrefix}${name}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

function pathOf(project: string, id = ''): string {
  return `/web/in/${project}/maintenance${id === '' ? '' : `/${id}`}`;
}

/** The times of the window as they are: set anew, they undo its end. */
function timesOf({ from, until, schedule, tz, duration, dates }: MaintenanceAnswer) {
  return {
    ...(from === null ? {} : { from, until }),
    ...(schedule === '' ? {} : { schedule, tz, duration }),
    ...(dates.length === 0 ? {} : { dates }),
  };
}
