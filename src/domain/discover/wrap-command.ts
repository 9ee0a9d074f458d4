/**
 * The line of a crontab that runs its command by `knell run`.
 * Invariant: the job is given to the same shell as before, unless it is one program with plain arguments; its times, user and
 * standard input stay as they are.
 */
import { jobAndComment } from '../crontab/shell-state.ts';
import { commandCharsMax } from '../limits.ts';
import type { PingSettings } from './found-job.ts';
import { isPlainCommand, quoted } from './shell-quote.ts';

interface Wrapped {
  /** What precedes the command: times and user, with their blanks. */
  readonly head: string;
  /** As the file has it. */
  readonly command: string;
  /** That of `SHELL=`. */
  readonly shell: string;
  /** From the first `%` on; empty where there is none. */
  readonly input: string;
}

/** The line. A text in an object is the reason why it stays as it is: a sentence without its full stop. */
export function wrappedLine(
  { head, command, shell, input }: Wrapped,
  slug: string,
  { program }: Pick<PingSettings, 'program'>,
): string | { readonly reason: string } {
  const job = command.trim();
  if (/(?:^|[^&>])&$/.test(jobAndComment(job)?.job ?? job))
    return { reason: 'The job runs in the background: let the program itself ping' };
  if (/\\$/.test(job)) return { reason: 'The command does not end there' };
  const run = isPlainCommand(job) ? job : `${shell} -c ${quotedWhole(job)}`;
  const whole = `${program} run --check ${slug} -- ${run}`;
  if (whole.length + input.length >= commandCharsMax)
    return {
      reason: `Cron reads ${commandCharsMax - 1} characters of a command: call knell run in a script`,
    };
  return `${head}${whole}${input}`;
}

/** Always in quotes: what is one word here may be none there. */
function quotedWhole(job: string): string {
  const word = quoted(job);
  return word.startsWith("'") ? word : `'${word}'`;
}

/** What a line ran before it was wrapped; any other command as it is. So the same check is proposed before and after. */
export function unwrapped(command: string): string {
  const [, run] = /^(?:\/[\w./-]+\/)?knell run --check [\w-]+ -- (.*)$/s.exec(command) ?? [];
  if (run === undefined) return command;
  const [, job] = /^\S+ -c '(.*)'$/s.exec(run) ?? [];
  return job === undefined ? run : job.replaceAll("'\\''", "'");
}
