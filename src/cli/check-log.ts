/**
 * `knell log`: what happened to a check: its pings, its status changes, what was sent about it.
 * Invariant: with `-f`, each event is printed once, however often it is read.
 */
import type { FoundCheck } from '../client/find-check.ts';
import type { Management } from '../client/management.ts';
import { countOf, durationMs } from '../client/options.ts';
import { pause } from '../client/pause.ts';
import { KnellError } from '../lib/errors.ts';
import { findCheck } from './check-actions.ts';
import { spanText } from './check-rows.ts';
import { formOf } from './output.ts';
import type { Flags } from './show.ts';
import { type Colour, coloured, printable, type TableStyle, tableStyle } from './table.ts';
import { exitDone, print, printJson } from './terminal.ts';
import { yamlOf } from './yaml.ts';

interface ApiPing {
  readonly type: string;
  readonly date: string;
  readonly n: number;
  readonly scheme: string;
  readonly remote_addr: string;
  readonly method: string;
  readonly rid: string | null;
  readonly duration?: number;
  readonly body_url: string | null;
}

interface ApiFlip {
  readonly timestamp: string;
  readonly up: 0 | 1;
}

interface ApiNotification {
  readonly timestamp: string;
  readonly event: string;
  readonly changed_at: string;
  readonly channel: string;
  readonly channel_name: string;
  readonly channel_kind: string;
  readonly outcome: string;
  readonly error: string;
}

type LogEntry =
  | ({ readonly what: 'ping' } & ApiPing)
  | ({ readonly what: 'change' } & ApiFlip)
  | ({ readonly what: 'notification' } & ApiNotification);

const entriesMax = 1000;
const everyDefaultMs = 2000;

export async function showLog(management: Management, word: string, flags: Flags): Promise<number> {
  const count = countOf('-n', typeof flags.n === 'string' ? flags.n : '20', entriesMax);
  const everyMs = typeof flags.every === 'string' ? durationMs('--every', flags.every) : everyDefaultMs;
  if (everyMs < 100) throw new KnellError('usage', '--every must be at least 100ms');
  const found = await findCheck(management, word, flags);
  const seen = new Set<string>();
  let entries = await entriesOf(management, found);
  const first = count === 0 ? [] : entries.slice(-count);
  for (const entry of entries) seen.add(keyOf(entry));
  if (!flags.follow) return printAll(first, flags);
  printLines(first, flags);
  for (;;) {
    await pause(everyMs, []);
    entries = (await entriesOf(management, found)).filter((entry) => !seen.has(keyOf(entry)));
    for (const entry of entries) seen.add(keyOf(entry));
    printLines(entries, flags);
  }
}

/** Where times are equal a ping comes before the change that it caused, and that before what was sent about it. */
const order = { ping: 0, change: 1, notification: 2 } as const;

/** Oldest first. */
async function entriesOf(
  management: Management,
  { project, check }: FoundCheck,
): Promise<readonly LogEntry[]> {
  const get = (path: string): Promise<unknown> =>
    management.call(project, 'GET', `checks/${check.uuid}/${path}/`);
  const { pings } = (await get('pings')) as { readonly pings: readonly ApiPing[] };
  const flips = (await get('flips')) as readonly ApiFlip[];
  const { notifications } = (await get('notifications')) as {
    readonly notifications: readonly ApiNotification[];
  };
  const entries: LogEntry[] = [
    ...pings.map((ping): LogEntry => ({ what: 'ping', ...ping })),
    ...flips.map((flip): LogEntry => ({ what: 'change', ...flip })),
    ...notifications.map((sent): LogEntry => ({ what: 'notification', ...sent })),
  ];
  return entries.sort(
    (a, b) =>
      secondOf(a) - secondOf(b) ||
      order[a.what] - order[b.what] ||
      atMsOf(a) - atMsOf(b) ||
      numberOf(a) - numberOf(b),
  );
}

function atMsOf(entry: LogEntry): number {
  return Date.parse(entry.what === 'ping' ? entry.date : entry.timestamp);
}

/** Changes have whole seconds only. */
function secondOf(entry: LogEntry): number {
  return Math.floor(atMsOf(entry) / 1000);
}

function numberOf(entry: LogEntry): number {
  return entry.what === 'ping' ? entry.n : 0;
}

function keyOf(entry: LogEntry): string {
  if (entry.what === 'ping') return `ping ${entry.n}`;
  if (entry.what === 'change') return `change ${entry.timestamp} ${entry.up}`;
  return `notification ${entry.timestamp} ${entry.channel} ${entry.event} ${entry.changed_at}`;
}

function printAll(entries: readonly LogEntry[], flags: Flags): number {
  const form = formOf(flags);
  if (form === 'json') printJson(entries);
  else if (form === 'yaml') process.stdout.write(yamlOf(entries));
  else printLines(entries, flags);
  return exitDone;
}

/** One line each; of JSON, too, so that a program can follow. */
function printLines(entries: readonly LogEntry[], flags: Flags): void {
  const style = tableStyle(process.stdout, process.env);
  const form = formOf(flags);
  for (const entry of entries) {
    if (form === 'json') printJson(entry);
    else if (form === 'yaml') process.stdout.write(`---\n${yamlOf(entry)}`);
    else print(lineOf(entry, form === 'wide', style));
  }
}

const pingWords: Readonly<Record<string, string>> = { fail: 'failure', ign: 'ignored' };
const pingColours: Readonly<Record<string, Colour>> = {
  success: 'green',
  fail: 'red',
  start: 'bold',
  ign: 'grey',
};

function lineOf(entry: LogEntry, wide: boolean, style: TableStyle): string {
  const time = localTime(atMsOf(entry));
  if (entry.what === 'ping') {
    const { type, n, duration, scheme, method, remote_addr, rid, body_url } = entry;
    const word = coloured((pingWords[type] ?? type).padEnd(7), pingColours[type], style);
    const details = [
      `#${n}`,
      duration === undefined ? '' : `took ${duration < 1 ? `${duration} s` : spanText(duration)}`,
      `${scheme.toUpperCase()} ${method}`.trim(),
      remote_addr === '' ? '' : `from ${remote_addr}`,
      wide && rid !== null ? `run ${rid}` : '',
      wide && body_url !== null ? body_url : '',
    ];
    return `${time}  ping    ${word}  ${printable(details.filter((text) => text !== '').join(', '))}`;
  }
  if (entry.what === 'change') {
    const [word, colour] = entry.up === 1 ? (['up', 'green'] as const) : (['down', 'red'] as const);
    return `${time}  status  ${coloured(word, colour, style)}`;
  }
  const { event, channel_name, channel_kind, outcome, error } = entry;
  const ending = outcome === 'delivered' ? 'sent' : outcome;
  const reason = error === '' ? '' : `: ${error}`;
  const to = channel_name || channel_kind;
  const shown = coloured(ending.padEnd(7), outcome === 'failed' ? 'red' : undefined, style);
  return `${time}  notify  ${shown}  ${printable(`${event}, to ${to} (${channel_kind})${reason}`)}`;
}

/** In the zone of this machine, as logs have it. */
export function localTime(ms: number): string {
  const at = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
