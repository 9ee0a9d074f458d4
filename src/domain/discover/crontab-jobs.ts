/**
 * The jobs of a crontab, each with what would make it ping. The lines themselves are read by `crontab/crontab`.
 * Invariant: every line that says something is a job or left out, with its reason.
 */
import { countOfJobs, nameOfCommand } from '../crontab/command-name.ts';
import { type CrontabJob, parseCrontab } from '../crontab/crontab.ts';
import { userBefore, userWords } from '../crontab/user-column.ts';
import { commandTextMax } from '../limits.ts';
import { graceOf, randomSleepS } from './delays.ts';
import {
  type Discovery,
  type FoundJob,
  type LeftOut,
  type PingSettings,
  pingedBy,
  slugOfName,
} from './found-job.ts';
import { unwrapped, wrappedLine } from './wrap-command.ts';

export interface CrontabSource {
  readonly file: string;
  readonly text: string;
  /** Whether its sixth field is a user; recognized where it is not given. */
  readonly hasUsers?: boolean;
  /** Whose crontab it is, where the lines do not say. */
  readonly user: string;
  /** Of the machine; canonical. */
  readonly tz: string;
  /** Whether its cron has no `CRON_TZ`. */
  readonly ignoresZones?: boolean;
  /** Whether systemd runs there: the jobs of some packages then do nothing. */
  readonly isSystemd: boolean;
}

export function jobsOfCrontab(source: CrontabSource): Discovery {
  const { file, text, user, tz, hasUsers, isSystemd, ignoresZones = false } = source;
  const crontab = parseCrontab(text, { tz, ignoresZones, ...(hasUsers === undefined ? {} : { hasUsers }) });
  const lines = text.split(/\r\n|\n|\r/);
  const leftOut: LeftOut[] = crontab.leftOut.map((line) => ({ file, ...line }));
  const jobs: FoundJob[] = [];
  for (const job of crontab.jobs) {
    const raw = lines[job.line - 1] ?? '';
    if (isSystemd && leavesToSystemd(job.command)) {
      leftOut.push({ file, line: job.line, text: raw.trim(), reason: leftToSystemd });
      continue;
    }
    const { name, command } = ownOf(job);
    jobs.push({
      source: 'crontab',
      file,
      line: job.line,
      name,
      plainSlug: slugOfName(name),
      times: { schedule: job.schedule, tz: job.tz },
      delayS: randomSleepS(command),
      user: job.user || user,
      command: command.slice(0, commandTextMax),
      mailto: variableAt(lines, 'MAILTO', job.line),
      pinged: pingedBy(job.command),
      remark: countOfJobs(command) > 1 ? severalRemark : '',
      wrap: wrapOf(job, { raw, file, hasUsers: crontab.hasUsers, lines, text }),
    });
  }
  return { jobs, leftOut };
}

/** Without what makes it ping. */
function ownOf(job: CrontabJob): Pick<FoundJob, 'name' | 'command'> {
  const command = unwrapped(job.command);
  const name = command === job.command ? job.name : nameOfCommand(command);
  return { name, command };
}

/** The grace time that the check of a job is proposed with, in seconds, the same wherever one begins with a crontab. */
export function graceOfJob(job: CrontabJob): number {
  const { name, command } = ownOf(job);
  const times = { schedule: job.schedule, tz: job.tz };
  return graceOf(name, command, times, randomSleepS(command)).graceS;
}

/** As a shell has it, whatever joins them but `&&`. */
const severalRemark = 'The line has several jobs: the status of the last one counts.';

export const leftToSystemd = 'Does nothing where systemd runs, as here: there a timer does it';

export function leavesToSystemd(command: string): boolean {
  return command.includes('/run/systemd/system');
}

interface RawLine {
  readonly raw: string;
  readonly file: string;
  readonly hasUsers: boolean;
  readonly lines: readonly string[];
  readonly text: string;
}

function wrapOf(
  { line, command: whole }: CrontabJob,
  { raw, file, hasUsers, lines, text }: RawLine,
): FoundJob['wrap'] {
  return (slug: string, settings: PingSettings) => {
    if (text.includes('\r')) return 'The file has carriage returns, which cron takes for part of the command';
    const found = userBefore(whole);
    if (found) return userWords(found.user);
    if (isForAnotherServer(lines, line, settings)) return otherServerRemark;
    const [, times = '', rest = ''] = /^([ \t]*(?:@\S+|(?:\S+[ \t]+){4}\S+)[ \t]+)(.*)$/.exec(raw) ?? [];
    const [, user = '', after = rest] = (hasUsers ? /^(\S+[ \t]+)(.*)$/.exec(rest) : null) ?? [];
    const [, command = '', input = ''] = /^((?:\\.|[^\\%]|\\$)*)(.*)$/.exec(after) ?? [];
    const shell = variableAt(lines, 'SHELL', line) ?? '/bin/sh';
    const wrapped = wrappedLine({ head: times + user, command, shell, input }, slug, settings);
    return typeof wrapped === 'string' ? { file, line, replaced: wrapped } : wrapped.reason;
  };
}

const otherServerRemark =
  'The file sets KNELL_PING_URL to another server without its KNELL_PING_KEY: set both above this line';

/** The key that is given, and is or would be at the head of the file, would go to a server that it is not for. */
function isForAnotherServer(lines: readonly string[], line: number, { url, key }: PingSettings): boolean {
  const ownUrl = variableAt(lines, 'KNELL_PING_URL', line);
  const ownKey = variableAt(lines, 'KNELL_PING_KEY', line);
  const isOther = ownUrl !== null && url !== null && !isSameSetting(ownUrl, url);
  return isOther && (ownKey === null || ownKey === key);
}

/** A URL is the same with a slash at its end, which a key never has. */
export function isSameSetting(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

/** The value that a variable of the crontab has at a line, from 1; null where it has none. */
export function variableAt(lines: readonly string[], name: string, line: number): string | null {
  for (let at = line - 2; at >= 0; at--) {
    const variable = variableIn(lines[at] ?? '');
    if (variable?.name === name) return variable.value;
  }
  return null;
}

/** The variable that a line of a crontab sets; null for none. */
export function variableIn(line: string): { readonly name: string; readonly value: string } | null {
  const [, name, value = ''] = /^[ \t]*["']?([A-Za-z_]\w*)["']?[ \t]*=[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
  return name === undefined ? null : { name, value: /^(["'])(.*)\1$/.exec(value)?.[2] ?? value };
}
