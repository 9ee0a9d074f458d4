/**
 * The snapshots of a running Knell: starts their schedule, if there is one, and reports their state.
 * Invariant: after `stop` no thread reads a snapshot any more.
 */
import type { SnapshotsView } from '../../domain/views/page-view.ts';
import type { Clock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { SnapshotPlan } from '../../lib/read-setting.ts';
import { second } from '../../lib/units.ts';
import { listSnapshots, snapshotsDir } from '../../store/snapshot/directory.ts';
import { VerifyThreads } from '../../store/snapshot/thread.ts';
import type { SnapshotSummary } from '../../store/store.ts';
import { type SnapshotLimits, SnapshotSchedule } from './snapshot-schedule.ts';

interface SnapshotsOptions {
  readonly dataDir: string;
  /** Null: Knell writes none by itself. */
  readonly plan: SnapshotPlan | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: SnapshotLimits;
  write(file: string): Promise<SnapshotSummary>;
  /** The built `store/` folder. */
  readonly threadsUrl: URL;
}

export interface Snapshots {
  /** View for the settings page. */
  view(): Promise<SnapshotsView>;
  stop(): Promise<void>;
}

export function openSnapshots({ plan, threadsUrl, ...options }: SnapshotsOptions): Snapshots {
  const { dataDir, clock } = options;
  const threads = new VerifyThreads(new URL('./snapshot/verify-worker.js', threadsUrl));
  const verify = (file: string): Promise<SnapshotSummary> => threads.verify(file);
  const schedule = plan && new SnapshotSchedule({ ...options, plan, verify });
  schedule?.start();
  return {
    async view() {
      return {
        plan: plan && { everyS: plan.everyMs / second, kept: plan.kept },
        ...(await latestIn(dataDir, clock.nowMs(), schedule?.failure ?? null)),
      };
    },
    async stop() {
      schedule?.stop();
      await threads.stop();
    },
  };
}

type LatestSnapshot = Pick<SnapshotsView, 'latest' | 'failure'>;

async function latestIn(
  dataDir: string,
  nowMs: number,
  failure: LatestSnapshot['failure'],
): Promise<LatestSnapshot> {
  try {
    const [latest] = await listSnapshots(snapshotsDir(dataDir), nowMs);
    return { latest: latest ? { name: latest.name, atMs: latest.atMs, bytes: latest.bytes } : null, failure };
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return { latest: null, failure: failure ?? { atMs: nowMs, message: error.message, nextMs: null } };
  }
}
