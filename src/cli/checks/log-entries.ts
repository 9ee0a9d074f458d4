/**
 * Reads what happened to a check from three lists of the API: pings, status changes, notifications. `check-log` prints it.
 * Invariant: each entry is returned once, however often `read` is called; a list that cannot have changed is not requested,
 * because the API limits requests.
 */
import type { FoundCheck } from '../../client/find-check.ts';
import type { ApiCheck, Management } from '../../client/management.ts';
import type {
  FlipAnswer,
  FlipListAnswer,
  NotificationAnswer,
  NotificationListAnswer,
  PingAnswer,
  PingListAnswer,
} from '../../domain/views/api-answers.ts';
import { isUuid } from '../../lib/ids.ts';

export type LogEntry =
  | ({ readonly what: 'ping' } & PingAnswer)
  | ({ readonly what: 'change' } & FlipAnswer)
  | ({ readonly what: 'notification' } & NotificationAnswer);

/** Whether only flips can be read: a read-only key sees no id of the check, and neither its pings nor its notifications. */
export function isFlipsOnly({ check }: FoundCheck): boolean {
  return !isUuid(check.uuid);
}

export class LogReader {
  readonly #management: Management;
  readonly #found: FoundCheck;
  readonly #seen = new Set<string>();
  /** State of the check when its pings and flips were last read. */
  #state = '';
  readonly #took = new Map<number, number>();
  /** Unix time of the latest notification that was read. */
  #notifiedS = 0;

  constructor(management: Management, found: FoundCheck) {
    this.#management = management;
    this.#found = found;
  }

  /** The entries that are new since the last call, oldest first. */
  async read(): Promise<readonly LogEntry[]> {
    const { n_pings, status } = (await this.#get('')) as ApiCheck;
    const state = `${n_pings} ${status}`;
    const isChanged = state !== this.#state;
    const entries = [
      ...(isChanged ? [...(await this.#pings()), ...(await this.#flips())] : []),
      ...(await this.#notifications()),
    ];
    this.#state = state;
    return inOrder(this.#unseen(entries));
  }

  /** Milliseconds of the run that ended with ping `n`, which the API rounds; null where it has none. */
  tookMs(n: number): number | null {
    return this.#took.get(n) ?? null;
  }

  /** The entries that were not returned before. Equal ones are counted: a check may go down twice in one second. */
  #unseen(entries: readonly LogEntry[]): readonly LogEntry[] {
    const counts = new Map<string, number>();
    return entries.filter((entry) => {
      const key = keyOf(entry);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const isNew = !this.#seen.has(`${key} ${count}`);
      this.#seen.add(`${key} ${count}`);
      return isNew;
    });
  }

  #get(path: string): Promise<unknown> {
    const { project, check } = this.#found;
    return this.#management.call(project, 'GET', `checks/${check.uuid}${path}`);
  }

  async #pings(): Promise<readonly LogEntry[]> {
    if (isFlipsOnly(this.#found)) return [];
    const { pings } = (await this.#get('/pings/')) as PingListAnswer;
    for (const [n, ms] of durationsOf(pings)) this.#took.set(n, ms);
    return oldestFirst(pings).map((ping): LogEntry => ({ what: 'ping', ...ping }));
  }

  async #flips(): Promise<readonly LogEntry[]> {
    const flips = (await this.#get('/flips/')) as FlipListAnswer;
    return oldestFirst(flips).map((flip): LogEntry => ({ what: 'change', ...flip }));
  }

  async #notifications(): Promise<readonly LogEntry[]> {
    if (isFlipsOnly(this.#found)) return [];
    const { notifications } = (await this.#get(
      `/notifications/?start=${this.#notifiedS}`,
    )) as NotificationListAnswer;
    const entries = oldestFirst(notifications).map((sent): LogEntry => ({ what: 'notification', ...sent }));
    this.#notifiedS = Math.max(this.#notifiedS, ...entries.map(secondOf));
    return entries;
  }
}

/** By the number of the ping that ended the run. `pings`: the newest first; one with a duration has a start before it. */
function durationsOf(pings: readonly PingAnswer[]): readonly (readonly [n: number, ms: number])[] {
  const starts = new Map<string | null, string>();
  return [...pings].reverse().flatMap(({ n, type, rid, date, duration }) => {
    if (type === 'start') starts.set(rid, date);
    const start = starts.get(rid);
    if (duration === undefined || start === undefined) return [];
    return [[n, Math.max(0, Date.parse(date) - Date.parse(start))] as const];
  });
}

/** Reverses a list of the API, which has the newest entry first. */
function oldestFirst<Entry>(newestFirst: readonly Entry[]): Entry[] {
  return [...newestFirst].reverse();
}

/** The order of entries of one time: a ping comes before the change that it caused, and the change before its notifications. */
const order = { ping: 0, change: 1, notification: 2 } as const;

function inOrder(entries: readonly LogEntry[]): readonly LogEntry[] {
  return [...entries].sort(
    (a, b) => secondOf(a) - secondOf(b) || order[a.what] - order[b.what] || atMsOf(a) - atMsOf(b),
  );
}

export function atMsOf(entry: LogEntry): number {
  return Date.parse(entry.what === 'ping' ? entry.date : entry.timestamp);
}

/** Entries are compared by the second, because changes have whole seconds only. */
function secondOf(entry: LogEntry): number {
  return Math.floor(atMsOf(entry) / 1000);
}

function keyOf(entry: LogEntry): string {
  if (entry.what === 'ping') return `ping ${entry.n}`;
  if (entry.what === 'change') return `change ${entry.timestamp} ${entry.up}`;
  return `notification ${entry.timestamp} ${entry.channel} ${entry.event} ${entry.changed_at}`;
}
