/**
 * `knell log` prints what happened to a check: its pings, its status changes and its notifications.
 * Invariant: with `-f`, each event is printed once, and the command waits for a server that is away.
 */

import { isRefusal, type Management } from '../../client/management.ts';
import { countOf, durationMs } from '../../client/options.ts';
import { pause } from '../../client/pause.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { logEntriesMax, lookEveryMsMin } from '../io/limits.ts';
import { formOf } from '../io/output.ts';
import { type Colour, coloured, printable, type TableStyle, tableStyle } from '../io/table.ts';
import { exitDone, print, printJson, warn } from '../io/terminal.ts';
import { yamlOf } from '../io/yaml.ts';
import { findCheck } from './check-actions.ts';
import { tookText } from './check-rows.ts';
import { atMsOf, isFlipsOnly, type LogEntry, LogReader } from './log-entries.ts';

const everyDefaultMs = 2000;

export async function showLog(management: Management, word: string, flags: Flags): Promise<number> {
  const count = countOf('-n', typeof flags.n === 'string' ? flags.n : '20', logEntriesMax);
  const everyMs = typeof flags.every === 'string' ? durationMs('--every', flags.every) : everyDefaultMs;
  if (everyMs < lookEveryMsMin) throw new KnellError('usage', `--every must be at least ${lookEveryMsMin}ms`);
  const found = await findCheck(management, word, flags);
  if (isFlipsOnly(found)) warn('a read-only key shows status changes, but no pings and no notifications');
  const reader = new LogReader(management, found);
  const entries = await reader.read();
  const first = count === 0 ? [] : entries.slice(-count);
  if (!flags.follow) return printAll(first, reader, flags);
  printLines(first, reader, flags);
  return follow(reader, everyMs, flags);
}

/** Prints new entries until it is interrupted, or the server says that there is nothing left to follow. */
async function follow(reader: LogReader, everyMs: number, flags: Flags): Promise<never> {
  for (let failed = false; ; ) {
    await pause(everyMs, []);
    try {
      printLines(await reader.read(), reader, flags);
      failed = false;
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!failed) warn(messageOf(error));
      failed = true;
    }
  }
}

function printAll(entries: readonly LogEntry[], reader: LogReader, flags: Flags): number {
  const form = formOf(flags);
  if (form === 'json') printJson(entries);
  else if (form === 'yaml') process.stdout.write(yamlOf(entries));
  else printLines(entries, reader, flags);
  return exitDone;
}

/** Prints a line for each entry, of JSON too, so that a program can follow. */
function printLines(entries: readonly LogEntry[], reader: LogReader, flags: Flags): void {
  const style = tableStyle(process.stdout, process.env);
  const form = formOf(flags);
  for (const entry of entries) {
    if (form === 'json') printJson(entry);
    else if (form === 'yaml') process.stdout.write(`---\n${yamlOf(entry)}`);
    else print(lineOf(entry, { wide: form === 'wide', style, tookMs: (n) => reader.tookMs(n) }));
  }
}

const pingWords: Readonly<Record<string, string>> = { fail: 'failure', ign: 'ignored' };
const pingColours: Readonly<Record<string, Colour>> = {
  success: 'green',
  fail: 'red',
  start: 'bold',
  ign: 'grey',
};

interface LineOptions {
  readonly wide: boolean;
  readonly style: TableStyle;
  /** Of the run that ended with ping `n`. */
  readonly tookMs: (n: number) => number | null;
}

function lineOf(entry: LogEntry, { wide, style, tookMs }: LineOptions): string {
  const time = localTime(atMsOf(entry));
  if (entry.what === 'ping') {
    const { type, n, duration, scheme, method, remote_addr, rid, body_url } = entry;
    const word = coloured((pingWords[type] ?? type).padEnd(7), pingColours[type], style);
    const details = [
      `#${n}`,
      duration === undefined ? '' : `took ${tookText(tookMs(n), duration)}`,
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
  const to = answeredTitle(channel_name, channel_kind);
  const shown = coloured(ending.padEnd(7), outcome === 'failed' ? 'red' : undefined, style);
  return `${time}  notify  ${shown}  ${printable(`${event}, to ${to} (${channel_kind})${reason}`)}`;
}

/** `2026-12-01 02:00:00+01:00`: the time in the time zone of this machine, as in other logs, and how far that is from UTC. */
export function localTime(ms: number): string {
  const at = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const offset = -at.getTimezoneOffset();
  const apart = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(apart / 60))}:${two(apart % 60)}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${zone}`;
}
