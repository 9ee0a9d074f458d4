/**
 * Folders of scripts that run-parts runs, such as `/etc/cron.daily`: each script is a job, at the times of the line that runs its
 * folder. By the rules of run-parts on Debian (run-parts(8)).
 * Invariant: what run-parts leaves out has no check.
 */
import { nameOfCommand } from '../crontab/command-name.ts';
import { leavesToSystemd, leftToSystemd } from './crontab-jobs.ts';
import {
  type Discovery,
  type FoundJob,
  type LeftOut,
  type PingSettings,
  pingedBy,
  slugOfName,
} from './found-job.ts';
import { quoted } from './shell-quote.ts';

/** A file of a folder. */
export interface ScriptFile {
  readonly name: string;
  /** Null for what is no text. */
  readonly text: string | null;
  readonly isExecutable: boolean;
}

/** The folder that a command runs by run-parts; null for none. */
export function folderRunBy(command: string): string | null {
  return (
    /(?:^|[\s/;&|({])run-parts(?:\s+-\S+)*\s+(\/[^\s;&|})'"]+)/.exec(command)?.[1]?.replace(/\/+$/, '') ??
    null
  );
}

/** Names that run-parts and Debian's cron take. */
export function isPartName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name);
}

export const partNameReason = 'Its name has more than letters, digits, - and _: it is never run';

/** Seconds: the scripts of a folder run one after the other. */
const folderDelayS = 1800;

/** `runBy`: the job of the line that runs the folder. */
export function jobsOfFolder(
  folder: string,
  files: readonly ScriptFile[],
  { runBy, isSystemd }: { readonly runBy: FoundJob; readonly isSystemd: boolean },
): Discovery {
  const jobs: FoundJob[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, text, isExecutable } of files) {
    if (name.startsWith('.')) continue;
    const file = `${folder}/${name}`;
    const reason = reasonAgainst(name, text, isExecutable, isSystemd);
    if (reason !== null) {
      leftOut.push({ file, line: 0, text: '', reason });
      continue;
    }
    const called = nameOfCommand(file);
    jobs.push({
      ...runBy,
      source: 'script',
      file,
      line: 0,
      name: called,
      plainSlug: slugOfName(called),
      command: file,
      delayS: runBy.delayS + folderDelayS,
      pinged: guardIn(text ?? ''),
      wrap: (slug, settings) => guarded(file, text, slug, settings),
    });
  }
  return { jobs, leftOut };
}

function reasonAgainst(
  name: string,
  text: string | null,
  isExecutable: boolean,
  isSystemd: boolean,
): string | null {
  if (!isPartName(name)) return partNameReason;
  if (!isExecutable) return 'It is not executable: run-parts leaves it out';
  if (isSystemd && text !== null && leavesToSystemd(text)) return leftToSystemd;
  if (name === '0anacron') return 'It only notes for anacron that the folder was run';
  return null;
}

function guardIn(text: string): FoundJob['pinged'] {
  const line = text.split('\n').find((one) => one.includes('KNELL_CHECK'));
  return line === undefined ? null : pingedBy(line);
}

/** A line behind the first one, which runs the script once more, by `knell run`. */
function guarded(
  file: string,
  text: string | null,
  slug: string,
  { program, url, key }: PingSettings,
): ReturnType<FoundJob['wrap']> {
  const [first = ''] = (text ?? '').split('\n');
  if (!/^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?(?:ba|da|z|k)?sh(?:\s|$)/.test(first))
    return 'It is no script of a shell: call it by knell run in one';
  const variables = [
    `KNELL_CHECK=${slug}`,
    ...(url === null ? [] : [`KNELL_PING_URL=${quoted(url)}`]),
    ...(key === null ? [] : [`KNELL_PING_KEY=${quoted(key)}`]),
  ].join(' ');
  const run = `exec env ${variables} ${program} run --check ${slug} -- "$0" "$@"`;
  return { file, line: 1, added: `[ "\${KNELL_CHECK-}" = ${slug} ] || ${run}` };
}
