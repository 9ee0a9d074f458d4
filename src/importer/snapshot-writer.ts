/** Facts as the frames of a snapshot: the order and the form that `snapshots/README.md` describes. */

import type { ApiKey, Channel, Installation, Project } from '../domain/accounts/project.ts';
import type { User } from '../domain/accounts/user.ts';
import type { Check } from '../domain/check/check.ts';
import type { StatusChange } from '../domain/check/flip.ts';
import type { Ping } from '../domain/check/ping.ts';
import { MB } from '../lib/units.ts';
import type { ByteWriter } from '../store/codec/byte-writer.ts';
import { stateBytesMax, writeState } from '../store/codec/check.ts';
import { changeBytes, pingBytesMax, writeChange, writePing } from '../store/codec/ping.ts';
import { rows } from '../store/codec/rows.ts';
import { bytesOfUuid } from '../store/codec/uuid.ts';
import { type ConfigFacts, type ConfigKind, kinds } from '../store/kinds.ts';
import type { FrameSink } from '../store/snapshot/file.ts';
import { frameKinds, type SnapshotCounts } from '../store/snapshot/format.ts';

interface Configuration {
  readonly installation: Installation;
  readonly projects: readonly Project[];
  readonly keys: readonly ApiKey[];
  readonly channels: readonly Channel[];
  readonly users: readonly User[];
}

interface CheckHistory {
  readonly pings: readonly { readonly ping: Ping; readonly body: Uint8Array }[];
  readonly changes: readonly StatusChange[];
}

export class SnapshotWriter {
  readonly counts: SnapshotCounts = { checks: 0, pings: 0 };
  readonly #sink: FrameSink;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** First of all. `aliveMs`: when Knell counts as having been alive last. */
  begin(aliveMs: number, { installation, projects, keys, channels, users }: Configuration): void {
    this.#number(frameKinds.sequence, 0);
    this.#number(frameKinds.alive, aliveMs);
    this.#put('installation', [installation]);
    this.#put('project', projects);
    this.#put('key', keys);
    this.#put('channel', channels);
    this.#put('user', users);
  }

  #put<Kind extends ConfigKind>(kind: Kind, facts: readonly ConfigFacts[Kind][]): void {
    const { number, row } = kinds[kind];
    for (const fact of facts) this.#sink.frame(number, (writer) => raw(writer, row.write(fact)));
  }

  check(check: Check, { pings, changes }: CheckHistory): void {
    this.counts.checks++;
    this.counts.pings += pings.length;
    this.#sink.frame(frameKinds.check, (writer) => {
      raw(writer, bytesOfUuid(check.id));
      writer.reserve(stateBytesMax);
      writeState(writer, check.state);
      raw(writer, rows.check.write(check));
    });
    this.#pings(pings.map(({ ping }) => ping));
    for (const { ping, body } of pings) {
      if (body.length === 0) continue;
      this.#sink.frame(frameKinds.body, (writer) => {
        writer.reserve(6);
        writer.u48(ping.n);
        raw(writer, body);
      });
    }
    if (changes.length === 0) return;
    this.#sink.frame(frameKinds.changes, (writer) => {
      writer.reserve(changeBytes * changes.length);
      for (const change of changes) writeChange(writer, change);
    });
  }

  /** Some to a frame: each becomes one row of the history. */
  #pings(pings: readonly Ping[]): void {
    for (let at = 0; at < pings.length; at += pingsPerFrame) {
      this.#sink.frame(frameKinds.pings, (writer) => {
        for (const ping of pings.slice(at, at + pingsPerFrame)) {
          writer.reserve(pingBytesMax(ping));
          writePing(writer, ping);
        }
      });
    }
  }

  #number(kind: number, value: number): void {
    this.#sink.frame(kind, (writer) => {
      writer.reserve(8);
      writer.f64(value);
    });
  }
}

/** About 1 MB at the most that a ping takes. */
const pingsPerFrame = Math.floor(MB / 2000);

function raw(writer: ByteWriter, bytes: Uint8Array): void {
  writer.reserve(bytes.length);
  writer.raw(bytes);
}
