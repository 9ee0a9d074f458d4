/**
 * The bytes of a snapshot, format 1: what `snapshots/README.md` describes. `source` supplies the facts; `restore` reads them
 * back in.
 *
 * Invariant: a format number never changes its meaning; every format ever released stays readable.
 */
import { KnellError } from '../../lib/errors.ts';
import { MB } from '../../lib/units.ts';
import type { ByteReader } from '../codec/byte-reader.ts';
import { readState } from '../codec/check.ts';
import { changeBytes, readChange, readPing } from '../codec/ping.ts';
import { auditRow, endingRow, notificationRow, rows } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { decodeStatisticsRow } from '../history/rows/statistics-layout.ts';
import { kindOf, kinds } from '../kinds.ts';

export const snapshotMagic = Buffer.from('knellsnp');
export { snapshotFormat } from '../disk/formats.ts';
export const snapshotHeadBytes = snapshotMagic.length + 4;
/** SHA-256 of everything before it. */
export const snapshotTrailBytes = 32;
/** Kind and length. */
export const frameHeadBytes = 5;
/** No frame is longer; bounds what a damaged length makes a reader allocate. */
export const frameBytesMax = 16 * MB;

/** Frames of configuration have the numbers of their kinds (`kinds`). */
export const frameKinds = {
  sequence: 1,
  alive: 2,
  check: 3,
  /** This one and those up to `statistics` are of the check before them. */
  pings: 4,
  body: 5,
  changes: 6,
  notification: 7,
  /** A row of statistics behind its kind and its period. */
  statistics: 8,
  audit: 9,
  delivery: 10,
  /** Of the check before it. */
  'run-ending': 11,
  end: 255,
} as const;

export interface SnapshotCounts {
  checks: number;
  pings: number;
}

export function snapshotDamaged(why: string): KnellError {
  return new KnellError('snapshot-damaged', `the snapshot is damaged: ${why}`);
}

/** Decodes every frame and holds it against the ones before: what passes can be restored. */
export class FrameChecker {
  readonly counts: SnapshotCounts = { checks: 0, pings: 0 };
  #inCheck = false;
  #lastN = 0;
  #lastBodyN = 0;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  check(kind: number, reader: ByteReader): void {
    if (this.#ended) throw snapshotDamaged('something follows its end');
    if (isOfCheck(kind)) this.#checkOfCheck(kind, reader);
    else if (kind === frameKinds.check) this.#checkCheck(reader);
    else if (kind === frameKinds.end) this.#checkEnd(reader);
    else this.#checkConfig(kind, reader);
    if (reader.left > 0) throw snapshotDamaged('a frame is longer than what it holds');
  }

  #checkConfig(kind: number, reader: ByteReader): void {
    if (this.#inCheck) throw snapshotDamaged('its frames are out of order');
    decodeConfig(kind, reader);
  }

  #checkCheck(reader: ByteReader): void {
    this.counts.checks++;
    this.#inCheck = true;
    this.#lastN = 0;
    this.#lastBodyN = 0;
    reader.skip(uuidBytes);
    readState(reader);
    rows.check.read(reader.raw(reader.left));
  }

  #checkOfCheck(kind: number, reader: ByteReader): void {
    if (!this.#inCheck) throw snapshotDamaged('its frames are out of order');
    if (kind === frameKinds.statistics) {
      const rowKind = reader.u8();
      reader.u16();
      decodeStatisticsRow(rowKind, reader.raw(reader.left));
    } else if (kind === frameKinds.notification) notificationRow.read(reader.raw(reader.left));
    else if (kind === frameKinds['run-ending']) endingRow.read(reader.raw(reader.left));
    else if (kind === frameKinds.changes) {
      while (reader.left >= changeBytes) readChange(reader);
    } else if (kind === frameKinds.body) {
      this.#lastBodyN = ascending(reader.u48(), this.#lastBodyN);
      reader.skip(reader.left);
    } else {
      while (reader.left > 0) {
        this.#lastN = ascending(readPing(reader, 0).n, this.#lastN);
        this.counts.pings++;
      }
    }
  }

  #checkEnd(reader: ByteReader): void {
    if (reader.u48() !== this.counts.checks || reader.u48() !== this.counts.pings) {
      throw snapshotDamaged('it does not hold what its end says');
    }
    this.#ended = true;
  }
}

function isOfCheck(kind: number): boolean {
  return (kind >= frameKinds.pings && kind <= frameKinds.statistics) || kind === frameKinds['run-ending'];
}

function decodeConfig(kind: number, reader: ByteReader): void {
  const config = kindOf(kind);
  if (config !== undefined) kinds[config].row.read(reader.raw(reader.left));
  else if (kind === frameKinds.audit) auditRow.read(reader.raw(reader.left));
  else if (kind === frameKinds.delivery) rows.delivery.read(reader.raw(reader.left));
  else if (kind === frameKinds.sequence || kind === frameKinds.alive) reader.f64();
  else throw snapshotDamaged('a frame of an unknown kind');
}

function ascending(n: number, before: number): number {
  if (n <= before) throw snapshotDamaged('the pings of a check are out of order');
  return n;
}
