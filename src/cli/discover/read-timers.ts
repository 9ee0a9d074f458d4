/**
 * The timers of a machine with their services, from the folders in which systemd looks for units (systemd.unit(5)).
 * Invariant: of one unit in several folders the first counts, and drop-ins of all of them.
 */
import type { Discovery, FoundJob, LeftOut } from '../../domain/discover/found-job.ts';
import { dropInOf, jobOfTimer, serviceOf } from '../../domain/discover/timers.ts';
import { type UnitSettings, unitSettings } from '../../domain/discover/unit-file.ts';
import type { MachineFiles } from './machine-files.ts';

const folders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** `tz`: of the machine. */
export function timersOf(files: MachineFiles, tz: string): Discovery {
  const wanted = wantedUnits(files);
  const names = new Set(folders.flatMap((folder) => files.names(folder)));
  const jobs: FoundJob[] = [];
  /** By service: one has one drop-in, so one check. */
  const startedBy = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  for (const unit of [...names].filter((name) => name.endsWith('.timer')).sort()) {
    const found = unitNamed(files, unit);
    if (found === null) continue;
    const service = serviceOf(unit, found.settings);
    const dropIn = files.read(dropInOf(service));
    const job = jobOfTimer(
      {
        unit,
        ...found,
        service: serviceNamed(files, service),
        isEnabled: wanted.has(unit),
        dropIn: dropIn.kind === 'text' ? dropIn.text : null,
      },
      tz,
    );
    const other = startedBy.get(service);
    if (!('times' in job)) leftOut.push(job);
    else if (other === undefined) {
      jobs.push(job);
      startedBy.set(service, unit);
    } else {
      const reason = `Starts ${service} as ${other} does: its check is that one's, give it both times`;
      leftOut.push({ file: job.file, line: 0, text: unit, reason });
    }
  }
  return { jobs, leftOut };
}

/** Units that others want: so systemd knows that one is enabled. */
function wantedUnits(files: MachineFiles): ReadonlySet<string> {
  return new Set(
    folders.flatMap((folder) =>
      files
        .names(folder)
        .filter((name) => /\.(?:wants|requires|upholds)$/.test(name))
        .flatMap((name) => files.names(`${folder}/${name}`)),
    ),
  );
}

interface Unit {
  readonly file: string;
  readonly settings: UnitSettings;
}

/** Null for what is missing or masked. */
function unitNamed(files: MachineFiles, unit: string): Unit | null {
  for (const folder of folders) {
    const file = `${folder}/${unit}`;
    const read = files.read(file);
    if (read.kind === 'masked') return null;
    if (read.kind === 'text') return { file, settings: unitSettings([read.text, ...dropInsOf(files, unit)]) };
  }
  return null;
}

function serviceNamed(files: MachineFiles, unit: string): (Unit & { readonly unit: string }) | null {
  const found = unitNamed(files, unit) ?? unitNamed(files, unit.replace(/@[^.]*\./, '@.'));
  return found && { unit, ...found };
}

/** In the order in which systemd reads them: by name, wherever they are. */
function dropInsOf(files: MachineFiles, unit: string): readonly string[] {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const name of files.names(`${folder}/${unit}.d`)) {
      const read = files.read(`${folder}/${unit}.d/${name}`);
      if (name.endsWith('.conf') && !found.has(name)) found.set(name, read.kind === 'text' ? read.text : '');
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}
