/**
 * The program that jobs are to run: where a `knell` is on the PATH that stays there.
 * Invariant: never a path that npm made for one run: it is gone with npm's cache, and with it the job.
 */
import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { MachineFiles } from './machine-files.ts';

/** Where it is expected if there is none. */
export const knellPathDefault = '/usr/local/bin/knell';

/** Of another machine, whose PATH is not known. */
const usualFolders = ['/usr/local/bin', '/usr/bin'];

/** Null where there is none. `searched`: the PATH of this shell. */
export function knellPath(files: MachineFiles, searched: string): string | null {
  const folders = files.root === '/' ? searched.split(delimiter).filter(stays) : usualFolders;
  const found = folders
    .map((folder) => join(folder, 'knell'))
    .find((path) => /^\/[\w./-]+$/.test(path) && files.isExecutable(path));
  return found ?? null;
}

/** Folders that npm puts in front of the PATH of what it runs. */
function stays(folder: string): boolean {
  return !/\/_npx(\/|$)|\/node_modules\/\.bin\/?$/.test(folder);
}

/** What to do where there is none. `running`: the file of this program. */
export function noKnellWords(running: string): string {
  const program = realPath(running);
  const advice =
    program === null || program.includes('/_npx/')
      ? 'install it with npm install -g knell'
      : `link it: ln -s ${program} ${knellPathDefault}`;
  return `jobs need a knell that stays where it is: ${advice}, or give --knell`;
}

function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
