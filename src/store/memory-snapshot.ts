/**
 * Snapshots of a memory store's disk, in both directions: the same files as the real store's.
 * Invariant: reading what was written gives an equal disk.
 */
import type { Check } from '../domain/check.ts';
import type { EndedSession } from '../domain/user.ts';
import { asCheckId } from '../lib/ids.ts';
import { ByteReader } from './codec/byte-reader.ts';
import type { ByteWriter } from './codec/byte-writer.ts';
import { readState, stateBytesMax, writeState } from './codec/check.ts';
import { changeBytes, pingBytesMax, readChange, readPing, writeChange, writePing } from './codec/ping.ts';
import { rows } from './codec/rows.ts';
import { createMemoryDisk, listedPings, type MemoryDisk, type StoredCheck } from './memory-disk.ts';
import { type FrameSink, readSnapshotFile, writeSnapshotFile } from './snapshot/file.ts';
import { frameKinds, type SnapshotCounts } from './snapshot/format.ts';
import type { Progress, SnapshotSummary } from './store.ts';

export function writeMemorySnapshot(disk: MemoryDisk, file: string, progress: Progress): SnapshotSummary {
  const summary = writeSnapshotFile(file, (sink) => {
    writeNumber(sink, frameKinds.sequence, disk.seq);
    if (disk.aliveMs !== null) writeNumber(sink, frameKinds.alive, disk.aliveMs);
    const { installation } = disk;
    if (installation) writeRow(sink, frameKinds.installation, rows.installation.write(installation));
    for (const project of sorted(disk.projects))
      writeRow(sink, frameKinds.project, rows.project.write(project));
    for (const key of sorted(disk.keys)) writeRow(sink, frameKinds.key, rows.key.write(key));
    for (const channel of sorted(disk.channels))
      writeRow(sink, frameKinds.channel, rows.channel.write(channel));
    for (const delivery of sorted(disk.outbox))
      writeRow(sink, frameKinds.delivery, rows.delivery.write(delivery));
    for (const user of sorted(disk.users)) writeRow(sink, frameKinds.user, rows.user.write(user));
    for (const session of [...disk.endedSessions].sort(byUserAndEnd))
      writeRow(sink, frameKinds.endedSession, rows['ended-session'].write(session));
    const counts: SnapshotCounts = { checks: 0, pings: 0 };
    for (const stored of sorted(disk.checks)) {
      counts.checks++;
      counts.pings += writeCheck(disk, stored, sink);
    }
    return counts;
  });
  progress(1);
  return summary;
}

/** By id, as the real store's tables are. */
function sorted<Id extends string, Value>(map: ReadonlyMap<Id, Value>): readonly Value[] {
  return [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function byUserAndEnd(a: EndedSession, b: EndedSession): number {
  if (a.userId !== b.userId) return a.userId < b.userId ? -1 : 1;
  return a.untilMs - b.untilMs || (a.id < b.id ? -1 : 1);
}

function writeRow(sink: FrameSink, kind: number, row: Buffer): void {
  sink.frame(kind, (writer) => {
    writer.reserve(row.length);
    writer.raw(row);
  });
}

function writeNumber(sink: FrameSink, kind: number, value: number): void {
  sink.frame(kind, (writer) => {
    writer.reserve(8);
    writer.f64(value);
  });
}

function writeCheck(disk: MemoryDisk, stored: StoredCheck, sink: FrameSink): number {
  const { check, bodies, changes } = stored;
  sink.frame(frameKinds.check, (writer) => writeCheckFrame(writer, check));
  const listed = listedPings(disk, stored);
  if (listed.length > 0) {
    const raw = stored.pings.slice(-listed.length);
    sink.frame(frameKinds.pings, (writer) => {
      for (const ping of raw) {
        writer.reserve(pingBytesMax(ping));
        writePing(writer, ping);
      }
    });
  }
  for (const [n, body] of bodies) {
    sink.frame(frameKinds.body, (writer) => {
      writer.reserve(6 + body.length);
      writer.u48(n);
      writer.raw(body);
    });
  }
  if (changes.length > 0) {
    const inTime = [...changes].sort((a, b) => a.atMs - b.atMs);
    sink.frame(frameKinds.changes, (writer) => {
      writer.reserve(changeBytes * inTime.length);
      for (const change of inTime) writeChange(writer, change);
    });
  }
  return listed.length;
}

function writeCheckFrame(writer: ByteWriter, check: Check): void {
  const row = rows.check.write(check);
  writer.reserve(16 + stateBytesMax + row.length);
  writer.uuid(check.id);
  writeState(writer, check.state);
  writer.raw(row);
}

/** The disk that a snapshot describes. Rejects damaged and foreign files as restoring does. */
export function readMemorySnapshot(file: string): MemoryDisk {
  const disk = createMemoryDisk();
  const reader = new ByteReader();
  let current: StoredCheck | null = null;
  readSnapshotFile(
    file,
    (kind, payload) => {
      reader.open(Buffer.from(payload));
      if (kind === frameKinds.check) current = addCheck(disk, reader);
      else if (current && kind >= frameKinds.pings && kind <= frameKinds.changes)
        addRows(current, kind, reader);
      else addConfig(disk, kind, reader);
    },
    () => {},
  );
  return disk;
}

function addCheck(disk: MemoryDisk, reader: ByteReader): StoredCheck {
  const id = asCheckId(reader.uuid());
  const state = readState(reader);
  const check = { id, ...rows.check.read(reader.raw(reader.left)), state };
  const stored: StoredCheck = { check, pings: [], bodies: new Map(), changes: [] };
  disk.checks.set(id, stored);
  return stored;
}

function addRows(stored: StoredCheck, kind: number, reader: ByteReader): void {
  if (kind === frameKinds.body) {
    stored.bodies.set(reader.u48(), reader.raw(reader.left));
    return;
  }
  while (reader.left > 0) {
    if (kind === frameKinds.pings) stored.pings.push(readPing(reader, 0));
    else stored.changes.push(readChange(reader));
  }
}

function addConfig(disk: MemoryDisk, kind: number, reader: ByteReader): void {
  if (kind === frameKinds.sequence) disk.seq = reader.f64();
  else if (kind === frameKinds.alive) disk.aliveMs = reader.f64();
  else if (kind === frameKinds.installation)
    disk.installation = rows.installation.read(reader.raw(reader.left));
  else if (kind === frameKinds.project) {
    const project = rows.project.read(reader.raw(reader.left));
    disk.projects.set(project.id, project);
  } else if (kind === frameKinds.key) {
    const key = rows.key.read(reader.raw(reader.left));
    disk.keys.set(key.id, key);
  } else if (kind === frameKinds.channel) {
    const channel = rows.channel.read(reader.raw(reader.left));
    disk.channels.set(channel.id, channel);
  } else if (kind === frameKinds.delivery) {
    const delivery = rows.delivery.read(reader.raw(reader.left));
    disk.outbox.set(delivery.id, delivery);
  } else if (kind === frameKinds.user) {
    const user = rows.user.read(reader.raw(reader.left));
    disk.users.set(user.id, user);
  } else if (kind === frameKinds.endedSession) {
    disk.endedSessions.add(rows['ended-session'].read(reader.raw(reader.left)));
  }
}
