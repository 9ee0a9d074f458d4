/**
 * The actions on several checks at once. Each sends a request for each check, says one sentence for all, and offers a way back
 * to what each of them was, except after deleting and pausing.
 */
import type { CheckRow, MovedView } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { send } from '../core/calls.ts';
import { momentWords } from '../core/words.ts';
import { checkErrorWords } from '../form/check-errors.ts';
import { alertPath, apiPath, movePath, type SnoozeBody } from '../rows/api-check.ts';
import { forgetWaysBack, say, undoWords } from '../ui/toasts.tsx';
import {
  afterSnoozeWords,
  asOfNow,
  forEach,
  type Outcome,
  report,
  rowsNow,
  type SnoozeChoice,
  setPaused,
} from './row-actions.tsx';
import { snoozeBack } from './snooze-back.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Gives each check other fields; undo gives back those that it had. A check that has the fields already does not change. */
async function edit(
  project: string,
  rows: readonly CheckRow[],
  { did, to, from, none, isBack }: Edit,
): Promise<void> {
  const set = (of: readonly CheckRow[], fieldsOf: (row: CheckRow) => Fields) =>
    forEach(of, (row) => send('POST', apiPath(project, `checks/${row.id}`), fieldsOf(row)));
  const known = await asOfNow(project, rows);
  const isOther = (row: CheckRow): boolean => JSON.stringify(to(row)) !== JSON.stringify(from(row));
  const changed = known.filter(isOther);
  if (changed.length === 0 && known.length > 0) return say(none);
  const { done, error } = await set(changed, to);
  const back = (of: readonly CheckRow[]) => set(of, from);
  const undo = isBack && {
    words: undoWords,
    run: (of: readonly CheckRow[], undone: string) => backInTime(project, of, back, { undone, isBack }),
  };
  report({ done, error: checkErrorWords(error) }, did, undo || back);
}

/** Gives back what says when pings are expected. It brings no check up that the change took down: that is said. */
async function backInTime(
  project: string,
  rows: readonly CheckRow[],
  back: (of: readonly CheckRow[]) => Promise<Outcome>,
  { undone, isBack }: { readonly undone: string; readonly isBack: string },
): Promise<void> {
  const { error } = await back(rows);
  if (error !== '') throw new Error(error);
  const wasDown = new Set(rows.flatMap(({ id, status }) => (status === 'down' ? [id] : [])));
  const now = await rowsNow(project, rows).catch(() => []);
  const stay = now.filter(
    ({ id, status, cause }) => status === 'down' && cause === 'update' && !wasDown.has(id),
  );
  say(stay.length === 0 ? undone : `${isBack} ${stayWords(stay.length)}`);
}

function stayWords(count: number): string {
  return count === 1
    ? '1 check stays down until its next ping.'
    : `${count.toLocaleString()} checks stay down until their next ping.`;
}

interface Edit {
  /** Words for what was done, such as "tagged fresh". */
  readonly did: string;
  readonly to: (row: CheckRow) => Fields;
  readonly from: (row: CheckRow) => Fields;
  /** The sentence for when nothing changes. */
  readonly none: string;
  /** The sentence for when that is undone which says when pings are expected; absent for other fields. */
  readonly isBack?: string;
}

export function changeTags(
  project: string,
  rows: readonly CheckRow[],
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> {
  const changed = ({ tags }: CheckRow): string => {
    const kept = tagsIn(tags).filter((tag) => !removed.includes(tag));
    return [...kept, ...added.filter((tag) => !kept.includes(tag))].join(' ');
  };
  const did = [
    added.length > 0 ? `tagged ${added.join(', ')}` : '',
    removed.length > 0 ? `no longer tagged ${removed.join(', ')}` : '',
  ];
  return edit(project, rows, {
    did: did.filter((part) => part !== '').join(' and '),
    to: (row) => ({ tags: changed(row) }),
    from: ({ tags }) => ({ tags: tagsIn(tags).join(' ') }),
    none: 'They had these tags already.',
  });
}

export function tagsIn(tags: string): readonly string[] {
  return tags.split(/\s+/).filter((tag) => tag !== '');
}

export function changeGrace(project: string, rows: readonly CheckRow[], graceS: number): Promise<void> {
  return edit(project, rows, {
    did: `given a grace time of ${exactSpan(graceS * 1000)}`,
    to: () => ({ grace: graceS }),
    from: (row) => ({ grace: row.graceS }),
    none: 'They had this grace time already.',
    isBack: 'The grace times are back.',
  });
}

/** Sets `schedule` as the management API takes it: an interval, or an expression with its time zone. */
export function changeSchedule(project: string, rows: readonly CheckRow[], schedule: Fields): Promise<void> {
  return edit(project, rows, {
    did: 'rescheduled',
    to: () => schedule,
    from: ({ kind, timeoutS, schedule: expression, tz }) =>
      kind === 'simple' ? { timeout: timeoutS } : { schedule: expression, tz },
    none: 'They had this schedule already.',
    isBack: 'The schedules are back.',
  });
}

/** Whether a check is down, and nobody has acknowledged that. */
export function isToAcknowledge({ status, acknowledged }: CheckRow): boolean {
  return status === 'down' && acknowledged === null;
}

export const nothingToAcknowledge = 'None of them is down and unacknowledged.';

/** Acknowledges those checks that are down and that nobody has acknowledged. */
export async function acknowledgeAll(project: string, rows: readonly CheckRow[]): Promise<void> {
  const to = (action: 'acknowledge' | 'unacknowledge', of: readonly CheckRow[]) =>
    forEach(of, ({ id }) => send('POST', alertPath(project, id, action)));
  const known = await asOfNow(project, rows);
  const due = known.filter(isToAcknowledge);
  if (due.length === 0 && known.length > 0) return say(nothingToAcknowledge);
  report(await to('acknowledge', due), 'acknowledged', (done) => to('unacknowledge', done), true);
}

export function isPaused({ status }: CheckRow): boolean {
  return status === 'paused';
}

export const nothingToPause = 'They are paused already.';
export const nothingToResume = 'None of them is paused.';

/** Pauses or resumes those checks that are not so yet, and says so where there is none: somebody else may have been faster. */
export async function setAllPaused(
  project: string,
  rows: readonly CheckRow[],
  toPause: boolean,
): Promise<void> {
  const { changed, known } = await setPaused(project, rows, toPause);
  if (changed === 0 && known > 0) say(toPause ? nothingToPause : nothingToResume);
}

/** Snoozes each check; undo restores the snooze that each had, or none. */
export async function snoozeAll(
  project: string,
  rows: readonly CheckRow[],
  { body, untilMs }: SnoozeChoice,
): Promise<void> {
  const known = await asOfNow(project, rows);
  const snoozed = await forEach(known, ({ id }) => snoozeOne(project, id, body));
  const did = `snoozed until ${momentWords(untilMs, Date.now())}`;
  report(snoozed, did, (done) => forEach(done, (row) => snoozeBack(project, row)), true);
}

export async function unsnoozeAll(project: string, rows: readonly CheckRow[]): Promise<void> {
  const known = await asOfNow(project, rows);
  const snoozed = known.filter(({ snoozedUntilMs }) => snoozedUntilMs !== null);
  if (snoozed.length === 0 && known.length > 0) return say('None of them is snoozed.');
  const ended = await forEach(snoozed, ({ id }) => snoozeOne(project, id, null));
  const { text } = await afterSnoozeWords(project, ended.done);
  report(
    ended,
    `no longer snoozed.${text}`.replace(/\.$/, ''),
    (done) => forEach(done, (row) => snoozeBack(project, row)),
    true,
  );
}

/** Snoozes one check; a `body` of null ends its snooze. */
function snoozeOne(project: string, id: string, body: SnoozeBody | null): Promise<unknown> {
  return body === null
    ? send('POST', alertPath(project, id, 'unsnooze'))
    : send('POST', alertPath(project, id, 'snooze'), body);
}

interface Named {
  readonly id: string;
  readonly title: string;
}

export function changeNotified(
  project: string,
  rows: readonly CheckRow[],
  { added, removed }: { readonly added: readonly Named[]; readonly removed: readonly Named[] },
): Promise<void> {
  const titles = (of: readonly Named[]): string => of.map(({ title }) => title).join(', ');
  const did = [
    added.length > 0 ? `to notify ${titles(added)}` : '',
    removed.length > 0 ? `not to notify ${titles(removed)}` : '',
  ];
  const changed = ({ channels }: CheckRow): readonly string[] => {
    const kept = channels.filter((id) => !removed.some((one) => one.id === id));
    return [...kept, ...added.map(({ id }) => id).filter((id) => !kept.includes(id))];
  };
  return edit(project, rows, {
    did: `set ${did.filter((part) => part !== '').join(' and ')}`,
    to: (row) => ({ channels: changed(row).join(',') }),
    from: ({ channels }) => ({ channels: channels.join(',') }),
    none: 'They notified these already.',
  });
}

/** The checks get all integrations of the other project; undo gives back those that they had. */
export async function moveChecks(
  project: string,
  rows: readonly CheckRow[],
  target: { readonly id: string; readonly name: string },
): Promise<void> {
  const back = async (row: CheckRow): Promise<void> => {
    await send('POST', movePath(target.id, row.id), { project, channels: 'none' });
    await send('POST', apiPath(project, `checks/${row.id}`), { channels: row.channels.join(',') });
  };
  const notified: number[] = [];
  const moved = await forEach(await asOfNow(project, rows), async ({ id }) => {
    const body = { project: target.id, channels: 'all' };
    notified.push((await send<MovedView>('POST', movePath(project, id), body)).channels);
  });
  if (moved.done.length > 0) forgetWaysBack();
  report(moved, `moved to ${target.name}.\n${notifiesWords(notified)}`, (done) => forEach(done, back));
}

/** Whom checks notify after a move. `notified`: of each, how many integrations. */
function notifiesWords(notified: readonly number[]): string {
  const nobody = notified.filter((count) => count === 0).length;
  const isOne = notified.length === 1;
  if (nobody === 0) {
    const most = Math.max(...notified);
    const which = most === 1 ? 'the integration' : `the ${most.toLocaleString()} integrations`;
    return `${isOne ? 'It notifies' : 'They notify'} ${which} of that project now`;
  }
  if (isOne) return 'It notifies nobody there';
  if (nobody === notified.length) return `All ${nobody.toLocaleString()} notify nobody there`;
  return `${nobody.toLocaleString()} of them ${nobody === 1 ? 'notifies' : 'notify'} nobody there`;
}

/** Deletes the checks. It cannot be undone: the caller has asked. */
export async function deleteChecks(project: string, rows: readonly CheckRow[]): Promise<void> {
  const deleted = await forEach(rows, ({ id }) => send('DELETE', apiPath(project, `checks/${id}`)));
  if (deleted.done.length > 0) forgetWaysBack();
  report(deleted, 'deleted', null);
}
