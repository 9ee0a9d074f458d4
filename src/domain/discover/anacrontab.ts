/**
 * `/etc/anacrontab`: jobs that run once in so many days, whenever the machine is on (anacrontab(5)).
 * Invariant: every line that says something is a job, a variable, or left out with its reason.
 */
import { day, minute } from '../../lib/units.ts';
import { nameOfCommand } from '../crontab/command-name.ts';
import { anacronDaysMax, anacronGraceMsMax, crontabJobsMax } from '../limits.ts';
import { variableAt } from './crontab-jobs.ts';
import { type Discovery, type FoundJob, type LeftOut, pingedBy, slugOfName } from './found-job.ts';
import { unwrapped, wrappedLine } from './wrap-command.ts';

const named: Readonly<Record<string, number>> = {
  '@daily': 1,
  '@weekly': 7,
  '@monthly': 31,
  '@yearly': 366,
  '@annually': 366,
};

export function jobsOfAnacrontab(file: string, text: string): Discovery {
  const lines = text.split('\n');
  const jobs: FoundJob[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, raw] of lines.entries()) {
    const line = at + 1;
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed.startsWith('#') || /^\w+\s*=/.test(trimmed)) continue;
    const job = jobIn(raw, { file, line, lines });
    if (typeof job !== 'string' && jobs.length < crontabJobsMax) jobs.push(job);
    else
      leftOut.push({
        file,
        line,
        text: trimmed,
        reason: typeof job === 'string' ? job : 'There are too many',
      });
  }
  return { jobs, leftOut };
}

interface LineOf {
  readonly file: string;
  readonly line: number;
  readonly lines: readonly string[];
}

/** A text is the reason why it is none. */
function jobIn(raw: string, { file, line, lines }: LineOf): FoundJob | string {
  const [, head = '', period = '', delay = '', id = '', command = ''] =
    /^(\s*(\S+)\s+(\S+)\s+(\S+)\s+)(.*\S)\s*$/.exec(raw) ?? [];
  if (command === '') return 'A line of anacron has a period, a delay, a name and a command';
  const days = named[period] ?? (/^\d{1,4}$/.test(period) ? Number(period) : 0);
  if (days < 1 || days > anacronDaysMax) return `Its period is none of anacron: ${period}`;
  const delayMinutes = /^\d{1,5}$/.test(delay) ? Number(delay) : 0;
  const randomMinutes = Number(variableAt(lines, 'RANDOM_DELAY', line) ?? 0) || 0;
  // Anacron goes by days: a machine that was off at that hour runs it at another one.
  const offS = Math.min((days * day) / 2, anacronGraceMsMax) / 1000;
  const name = id === '' ? nameOfCommand(command) : id;
  return {
    source: 'anacron',
    file,
    line,
    name,
    plainSlug: slugOfName(name),
    times: { timeoutS: (days * day) / 1000 },
    delayS: offS + ((delayMinutes + randomMinutes) * minute) / 1000,
    user: 'root',
    command: unwrapped(command),
    mailto: variableAt(lines, 'MAILTO', line),
    pinged: pingedBy(command),
    wrap: (slug, settings) => {
      const shell = variableAt(lines, 'SHELL', line) ?? '/bin/sh';
      const wrapped = wrappedLine({ head, command, shell, input: '' }, slug, settings);
      return typeof wrapped === 'string' ? { file, line, replaced: wrapped } : wrapped.reason;
    },
  };
}
