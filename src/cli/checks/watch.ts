/**
 * `knell watch` shows the current state of the checks: on a terminal it redraws them, otherwise it prints a line per change.
 */

import { allChecks, type FoundCheck } from '../../client/find-check.ts';
import type { Management } from '../../client/management.ts';
import { durationMs } from '../../client/options.ts';
import { pause } from '../../client/pause.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { lookEveryMsMin } from '../io/limits.ts';
import { formOf } from '../io/output.ts';
import { coloured, printable, tableLines, tableStyle } from '../io/table.ts';
import { print, printJson, warn } from '../io/terminal.ts';
import { projectIn } from './check-actions.ts';
import { localTime } from './check-log.ts';
import { byUrgency, checkColumns, countsText, nameOf, statusColour, statusWord } from './check-rows.ts';
import { heldFields, heldText, withAlertsColumn, withHeldAlerts } from './snooze.ts';

const everyDefaultMs = 2000;

/** Watches until it is interrupted, and waits for a server that is away. */
export async function watchChecks(management: Management, flags: Flags): Promise<never> {
  const everyMs = typeof flags.every === 'string' ? durationMs('--every', flags.every) : everyDefaultMs;
  if (everyMs < lookEveryMsMin) throw new KnellError('usage', `--every must be at least ${lookEveryMsMin}ms`);
  // The first look may fail: that is an error of the call.
  const look = async () => withHeldAlerts(management, await allChecks(management, projectIn(flags)));
  let checks = await look();
  const redraws = process.stdout.isTTY && formOf(flags) !== 'json';
  const seen = new Map<string, FoundCheck>();
  let failure = '';
  for (;;) {
    if (redraws) draw(checks, failure, flags);
    else if (failure === '') printChanges(seen, checks, flags);
    await pause(everyMs, []);
    try {
      checks = await look();
      failure = '';
    } catch (error) {
      if (failure === '' && !redraws) warn(messageOf(error));
      failure = messageOf(error);
    }
  }
}

const cursorHome = '\u001b[H';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';

function draw(checks: readonly FoundCheck[], failure: string, flags: Flags): void {
  const style = tableStyle(process.stdout, process.env);
  const projects = new Set(checks.map(({ project }) => project.id)).size > 1;
  const nowMs = systemClock.nowMs();
  const plain = checkColumns({ nowMs, wide: formOf(flags) === 'wide', projects });
  const columns = withAlertsColumn(plain, checks, nowMs);
  const head = `${localTime(nowMs)}  ${countsText(checks) || 'no checks'}`;
  const table = checks.length === 0 ? [] : tableLines(columns, byUrgency(checks), style);
  const lines = [head, failure === '' ? '' : coloured(printable(failure), 'red', style), ...table];
  const shown = lines.slice(0, Math.max(3, (process.stdout.rows ?? lines.length + 1) - 1));
  process.stdout.write(`${cursorHome}${shown.map((line) => `${line}${clearLine}\n`).join('')}${clearBelow}`);
}

/** Prints the checks that changed; the first time it prints all of them. */
function printChanges(seen: Map<string, FoundCheck>, checks: readonly FoundCheck[], flags: Flags): void {
  const current = new Map(checks.map((found) => [found.check.uuid, found]));
  for (const [uuid, before] of seen) {
    if (current.has(uuid)) continue;
    seen.delete(uuid);
    printChange(before, { from: before.check.status, to: 'deleted', isHeldChanged: false }, flags);
  }
  for (const found of byUrgency(checks)) {
    const before = seen.get(found.check.uuid);
    seen.set(found.check.uuid, found);
    const isHeldChanged = heldJson(before) !== heldJson(found);
    if (before?.check.status !== found.check.status || isHeldChanged)
      printChange(
        found,
        { from: before?.check.status ?? null, to: found.check.status, isHeldChanged },
        flags,
      );
  }
}

interface Change {
  readonly from: string | null;
  readonly to: string;
  /** Whether a snooze or acknowledgement began, ended or was changed. */
  readonly isHeldChanged: boolean;
}

/** A text to compare snoozes and acknowledgements by: the words that are shown change as time passes. */
function heldJson(found: FoundCheck | undefined): string {
  return JSON.stringify(found ? heldFields(found) : {});
}

function printChange(found: FoundCheck, { from, to, isHeldChanged }: Change, flags: Flags): void {
  const { uuid } = found.check;
  if (formOf(flags) === 'json') {
    printJson({ uuid, name: found.check.name, from, to, ...heldFields(found) });
    return;
  }
  const style = tableStyle(process.stdout, process.env);
  const was = from === null || from === to ? '' : ` (was ${statusWord(from)})`;
  const nowMs = systemClock.nowMs();
  const held = heldText(found, nowMs) || (isHeldChanged ? 'no longer acknowledged or snoozed' : '');
  const status = coloured(statusWord(to), statusColour(to), style);
  const alerts = held === '' || to === 'deleted' ? '' : `, ${printable(held)}`;
  print(`${localTime(nowMs)}  ${printable(nameOf(found))} is ${status}${was}${alerts}`);
}
