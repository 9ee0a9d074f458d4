/**
 * Imports a dump of Healthchecks into an empty data directory: translated into a snapshot, which is then restored, so that
 * there is no second way to write data.
 * Invariants: all or nothing: until the last moment nothing of the dump is in the data directory. Nothing is written before
 * the whole dump was read and translated once.
 */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ApiKey, Channel, ChannelKind, Installation, Project } from '../domain/accounts/project.ts';
import type { User } from '../domain/accounts/user.ts';
import { type Check, defaultConfig } from '../domain/check/check.ts';
import type { StatusChange } from '../domain/check/flip.ts';
import { asBadgeId, asCheckId, type Ids, isUuid } from '../lib/ids.ts';
import { createDir } from '../store/disk/data-dir.ts';
import { changesCutoffMs } from '../store/history/rows/retention.ts';
import { writeSnapshotFile } from '../store/snapshot/file.ts';
import { restoreSnapshot } from '../store/snapshot/restore.ts';
import { DumpFile, type DumpRow } from './dump-file.ts';
import { ImportReport } from './import-report.ts';
import { pingsKeptMax } from './limits.ts';
import { type Dump, type PingPlaces, readDump } from './read-dump.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import {
  assignments,
  checkSecretKey,
  noteUnproved,
  type TranslateOptions,
  translateChannels,
  translateConfig,
  translateKeys,
  translateProjects,
  translateUsers,
} from './translate-configuration.ts';
import {
  type ImportedPing,
  numbersOf,
  translateFlip,
  translatePing,
  translateState,
} from './translate-history.ts';

interface ImportOptions {
  readonly file: string;
  readonly dataDir: string;
  readonly secretKey: string;
  /** An API key of that Healthchecks, by which `secretKey` is proved; null for none. */
  readonly checkKey: string | null;
  readonly nowMs: number;
  readonly ids: Ids;
  readonly pingBodyBytesMax: number;
  /** Reads and translates everything, and writes nothing. */
  readonly dryRun: boolean;
  /** 0..1. */
  readonly progress: (fraction: number) => void;
}

export interface Imported {
  readonly report: ImportReport;
  /** Users with roles in projects only, and without a password. */
  readonly users: readonly User[];
  /** Secret with which links to set a password are signed. */
  readonly badgeSecret: string;
  /** Types of the integrations that were imported, sorted. */
  readonly kinds: readonly ChannelKind[];
}

/** Rejects with a KnellError: `usage` for a foreign or damaged dump, `data-dir-not-empty`. */
export async function importDump(options: ImportOptions): Promise<Imported> {
  const report = new ImportReport();
  const file = new DumpFile(options.file);
  try {
    const dump = readDump(file, report, (fraction) => options.progress(fraction * 0.3));
    const facts = translate(options, dump, report);
    const source: HistorySource = { file, dump, report, options };
    if (options.dryRun) for (const one of facts.checks) historyOf(source, one);
    else await writeAndRestore(facts, source);
    const kinds = [...new Set(facts.channels.map(({ kind }) => kind))].sort();
    return { report, users: facts.users, badgeSecret: facts.installation.badgeSecret, kinds };
  } finally {
    file.close();
  }
}

interface ImportedCheck {
  /** Primary key in the dump. */
  readonly key: string;
  readonly check: Check;
}

interface Facts {
  readonly installation: Installation;
  readonly projects: readonly Project[];
  readonly keys: readonly ApiKey[];
  readonly users: readonly User[];
  readonly channels: readonly Channel[];
  readonly checks: readonly ImportedCheck[];
}

function translate(
  { ids, nowMs, secretKey, checkKey }: ImportOptions,
  dump: Dump,
  report: ImportReport,
): Facts {
  const options: TranslateOptions = { dump, report, ids, nowMs, secretKey };
  if (checkKey !== null) checkSecretKey(options, checkKey);
  else noteUnproved(options);
  const projects = translateProjects(options);
  const channels = translateChannels(options, projects);
  const keys = translateKeys(options, projects);
  const assigned = assignments(options, channels);
  const checks: ImportedCheck[] = [];
  for (const row of byCreation(dump.checks)) {
    report.read('checks');
    const project = projects.get(row.fields.reference('project'));
    const translated = translateConfig(row, assigned.get(row.key) ?? defaultConfig.channels);
    const name = row.fields.text('name') || row.fields.text('code');
    if (!project) report.leaveOut('checks', 'its project is not in the dump', name);
    else if (translated.error !== undefined) report.leaveOut('checks', translated.error, name);
    else {
      const move = { fromMs: dump.latestMs, untilMs: nowMs };
      const state = translateState(row, translated.config, move);
      report.imported('checks');
      checks.push({
        key: row.key,
        check: {
          ...headOf(row, project, ids, checks.at(-1)?.check.createdAtMs ?? 0),
          config: translated.config,
          state,
        },
      });
    }
  }
  return {
    installation: {
      badgeSecret: ids.randomHex(32),
      createdAtMs: nowMs,
      ...(secretKey === '' ? {} : { importedSecret: secretKey }),
    },
    projects: [...projects.values()],
    keys,
    users: translateUsers(options, projects),
    channels: [...channels.values()],
    checks,
  };
}

function createdAtMsOf({ fields }: DumpRow): number {
  return fields.instant('created') ?? 0;
}

/** A dump is in the order of primary keys, which is another one where checks came from elsewhere; of one instant it stays. */
function byCreation(rows: readonly DumpRow[]): readonly DumpRow[] {
  return rows.toSorted((a, b) => createdAtMsOf(a) - createdAtMsOf(b));
}

/** Instants of creation are unique: of two of the same one, the second is a little later than `afterMs`. */
function headOf(row: DumpRow, project: Project, ids: Ids, afterMs: number): Omit<Check, 'config' | 'state'> {
  const { fields } = row;
  const badgeKey = fields.text('badge_key');
  return {
    id: asCheckId(fields.text('code')),
    projectId: project.id,
    badgeId: asBadgeId(isUuid(badgeKey) ? badgeKey : ids.newUuid()),
    createdAtMs: Math.max(createdAtMsOf(row), afterMs + 0.001),
  };
}

interface HistorySource {
  readonly file: DumpFile;
  readonly dump: Dump;
  readonly report: ImportReport;
  readonly options: ImportOptions;
}

interface History {
  readonly pings: readonly ImportedPing[];
  readonly changes: readonly StatusChange[];
}

function historyOf(source: HistorySource, { key, check }: ImportedCheck): History {
  return { pings: pingsOf(source, key, check), changes: changesOf(source, key) };
}

function pingsOf(
  { file, dump, report, options }: HistorySource,
  key: string,
  { state }: Check,
): readonly ImportedPing[] {
  const places: PingPlaces = dump.pings.get(key) ?? { count: 0, at: [], length: [] };
  const older = Math.max(0, places.count - pingsKeptMax);
  if (older > 0) report.leaveOut('pings', `older than the ${pingsKeptMax} newest of its check`, '', older);
  const from = Math.max(0, places.at.length - pingsKeptMax);
  const pings = places.at
    .slice(from)
    .map((at, index) =>
      translatePing(file.rowAt(at, places.length[from + index] ?? 0), options.pingBodyBytesMax),
    );
  const numbers = numbersOf(
    pings.map(({ ping }) => ping.n),
    state.nPings,
  );
  const numbered = pings.flatMap(({ ping, body }, index): ImportedPing[] => {
    const n = numbers[index] ?? 0;
    return n === 0 ? [] : [{ ping: { ...ping, n }, body }];
  });
  const surplus = pings.length - numbered.length;
  if (surplus > 0) report.leaveOut('pings', 'more than the check counted', '', surplus);
  report.imported('pings', numbered.length);
  return numbered;
}

function changesOf({ dump, report, options }: HistorySource, key: string): readonly StatusChange[] {
  const cutoffMs = changesCutoffMs(options.nowMs);
  const changes: StatusChange[] = [];
  for (const row of dump.flips.get(key) ?? []) {
    const change = translateFlip(row);
    if (change === null) report.leaveOut('status changes', 'from a status to the same');
    else if (change.atMs < cutoffMs) report.leaveOut('status changes', 'older than Knell keeps them');
    else changes.push(change);
  }
  report.imported('status changes', changes.length);
  return changes.sort((a, b) => a.atMs - b.atMs);
}

async function writeAndRestore(facts: Facts, source: HistorySource): Promise<void> {
  const { dataDir, nowMs, progress } = source.options;
  const target = resolve(dataDir);
  createDir(dirname(target));
  const snapshot = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.importing`);
  try {
    writeSnapshotFile(snapshot, (sink) => {
      const writer = new SnapshotWriter(sink);
      // It was not away: what could not arrive during the move is in the states.
      writer.begin(nowMs, facts);
      for (const [index, one] of facts.checks.entries()) {
        writer.check(one.check, historyOf(source, one));
        progress(0.3 + (0.4 * index) / facts.checks.length);
      }
      return writer.counts;
    });
    await restoreSnapshot(snapshot, target, (fraction) => progress(0.7 + fraction * 0.3));
  } finally {
    rmSync(snapshot, { force: true });
  }
}
