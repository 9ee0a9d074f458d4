/**
 * The options, the work and the output of `knell snapshot list`, `knell snapshot verify` and `knell restore`. `store/snapshot`
 * defines what a snapshot is. Invariant: `list` and `verify` only read files, so that they work whether a server runs or not, and
 * if only `snapshots/` is left.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { SnapshotFile } from '../../store/snapshot/directory.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { type Row, show } from '../io/show.ts';
import { exitDone, exitFailed, ProgressBar, print, printTable, warn } from '../io/terminal.ts';

/** Adds the commands beside `knell snapshot` itself, which is an owner's command. */
export function addSnapshots(program: Command, tools: CommandTools): void {
  const { finish, onData, configOf } = tools;
  const group = program.commands.find((one) => one.name() === 'snapshot') ?? program.command('snapshot');
  // The group reads the options of both commands, wherever they are written.
  const flagsOf = (command: Command): Flags => {
    const flags: Flags = command.optsWithGlobals();
    if (flags.server === undefined) return flags;
    throw new KnellError('usage', 'this reads files of this machine: run it there, without --server');
  };
  onData(group.command('list').description('list the snapshots of the data directory, newest first')).action(
    async (_: Flags, command: Command) => {
      const flags = flagsOf(command);
      finish(await list(configOf(flags), flags));
    },
  );
  onData(
    group
      .command('verify [file]')
      .description('verify a snapshot, or all in the data directory; exit status 1 if one is damaged'),
  ).action(async (file: string | undefined, _: Flags, command: Command) => {
    const flags = flagsOf(command);
    finish(await verify(configOf(flags), file, flags));
  });
  addRestore(program, tools);
}

function addRestore(program: Command, { finish, onData, configOf }: CommandTools): void {
  onData(program.command('restore [file]').description('fill an empty data directory from a snapshot'))
    .addHelpText(
      'after',
      '\nWithout FILE, it restores the latest undamaged one in snapshots/ of the data directory, which must contain nothing else.',
    )
    .action(async (file: string | undefined, flags: Flags) =>
      finish(await restore(configOf(flags), file, flags)),
    );
}

async function list(config: Config, flags: Flags): Promise<number> {
  const { readSnapshotCounts } = await import('../../store/snapshot/verify.ts');
  const nowMs = systemClock.nowMs();
  const rows = (await ownSnapshots(config)).map((one) => ({ ...one, counts: readSnapshotCounts(one.file) }));
  return show(
    flags,
    rows.map(({ file, atMs, bytes, counts }) => ({
      file,
      at: new Date(atMs).toISOString(),
      age_seconds: Math.round((nowMs - atMs) / 1000),
      bytes,
      checks: counts?.checks ?? null,
      pings: counts?.pings ?? null,
    })),
    () => printTable(rows.map((row): Row => shownRow(row, nowMs))),
  );
}

interface Listed extends SnapshotFile {
  readonly counts: { readonly checks: number; readonly pings: number } | null;
}

function shownRow({ file, atMs, bytes, counts }: Listed, nowMs: number): Row {
  const known = counts ?? { checks: '?', pings: '?' };
  return { file, age: ageWords(nowMs - atMs), bytes, checks: known.checks, pings: known.pings };
}

/** The age in the form `3d 4h`, `4h 5m` or `5m 6s`. */
function ageWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

interface Verdict {
  readonly file: string;
  readonly whole: boolean;
  readonly bytes?: number;
  readonly checks?: number;
  readonly pings?: number;
  readonly problem?: string;
}

async function verify(config: Config, file: string | undefined, flags: Flags): Promise<number> {
  const files = file === undefined ? (await ownSnapshots(config)).map((one) => one.file) : [resolve(file)];
  if (files.length === 0)
    throw new KnellError('not-found', `no snapshots in the data directory ${config.dataDir}`);
  const verdicts: Verdict[] = [];
  for (const one of files) verdicts.push(await verdictOn(one));
  show(flags, verdicts, () => {
    for (const one of verdicts.filter(({ whole }) => whole))
      print(`${one.file}: ok, ${one.checks} checks, ${one.pings} pings, ${one.bytes} bytes`);
  });
  const damaged = verdicts.filter(({ whole }) => !whole);
  for (const one of damaged) warn(`${one.file}: ${one.problem}`);
  return damaged.length > 0 ? exitFailed : exitDone;
}

async function verdictOn(file: string): Promise<Verdict> {
  const { verifySnapshot } = await import('../../store/snapshot/verify.ts');
  const bar = new ProgressBar('verify');
  try {
    const { bytes, checks, pings } = verifySnapshot(file, (done) => bar.update(done));
    return { file, whole: true, bytes, checks, pings };
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return { file, whole: false, problem: messageOf(error) };
  } finally {
    bar.end();
  }
}

/** Lists the snapshots, newest first. It throws if there is neither data nor a snapshot: the directory is probably a wrong one. */
async function ownSnapshots({ dataDir }: Config): Promise<readonly SnapshotFile[]> {
  const { listSnapshots, snapshotsDir } = await import('../../store/snapshot/directory.ts');
  const { holdsData } = await import('../../store/disk/data-dir.ts');
  const dir = snapshotsDir(dataDir);
  if (!existsSync(dir) && !holdsData(dataDir))
    throw new KnellError('not-found', `no Knell data in ${dataDir}; check KNELL_DATA_DIR`);
  return listSnapshots(dir, systemClock.nowMs());
}

async function restore({ dataDir }: Config, file: string | undefined, flags: Flags): Promise<number> {
  const bar = new ProgressBar('restore');
  const progress = (done: number): void => bar.update(done);
  const summary = await (file === undefined ? latest(dataDir, progress) : named(file, dataDir, progress));
  bar.end();
  return show(flags, summary, ({ file, checks, pings }) =>
    print(`${dataDir}: ${checks} checks, ${pings} pings restored from ${file}`),
  );
}

async function named(file: string, dataDir: string, progress: (done: number) => void) {
  const { restoreSnapshot } = await import('../../store/snapshot/restore.ts');
  return restoreSnapshot(resolve(file), dataDir, progress);
}

async function latest(dataDir: string, progress: (done: number) => void) {
  const { restoreLatest } = await import('../../store/snapshot/restore-latest.ts');
  return restoreLatest(dataDir, {
    nowMs: systemClock.nowMs(),
    progress,
    damaged: (file, { message }) => warn(`${file}: ${message}; trying the previous one`),
  });
}
