/**
 * A crontab whose jobs ping: its text, with the pings added to the lines of the jobs that have a check. All else stays as it is.
 * Pure.
 */
import { jobAndComment } from '../../domain/crontab/shell-state.ts';
import { curl } from './snippet.ts';

export interface CrontabPings {
  readonly text: string;
  /** The lines to which no ping could be added, from 1, each with the reason: a sentence without its full stop. */
  readonly untouched: ReadonlyMap<number, string>;
}

/** Cron reads no more of a command. */
const commandCharsMax = 999;

/** `urls`: the ping URL of each line that has a check, from 1; `hasUsers`: the sixth field is a user. */
export function withPings(
  text: string,
  urls: ReadonlyMap<number, string>,
  { hasUsers }: { readonly hasUsers: boolean },
): CrontabPings {
  const untouched = new Map<number, string>();
  const lines = text.split(/\r\n|\n|\r/).map((line, at) => {
    const url = urls.get(at + 1);
    if (url === undefined) return line;
    const changed = lineWithPings(line, url, hasUsers);
    if (typeof changed === 'string') return changed;
    untouched.set(at + 1, changed.reason);
    return line;
  });
  return { text: `${lines.join('\n').trimEnd()}\n`, untouched };
}

/** A start, and an end with the exit status before a comment. What follows the first `%` is the input of the whole line, which curl does not read. */
function lineWithPings(line: string, url: string, hasUsers: boolean): string | { readonly reason: string } {
  const [, time = '', user = '', rest = ''] =
    /^([ \t]*(?:@\S+|(?:\S+[ \t]+){4}\S+)[ \t]+)((?:\S+[ \t]+)?)(.*)$/.exec(line) ?? [];
  const command = hasUsers ? rest : user + rest;
  const [, run = '', input = ''] = /^((?:\\.|[^\\%]|\\$)*)(.*)$/.exec(command) ?? [];
  const parts = jobAndComment(run.trim());
  if (parts === null)
    return { reason: 'What follows a # in a command may be a comment: add the ping before it' };
  const { job, comment } = parts;
  if (job === '') return { reason: 'It has no command' };
  if (/(?:^|[^&])&$/.test(job))
    return { reason: 'The job runs in the background: let the program itself ping' };
  const [open] = /[;\\|]$/.exec(job) ?? [];
  if (open !== undefined) return { reason: `Remove the ${open} at the end of its command` };
  const whole = `${curl} ${url}/start; ${ends(job) ? `(${job})` : job}; ${curl} ${url}/$?${comment}`;
  if (whole.length + input.length > commandCharsMax)
    return { reason: `Cron reads ${commandCharsMax} characters of a command: call curl in a script` };
  return `${time}${hasUsers ? user : ''}${whole}${input}`;
}

/** Whether it ends the shell that would ping, or puts another program into its place. */
function ends(job: string): boolean {
  return /(?:^|[\s;&|(])(?:exit|exec)(?:[\s;&|)]|$)/.test(job);
}
