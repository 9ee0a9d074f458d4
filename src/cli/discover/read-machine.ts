/**
 * Reads all jobs of a machine: crontabs, folders of scripts, anacron, timers.
 * Invariant: nothing is changed, and what cannot be read is said.
 */
import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { jobsOfAnacrontab } from '../../domain/discover/anacrontab.ts';
import { jobsOfCrontab } from '../../domain/discover/crontab-jobs.ts';
import type { Discovery, FoundJob, LeftOut } from '../../domain/discover/found-job.ts';
import {
  folderRunBy,
  isPartName,
  jobsOfFolder,
  partNameReason,
} from '../../domain/discover/script-folder.ts';
import { canonicalTimeZone } from '../../schedule/schedule.ts';
import type { MachineFiles } from './machine-files.ts';
import { timersOf } from './read-timers.ts';

export interface Machine extends Discovery {
  /** By name; those whose jobs were read. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads one machine; `tz`: its zone, canonical. */
export function readMachine(files: MachineFiles, tz: string): Machine {
  return new MachineReader(files, tz).read();
}

/** The machine's zone: of its files, or of this process for the machine that runs here. */
export function zoneOf(files: MachineFiles): string {
  const named = files.read('/etc/timezone');
  const [, linked] = /zoneinfo\/(.+)$/.exec(linkOf(files.pathOf('/etc/localtime'))) ?? [];
  const here = files.root === '/' ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';
  const candidates = [linked ?? '', named.kind === 'text' ? named.text.trim() : '', here];
  return candidates.map((zone) => canonicalTimeZone(zone)).find((zone) => zone !== null) ?? 'UTC';
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

export function hostOf(files: MachineFiles): string {
  const named = files.read('/etc/hostname');
  const name = files.root === '/' ? hostname() : named.kind === 'text' ? named.text : '';
  return name.trim().replace(/[^\w.-]+/g, '-');
}

/**
 * Whether the cron of the machine takes `CRON_TZ` for a variable like any other, as that of Debian does: one that has it, such as cronie,
 * has its name in it. False where there is none that can be read.
 */
function ignoresZones(files: MachineFiles): boolean {
  const programs = ['/usr/sbin/cron', '/usr/sbin/crond', '/usr/bin/crond'];
  const found = programs.map((file) => files.programHas(file, 'CRON_TZ')).find((has) => has !== null);
  return found === false;
}

class MachineReader {
  readonly #files: MachineFiles;
  readonly #tz: string;
  readonly #isSystemd: boolean;
  readonly #hasAnacron: boolean;
  readonly #ignoresZones: boolean;
  readonly #texts = new Map<string, string>();
  readonly #jobs: FoundJob[] = [];
  readonly #leftOut: LeftOut[] = [];

  constructor(files: MachineFiles, tz: string) {
    this.#files = files;
    this.#tz = tz;
    const isImage = files.root !== '/';
    this.#isSystemd =
      files.exists('/run/systemd/system') ||
      (isImage && ['/usr/lib', '/lib'].some((lib) => files.exists(`${lib}/systemd/systemd`)));
    this.#ignoresZones = ignoresZones(files);
    this.#hasAnacron = files.exists('/usr/sbin/anacron');
  }

  read(): Machine {
    this.#crontab('/etc/crontab', true, 'root');
    for (const name of this.#namesIn('/etc/cron.d')) this.#part(name);
    if (this.#hasAnacron) this.#anacrontab('/etc/anacrontab');
    for (const folder of ['/var/spool/cron/crontabs', '/var/spool/cron'])
      for (const user of this.#namesIn(folder))
        if (!user.startsWith('.') && user !== 'crontabs') this.#crontab(`${folder}/${user}`, false, user);
    if (this.#files.root === '/') this.#ownCrontab();
    this.#add(timersOf(this.#files, this.#tz));
    return { jobs: this.#jobs, leftOut: this.#leftOut, texts: this.#texts };
  }

  /** What cannot be listed is left out with its reason. */
  #namesIn(folder: string): readonly string[] {
    const reason = this.#files.whyUnlisted(folder);
    if (reason !== null) this.#leftOut.push({ file: folder, line: 0, text: '', reason });
    return this.#files.names(folder);
  }

  /** A file of `/etc/cron.d`, whose names cron takes as run-parts does. */
  #part(name: string): void {
    const file = `/etc/cron.d/${name}`;
    if (isPartName(name)) this.#crontab(file, true, 'root');
    else if (!name.startsWith('.')) this.#leftOut.push({ file, line: 0, text: '', reason: partNameReason });
  }

  #textOf(file: string): string | null {
    const read = this.#files.read(file);
    if (read.kind === 'none' && read.reason !== '')
      this.#leftOut.push({ file, line: 0, text: '', reason: read.reason });
    if (read.kind !== 'text') return null;
    this.#texts.set(file, read.text);
    return read.text;
  }

  #crontab(file: string, hasUsers: boolean, user: string): void {
    const text = this.#textOf(file);
    if (text !== null) this.#lines(file, text, { hasUsers, user });
  }

  #lines(file: string, text: string, who: { readonly hasUsers: boolean; readonly user: string }): void {
    const machine = { tz: this.#tz, isSystemd: this.#isSystemd, ignoresZones: this.#ignoresZones };
    this.#expand(jobsOfCrontab({ file, text, ...who, ...machine }));
  }

  /** Who may not read the folder of the crontabs still may read the own one. */
  #ownCrontab(): void {
    const { username } = userInfo();
    const file = `/var/spool/cron/crontabs/${username}`;
    if (this.#texts.has(file) || process.getuid?.() === 0) return;
    const { status, stdout } = spawnSync('crontab', ['-l'], { encoding: 'utf8' });
    if (status !== 0 || stdout === '') return;
    this.#texts.set(file, stdout);
    this.#lines(file, stdout, { hasUsers: false, user: username });
  }

  #anacrontab(file: string): void {
    const text = this.#textOf(file);
    if (text !== null) this.#expand(jobsOfAnacrontab(file, text));
  }

  /** In the place of a line that runs a folder of scripts come the scripts. */
  #expand({ jobs, leftOut }: Discovery): void {
    this.#leftOut.push(...leftOut);
    for (const job of jobs) {
      const folder = folderRunBy(job.command);
      if (folder === null || job.pinged !== null) {
        this.#jobs.push(job);
        continue;
      }
      const { file, line, command } = job;
      if (job.source !== 'anacron' && this.#hasAnacron && command.includes('/usr/sbin/anacron'))
        this.#leftOut.push({ file, line, text: command, reason: 'Anacron runs it: see /etc/anacrontab' });
      else this.#folder(folder, job);
    }
  }

  #folder(folder: string, runBy: FoundJob): void {
    const files = this.#namesIn(folder).map((name) => {
      const file = `${folder}/${name}`;
      const read = this.#files.read(file);
      if (read.kind === 'text') this.#texts.set(file, read.text);
      return {
        name,
        text: read.kind === 'text' ? read.text : null,
        isExecutable: this.#files.isExecutable(file),
      };
    });
    const found = jobsOfFolder(folder, files, { runBy, isSystemd: this.#isSystemd });
    this.#add(found);
    if (found.jobs.length > 0) return;
    const { file, line, command } = runBy;
    this.#leftOut.push({ file, line, text: command, reason: `${folder} has no script that is a job` });
  }

  #add({ jobs, leftOut }: Discovery): void {
    this.#jobs.push(...jobs);
    this.#leftOut.push(...leftOut);
  }
}
