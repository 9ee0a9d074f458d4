/**
 * Seconds: by how much a job may be late for good reasons, and how long it usually takes, by what it is.
 * Invariant: pure; every result is a grace time that a check can have.
 */
import { day, hour, minute } from '../../lib/units.ts';
import { parseSchedule } from '../../schedule/schedule.ts';
import { checkSecondsMax, checkSecondsMin, sampledPeriods } from '../limits.ts';
import type { JobTimes } from './found-job.ts';

/** Of a command that waits for a random time first, as those of some packages do. */
export function randomSleepS(command: string): number {
  const [, perl] = /sleep\s+(?:int\s*\(?\s*)?rand\s*\(?\s*(\d{1,6})/.exec(command) ?? [];
  const [, shell] = /RANDOM\s*\\?%\s*(\d{1,6})/.exec(command) ?? [];
  return Number(perl ?? shell ?? 0);
}

/** What takes longer than most: its words, and the grace time that it gets, in seconds. */
const natures: readonly (readonly [RegExp, number, string])[] = [
  [
    /back-?up|dump|restic|borg|duplicity|rsnapshot|rsync|rclone|snapshot|mirror|replicat|archive/i,
    (2 * hour) / 1000,
    'it copies data',
  ],
  [
    /scrub|checkarray|mdcheck|vacuum|reindex|fsck|trim|defrag|optimi[sz]e|clean|prune|purge|mandb|man-db|updatedb|locate/i,
    hour / 1000,
    'it tidies up or checks data',
  ],
  [
    /upgrade|apt-daily|certbot|renew|unattended|freshclam|sync|fetch|import|export/i,
    hour / 1000,
    'it waits for others',
  ],
];
const usualS = (15 * minute) / 1000;

export interface Grace {
  /** Seconds. */
  readonly graceS: number;
  /** Why, for people. */
  readonly why: string;
}

/** `name`: of the job; `delayS`: by how many seconds its start may be put off. */
export function graceOf(name: string, command: string, times: JobTimes, delayS: number): Grace {
  // The slug that a wrapped job pings says nothing of its own.
  const own = command.replace(/--check[= ]\S+/, '');
  const found = natures.find(([words]) => words.test(name) || words.test(own));
  const [, natureS, what] = found ?? [null, usualS, 'as of most jobs'];
  const halfS = periodS(times) / 2;
  const isCapped = halfS < natureS;
  const graceS = roundedUp(Math.min(natureS, halfS) + delayS);
  const delay = delayS > 0 ? ', and its start may be put off' : '';
  return {
    graceS: Math.min(checkSecondsMax, Math.max(checkSecondsMin, graceS)),
    why: `${isCapped ? 'half of its period' : what}${delay}`,
  };
}

/** To whole minutes. */
function roundedUp(seconds: number): number {
  return Math.ceil(seconds / 60) * 60;
}

/** An instant from which periods are measured: a Monday. Which one does not matter. */
const measuredFromMs = Date.UTC(2024, 0, 1);

/** The shortest time between two runs, in seconds, among the next ones. */
export function periodS(times: JobTimes): number {
  if ('timeoutS' in times) return times.timeoutS;
  const parsed = parseSchedule(times.schedule, times.tz);
  if (!parsed.ok) return day / 1000;
  let least = checkSecondsMax;
  let before: number | null = null;
  let fromMs = measuredFromMs;
  for (let n = 0; n < sampledPeriods; n++) {
    const next = parsed.schedule.next(fromMs);
    if (next === null) break;
    if (before !== null) least = Math.min(least, (next - before) / 1000);
    before = next;
    fromMs = next;
  }
  return least;
}
