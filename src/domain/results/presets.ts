/**
 * What well-known programs print of a run, as data: per figure the places where it may be, in the terms of rules.
 * Invariant: pure values. The tests hold them against outputs of the programs themselves, but for robocopy.
 */
import type { ResultSource } from './result.ts';

export interface PresetFigure {
  readonly name: string;
  /** In which the number comes: `B`, `s`, or empty for things that are counted. */
  readonly unit: string;
  readonly help: string;
  /** The first that finds something counts. */
  readonly sources: readonly Extract<ResultSource, { readonly kind: 'pointer' | 'pattern' | 'count' }>[];
}

interface Preset {
  readonly program: string;
  /** Which options it takes for the figures to be printed. */
  readonly needs: string;
  /** Whether single letters behind numbers are powers of 1024, by the program's manual. */
  readonly is1024?: true;
  readonly figures: readonly PresetFigure[];
}

const pattern = (text: string) => ({ kind: 'pattern', pattern: text }) as const;
const pointer = (text: string) => ({ kind: 'pointer', pointer: text }) as const;
const count = (text: string) => ({ kind: 'count', pattern: text }) as const;

function figure(name: string, unit: string, help: string, ...sources: PresetFigure['sources']): PresetFigure {
  return { name, unit, help, sources };
}

export const presets: readonly Preset[] = [
  {
    program: 'rsync',
    needs: '--stats',
    figures: [
      figure('files', '', 'Files and folders that were looked at.', pattern('Number of files: {}')),
      figure('created', '', 'Files and folders that are new.', pattern('Number of created files: {}')),
      figure('deleted', '', 'Files and folders that were deleted.', pattern('Number of deleted files: {}')),
      figure(
        'transferred-files',
        '',
        'Files that were sent.',
        pattern('Number of regular files transferred: {}'),
      ),
      figure('size', 'B', 'Size of all files.', pattern('Total file size: {}')),
      figure(
        'transferred',
        'B',
        'Size of the files that were sent.',
        pattern('Total transferred file size: {}'),
      ),
      figure('sent', 'B', 'Bytes that went over the wire.', pattern('Total bytes sent: {}')),
    ],
  },
  {
    program: 'restic',
    needs: 'backup, as text or with --json',
    figures: [
      figure(
        'files',
        '',
        'Files that were looked at.',
        pointer('/total_files_processed'),
        pattern('processed {} files, '),
      ),
      figure('new', '', 'Files that are new.', pointer('/files_new'), pattern('Files: {} new, ')),
      figure(
        'changed',
        '',
        'Files that have changed.',
        pointer('/files_changed'),
        pattern('Files: {_} new, {} changed'),
      ),
      figure(
        'bytes',
        'B',
        'Size of all files.',
        pointer('/total_bytes_processed'),
        pattern('processed {_} files, {} in '),
      ),
      figure(
        'added',
        'B',
        'Bytes that are new in the repository.',
        pointer('/data_added'),
        pattern('Added to the repo*: {}'),
      ),
    ],
  },
  {
    program: 'borg',
    needs: 'create --stats or --json',
    figures: [
      figure(
        'files',
        '',
        'Files of the archive.',
        pointer('/archive/stats/nfiles'),
        pattern('Number of files: {}'),
      ),
      figure(
        'size',
        'B',
        'Size of the files of the archive.',
        pointer('/archive/stats/original_size'),
        pattern('This archive: {} {_} {_}'),
      ),
      figure(
        'compressed',
        'B',
        'Size of the archive when compressed.',
        pointer('/archive/stats/compressed_size'),
        pattern('This archive: {_} {} {_}'),
      ),
      figure(
        'added',
        'B',
        'Bytes that are new in the repository.',
        pointer('/archive/stats/deduplicated_size'),
        pattern('This archive: {_} {_} {}'),
      ),
      figure('duration', 's', 'Time that it took.', pointer('/archive/duration'), pattern('Duration: {}')),
    ],
  },
  {
    program: 'pg_dump',
    needs: '-v',
    figures: [
      figure('tables', '', 'Tables whose rows were dumped.', count('dumping contents of table ')),
      figure('created', '', 'Tables that the dump creates.', count('creating TABLE ')),
    ],
  },
  {
    program: 'duplicity',
    needs: 'nothing: it prints them unless --no-print-statistics is given',
    figures: [
      figure('files', '', 'Files and folders of the source.', pattern('SourceFiles {}')),
      figure('size', 'B', 'Size of the source.', pattern('SourceFileSize {}')),
      figure('new', '', 'Files and folders that are new.', pattern('NewFiles {}')),
      figure('changed', '', 'Files that have changed.', pattern('ChangedFiles {}')),
      figure('deleted', '', 'Files that are gone.', pattern('DeletedFiles {}')),
      figure('added', 'B', 'Bytes that were uploaded.', pattern('TotalDestinationSizeChange {}')),
      figure('errors', '', 'Errors that it went on after.', pattern('Errors {}')),
      figure('duration', 's', 'Time that it took.', pattern('ElapsedTime {}')),
    ],
  },
  {
    program: 'robocopy',
    needs: 'its summary, so no /njs',
    is1024: true,
    figures: [
      figure('files', '', 'Files that were looked at.', pattern('Files : {} {_} {_} {_} {_} {_}')),
      figure('copied', '', 'Files that were copied.', pattern('Files : {_} {} {_} {_} {_} {_}')),
      figure('skipped', '', 'Files that were left as they are.', pattern('Files : {_} {_} {} {_} {_} {_}')),
      figure('failed', '', 'Files that could not be copied.', pattern('Files : {_} {_} {_} {_} {} {_}')),
      figure('size', 'B', 'Size of all files.', pattern('Bytes : {} {_} {_} {_} {_} {_}')),
      figure('transferred', 'B', 'Bytes that were copied.', pattern('Bytes : {_} {} {_} {_} {_} {_}')),
    ],
  },
  {
    program: 'tar',
    needs: '--totals',
    figures: [figure('bytes', 'B', 'Size of the archive.', pattern('Total bytes written: {} ('))],
  },
  {
    program: 'rclone',
    needs: '-v, with --use-json-log or without',
    figures: [
      figure(
        'files',
        '',
        'Files that were copied.',
        pointer('/stats/transfers'),
        pattern('Transferred: {} / {_}, '),
      ),
      figure(
        'transferred',
        'B',
        'Bytes that were copied.',
        pointer('/stats/bytes'),
        pattern('Transferred: {} / *, *ETA'),
      ),
      figure(
        'duration',
        's',
        'Time that it took.',
        pointer('/stats/elapsedTime'),
        pattern('Elapsed time: {}'),
      ),
    ],
  },
];

/** All presets as rules name them: `rsync files`. */
export function presetNames(): readonly string[] {
  return presets.flatMap(({ program, figures }) => figures.map(({ name }) => `${program} ${name}`));
}

export function presetPrograms(): readonly string[] {
  return presets.map(({ program }) => program);
}

/** The names of a program's figures; null for one that has no preset. */
export function presetFigures(program: string): readonly string[] | null {
  return presets.find((preset) => preset.program === program)?.figures.map(({ name }) => name) ?? null;
}

/** Null when there is none of these names. */
export function presetFigure(
  program: string,
  name: string,
): (PresetFigure & { readonly is1024: boolean }) | null {
  const preset = presets.find((one) => one.program === program);
  const found = preset?.figures.find((one) => one.name === name);
  return found ? { ...found, is1024: preset?.is1024 ?? false } : null;
}
