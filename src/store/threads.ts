/**
 * The messages between the store and its threads, and where their entry points lie. Plain data only.
 */

import type { ErrorCode } from '../lib/errors.ts';
import type { LogKind } from './disk/log-kind.ts';
import type { SnapshotSummary } from './store.ts';

export interface FoldWorkerData {
  readonly dataDir: string;
  /** Which log the batches are read from. */
  readonly journal: LogKind;
  readonly bodyBudgetBytes: number;
  readonly foldBytesMax: number;
  readonly foldFreeBytesMin: number;
}

export type ToFold =
  /** Fold up to this batch. */
  | { readonly type: 'fold'; readonly seq: number; readonly nowMs: number }
  /** Whether commits wait for it already. */
  | { readonly type: 'expedite'; readonly isExpedited: boolean }
  | { readonly type: 'stop' };

export type FromFold =
  | { readonly type: 'folded'; readonly seq: number }
  /** There is no space; it goes on trying. */
  | { readonly type: 'full' }
  | { readonly type: 'broken'; readonly message: string };

export interface SnapshotVerifyData {
  readonly file: string;
  /** Set to 1 when Knell is stopping. */
  readonly cancelled: Int32Array;
}

export interface SnapshotWorkerData extends SnapshotVerifyData {
  readonly dataDir: string;
}

export type FromSnapshotWorker =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly summary: SnapshotSummary }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string };
