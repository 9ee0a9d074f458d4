/**
 * The record of a ping of the fast path, as the store takes it: one object that is filled in anew for each ping, since the
 * store encodes it at once.
 */
import { type FreshState, freshCopy, freshState } from '../../domain/check/check.ts';
import { noFigures, type Ping, type Signal } from '../../domain/check/ping.ts';
import { noResults } from '../../domain/results/result.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import type { PingEntry } from '../../store/store.ts';
import type { PingRequest } from '../contract/engine.ts';
import type { CheckTable } from '../registry/check-table.ts';

type OpenPing = { -readonly [Name in keyof Ping]: Ping[Name] };

const noPing: Ping = {
  n: 0,
  atMs: 0,
  signal: 'success',
  scheme: 'http',
  remoteAddr: '',
  method: '',
  ua: '',
  byHand: false,
  rid: null,
  exitStatus: null,
  host: '',
  note: null,
  figures: noFigures,
  about: '',
  results: noResults,
  bodyBytes: 0,
};

export class PingRecord implements PingEntry {
  id = new UuidWords();
  readonly state: FreshState = freshCopy(freshState);
  readonly ping: OpenPing = { ...noPing };
  body: Uint8Array = new Uint8Array(0);

  /** The entry of a ping that the row has taken already. Void after the next call. */
  of(table: CheckTable, handle: number, signal: Signal, request: PingRequest): PingEntry {
    const { ping, state } = this;
    const { target, body } = request;
    table.rows.readState(handle, state);
    ping.n = state.nPings;
    ping.atMs = request.receivedAtMs;
    ping.signal = signal;
    ping.scheme = request.scheme;
    ping.remoteAddr = request.remoteAddr;
    ping.method = request.method;
    ping.ua = request.ua;
    ping.byHand = request.searchable.via === 'by-hand';
    ping.rid = request.rid;
    ping.exitStatus = request.exitStatus;
    ping.host = request.host;
    ping.results = request.results;
    ping.bodyBytes = body.length;
    this.id = target.by === 'uuid' ? target.uuid : table.idWords(handle);
    this.body = body;
    return this;
  }
}
