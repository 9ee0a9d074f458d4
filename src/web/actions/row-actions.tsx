/** The actions on a check from its row, without opening it. */
import type { ActiveMaintenanceView, CheckRow, RowsView } from '../../domain/views/page-view.ts';
import { ask, messageOf, Refusal, send } from '../core/calls.ts';
import { addressOf, go } from '../core/route.ts';
import { instantOf, wallTime } from '../core/time-style.ts';
import { momentWords } from '../core/words.ts';
import { alertPath, apiPath, pingPath, type SnoozeBody, undoPausePath } from '../rows/api-check.ts';
import { maintainedUntil } from '../rows/maintained.ts';
import { keptBackWords, nameOf } from '../rows/row-words.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { say, type ToastAction } from '../ui/toasts.tsx';
import { askToMarkUp, askToPause } from './mark-up.tsx';
import { snoozeBack } from './snooze-back.ts';

export interface RowActionsProps {
  readonly project: string;
  /** Address of this Knell, where pings go. */
  readonly baseUrl: string;
}

export function RowActions({ row, project, baseUrl }: RowActionsProps & { readonly row: CheckRow }) {
  const isPaused = row.status === 'paused';
  const name = nameOf(row);
  return (
    <span role="cell" class="row-actions">
      <button
        type="button"
        class="symbol"
        title="Ping now"
        aria-label={`Ping ${name} now`}
        onClick={() => void pingNow(project, row)}
      >
        <Icon name="bolt" />
      </button>
      <button
        type="button"
        class="symbol"
        title="Copy ping URL"
        aria-label={`Copy the ping URL of ${name}`}
        onClick={() => copyUrl(`${baseUrl}/ping/${row.id}`)}
      >
        <Icon name="copy" />
      </button>
      <PauseButton {...{ row, project }} to="paused" offBecause={isPaused ? 'The check is paused' : ''} />
      <PauseButton
        {...{ row, project }}
        to="running"
        offBecause={isPaused ? '' : 'The check is not paused'}
      />
      <Menu class="symbol" label={<Icon name="more" />} name={`More for ${name}`} isRight>
        {row.status === 'down' && row.acknowledged === null && (
          <MenuItem run={() => void acknowledge(project, row)}>
            <Icon name="check" />
            Acknowledge
          </MenuItem>
        )}
        {row.snoozedUntilMs === null ? (
          snoozes().map((choice) => (
            <MenuItem key={choice.words} run={() => void snooze(project, row, choice)}>
              <Icon name="moon" />
              {choice.words}
            </MenuItem>
          ))
        ) : (
          <MenuItem run={() => void unsnooze(project, row)}>
            <Icon name="bell" />
            End the snooze
          </MenuItem>
        )}
        <hr />
        <MenuItem run={() => go(`${addressOf(project, 'checks', row.id)}?edit`)}>
          <Icon name="pencil" />
          Edit
        </MenuItem>
        <MenuItem run={() => go(addressOf(project, 'new', row.id))}>
          <Icon name="copy" />
          Clone
        </MenuItem>
      </Menu>
    </span>
  );
}

interface PauseProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly to: 'paused' | 'running';
  readonly offBecause: string;
}

/**
 * Pauses or resumes. Both buttons are there all the time, one of them off: a second press at the same spot must not undo the
 * first. It is off without `disabled`, which would take the focus from it.
 */
function PauseButton({ row, project, to, offBecause }: PauseProps) {
  const words = to === 'paused' ? 'Pause' : 'Resume';
  const isOff = offBecause !== '';
  return (
    <button
      type="button"
      class="symbol"
      title={isOff ? offBecause : words}
      aria-label={`${words} ${nameOf(row)}`}
      aria-disabled={isOff}
      onClick={isOff ? undefined : () => void setPaused(project, [row], to === 'paused')}
    >
      <Icon name={to === 'paused' ? 'pause' : 'play'} />
    </button>
  );
}

/** A choice of how long a snooze lasts, in words and as the API takes it. A span counts by the clock of the server. */
export interface SnoozeChoice {
  readonly words: string;
  readonly untilMs: number;
  readonly body: SnoozeBody;
}

export function snoozeFor(hours: number): SnoozeChoice {
  const words = `Snooze for ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return { words, untilMs: Date.now() + hours * 3_600_000, body: { for: hours * 3600 } };
}

export function snoozeUntil(untilMs: number): SnoozeChoice {
  const words = `Snooze until ${momentWords(untilMs, Date.now())}`;
  return { words, untilMs, body: { until: Math.round(untilMs / 1000) } };
}

/** The choices of a snooze: one hour, two, eight, and the next morning. */
export function snoozes(): readonly SnoozeChoice[] {
  const [year, month, day, hour] = wallTime(Date.now());
  return [...[1, 2, 8].map(snoozeFor), snoozeUntil(instantOf(year, month, hour < 9 ? day : day + 1, 9))];
}

/** Runs an action on the alerts of a check and says what was done, with a way back, or what went wrong. */
async function did(
  { id }: CheckRow,
  request: Promise<unknown>,
  words: string | Promise<string>,
  undo: (() => Promise<unknown>) | null,
): Promise<void> {
  await Promise.all([words, request]).then(
    ([said]) => say(said, undo, [id]),
    (reason: unknown) => say(messageOf(reason)),
  );
}

/** Pings by hand. It asks first if the ping ends an outage, including one that the page had not seen. */
export async function pingNow(project: string, row: CheckRow): Promise<void> {
  if (row.status === 'down') return askToMarkUp({ project, row });
  await send('POST', pingPath(project, row.id)).then(
    () => say(`Sent a ping to ${nameOf(row)}.`),
    (reason: unknown) =>
      reason instanceof Refusal && reason.field === 'mark_up'
        ? askToMarkUp({ project, row })
        : say(messageOf(reason)),
  );
}

export function acknowledge(project: string, row: CheckRow): Promise<void> {
  const to = (action: 'acknowledge' | 'unacknowledge') => send('POST', alertPath(project, row.id, action));
  return did(row, to('acknowledge'), `${nameOf(row)} acknowledged.`, () => to('unacknowledge'));
}

/** `reader`: the name of who withdraws. Only what they acknowledged themselves can be acknowledged again as it was. */
export function unacknowledge(project: string, row: CheckRow, reader: string): Promise<void> {
  const to = (action: 'acknowledge' | 'unacknowledge') => send('POST', alertPath(project, row.id, action));
  const again = row.acknowledged?.by === reader ? () => to('acknowledge') : null;
  return did(row, to('unacknowledge'), `${nameOf(row)} is not acknowledged any more.`, again);
}

export function snooze(project: string, row: CheckRow, { body, untilMs }: SnoozeChoice): Promise<void> {
  const until = momentWords(untilMs, Date.now());
  return did(
    row,
    send('POST', alertPath(project, row.id, 'snooze'), body),
    `${nameOf(row)} snoozed until ${until}.`,
    () => snoozeBack(project, row),
  );
}

export function unsnooze(project: string, row: CheckRow): Promise<void> {
  const { id, snoozedUntilMs } = row;
  const name = nameOf(row);
  const again = () =>
    send('POST', alertPath(project, id, 'snooze'), { until: Math.round((snoozedUntilMs ?? 0) / 1000) });
  const ended = send('POST', alertPath(project, id, 'unsnooze'));
  const words = ended.then(async () => {
    const then = await afterSnoozeWords(project, [row]);
    if (row.status === 'down' && row.acknowledged)
      return `${name} is not snoozed any more.\nIt is acknowledged: only people who have not had the alert get it.${then.text}`;
    return then.isHeld ? `${name} is not snoozed any more.${then.text}` : `${name} alerts again.${then.text}`;
  });
  return did(row, ended, words, snoozedUntilMs === null ? null : again);
}

interface AfterSnooze {
  /** Sentences, each on a line of its own; empty where there is nothing to say. */
  readonly text: string;
  /** Maintenance or a setting holds back the alerts of all of them. */
  readonly isHeld: boolean;
}

/** What follows for these checks, whose snoozes have just ended: what holds them back otherwise is known only then. */
export async function afterSnoozeWords(project: string, rows: readonly CheckRow[]): Promise<AfterSnooze> {
  const [now, { windows }] = await Promise.all([
    rowsNow(project, rows),
    ask<ActiveMaintenanceView>(`/web/in/${project}/maintenance/active`),
  ]).catch(() => [[], { windows: [] }] as const);
  const nowMs = Date.now();
  const held = now.flatMap((row) => {
    const words = keptBackWords(row, nowMs, maintainedUntil(row, windows));
    return words === '' ? [] : [words];
  });
  const isNotified = ({ status, acknowledged, heldBack, channels }: CheckRow): boolean =>
    status === 'down' && acknowledged === null && heldBack === undefined && channels.length > 0;
  const parts = [
    notifiedWords(now.filter(isNotified).length, rows.length === 1),
    heldWords(held, rows.length === 1),
  ];
  return { text: parts.join(''), isHeld: held.length > 0 && held.length === now.length };
}

/** Returns a sentence on a line of its own, or nothing where none of them notifies. */
function notifiedWords(count: number, isOne: boolean): string {
  if (count === 0) return '';
  if (isOne) return '\nIt is down, and notifies again now.';
  return `\n${count.toLocaleString()} of them ${count === 1 ? 'is down, and notifies' : 'are down, and notify'} again now.`;
}

/** Likewise of those that are held back: `In maintenance until 14:27, so nothing is sent yet.` */
function heldWords([first, ...others]: readonly string[], isOne: boolean): string {
  if (first === undefined) return '';
  if (isOne) return `\n${first}, so nothing is sent yet.`;
  const count = others.length + 1;
  return `\n${count.toLocaleString()} of them ${count === 1 ? 'is' : 'are'} in maintenance or held back, so nothing is sent of ${count === 1 ? 'it' : 'them'} yet.`;
}

export function copyUrl(url: string): void {
  // Without TLS browsers give no clipboard but to localhost.
  const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error('no clipboard'));
  copied.then(
    () => say('Copied the ping URL.'),
    () => say(url),
  );
}

/** Rows that the server answers for in one request. */
const rowsAskedMax = 100;

/**
 * Reads the rows as they are now: they may have changed since they were selected, and neither a change nor its undo may
 * overwrite that.
 */
export async function asOfNow(project: string, rows: readonly CheckRow[]): Promise<readonly CheckRow[]> {
  return rowsNow(project, rows).catch((reason: unknown) => {
    say(messageOf(reason));
    return [];
  });
}

/** Those that are still there, as they are now; with `filter`, those of them that it finds. */
export async function rowsNow(
  project: string,
  rows: readonly CheckRow[],
  filter = '',
): Promise<readonly CheckRow[]> {
  const fresh: CheckRow[] = [];
  for (let from = 0; from < rows.length; from += rowsAskedMax) {
    const ids = rows.slice(from, from + rowsAskedMax).map(({ id }) => id);
    const answer = await ask<RowsView>(
      `/web/in/${project}/rows?ids=${ids.join(',')}${filter && `&${filter}`}`,
    );
    fresh.push(...answer.rows);
  }
  return fresh;
}

/** Requests in flight at once: the server takes them as they come, and other people's requests must not wait for all of them. */
const atOnce = 8;

/** Requests something of each check, or incident; says which it was done to, and what went wrong: that keeps none of the others from it. */
export async function forEach<Row extends object>(
  rows: readonly Row[],
  request: (row: Row) => Promise<unknown>,
): Promise<Outcome<Row>> {
  const waiting = [...rows];
  const done: Row[] = [];
  let error = '';
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const current = row;
      await request(current).then(
        () => done.push(current),
        (reason: unknown) => {
          error ||= messageOf(reason);
        },
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, error };
}

/** What an action on several was done to, and what went wrong; empty for nothing. */
export interface Outcome<Row = CheckRow> {
  readonly done: readonly Row[];
  readonly error: string;
}

type Back = (rows: readonly CheckRow[]) => Promise<{ readonly error: string }>;

/** A way back with words of its own, which says itself what it did. */
interface Next {
  readonly words: string;
  readonly run: (rows: readonly CheckRow[], undone: string) => Promise<unknown>;
}

/** Says the outcome; `did` is what was done to the checks, such as "paused". `isOfAlerts`: it changes whether they alert. */
export function report(
  { done, error }: Outcome,
  did: string,
  then: Back | Next | null,
  isOfAlerts = false,
): void {
  const [only] = done;
  const what = done.length === 1 && only ? nameOf(only) : `${done.length} checks`;
  const about = isOfAlerts ? done.map(({ id }) => id) : [];
  if (done.length > 0) say(`${what} ${did}.`, then && offered(then, done), about);
  if (error !== '') say(error);
}

function offered(then: Back | Next, done: readonly CheckRow[]): ToastAction | (() => Promise<void>) {
  if (typeof then !== 'function') return { words: then.words, run: (undone) => then.run(done, undone) };
  return async () => {
    const { error } = await then(done);
    if (error !== '') throw new Error(error);
  };
}

/** Checks that are being paused or resumed: a second press meanwhile would be refused, since it is done. */
const inFlight = new Set<string>();

/** Returns how many of the checks it was done to, and how many are there. */
export async function setPaused(
  project: string,
  rows: readonly CheckRow[],
  isPaused: boolean,
): Promise<{ readonly changed: number; readonly known: number }> {
  const free = rows.filter(({ id }) => !inFlight.has(id));
  for (const { id } of free) inFlight.add(id);
  return await pauseOrResume(project, free, isPaused).finally(() => {
    for (const { id } of free) inFlight.delete(id);
  });
}

/**
 * A pause is undone: the check is what it was. It cannot be where one was down, as a pause ends the outage: then the way back is to resume,
 * after which the check is new. What was resumed is paused again.
 */
async function pauseOrResume(project: string, rows: readonly CheckRow[], isPaused: boolean) {
  const all = (paused: boolean, of: readonly CheckRow[]) =>
    forEach(of, ({ id }) => send('POST', apiPath(project, `checks/${id}/${paused ? 'pause' : 'resume'}`)));
  const known = await asOfNow(project, rows);
  const changed = known.filter(({ status }) => (status === 'paused') !== isPaused);
  const isDown = isPaused && changed.some(({ status }) => status === 'down');
  if (isDown && !(await askToPause(changed))) return { changed: changed.length, known: known.length };
  const outcome = await all(isPaused, changed);
  const isOne = outcome.done.length === 1;
  const unpause = (done: readonly CheckRow[]) =>
    forEach(done, ({ id }) => send('POST', undoPausePath(project, id)));
  if (isPaused) report(outcome, pausedWords(isOne), isDown ? resuming(project) : unpause, true);
  else report(outcome, resumedWords(isOne), (done) => all(true, done), true);
  return { changed: changed.length, known: known.length };
}

function pausedWords(isOne: boolean): string {
  return isOne
    ? 'paused.\nIt alerts no more until it is resumed and pinged'
    : 'paused.\nThey alert no more until they are resumed and pinged';
}

function resuming(project: string): Next {
  return { words: 'Resume', run: (rows) => setPaused(project, rows, false) };
}

function resumedWords(isOne: boolean): string {
  return isOne
    ? 'resumed.\nAlerts start after its next ping'
    : 'resumed.\nAlerts of each start after its next ping';
}
