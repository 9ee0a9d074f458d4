/**
 * Whether cron could run a program: its jobs have a PATH of their own, on which the interpreter of a script may be missing.
 * Invariant: nothing is changed, and what the program itself answers does not matter.
 */
import { spawnSync } from 'node:child_process';
import { systemCode } from '../../lib/errors.ts';
import { versionWaitMs } from '../io/limits.ts';

/** That of cron (crontab(5)) for crontabs that set none. */
const cronPath = '/usr/bin:/bin';

/** Why jobs of cron could not run it, as a sentence without its full stop; null where they could. `program`: a path. */
export function whyNotByCron(program: string): string | null {
  const { status, stderr, error } = spawnSync(program, ['--version'], {
    env: { PATH: cronPath },
    encoding: 'utf8',
    timeout: versionWaitMs,
  });
  // What a shell, env and the system say where something to be run is missing.
  const isMissing = status === 127 || status === 126 || systemCode(error) === 'ENOENT';
  if (!isMissing) return null;
  const said = (stderr ?? '').trim().split('\n').at(-1) ?? '';
  const by = said === '' ? '' : ` (${said})`;
  return `${program} does not run with the PATH that jobs of cron have, ${cronPath}${by}: link what is missing to /usr/bin, or give --knell another one`;
}
