/**
 * Gets a node that lacks what the log has discarded the data of another one. Not here: how a snapshot crosses the network
 * (`snapshot-exchange`), how it takes the place of what is there (`store/replicated/adopt-snapshot`).
 * Invariant: what this node has is given up only for data with which it can follow the log.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import { adoptSnapshot } from '../../store/replicated/adopt-snapshot.ts';
import type { Bus } from '../bus/bus.ts';
import { adoptLimits } from '../bus/limits.ts';
import type { Subjects } from '../requests/subjects.ts';
import type { KnownNode } from '../status/node-status.ts';
import type { WantedData } from './find-log.ts';
import { fetchSnapshot, namePrefix } from './snapshot-exchange.ts';

interface AdoptOptions {
  /** Id of this process. */
  readonly id: number;
  readonly dataDir: string;
  readonly wanted: WantedData;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  nodes(): readonly KnownNode[];
}

/** Once: when no node that runs has the data, or none has sent them, the caller looks at the log again, which may have changed. */
export async function adoptFromPeer(options: AdoptOptions): Promise<void> {
  const { id, dataDir, wanted, bus, subjects, scheduler, logger } = options;
  const node = await nodeWithData(options);
  if (node === null) {
    logger.warn(
      wanted.isNearer
        ? 'no node sends its data: reading the log instead'
        : `the log can be followed from ${wanted.lastSeqMin + 1} on, and no node that runs has what is before it; trying again`,
    );
    return;
  }
  logger.info(
    { from: node },
    wanted.isNearer
      ? 'this node lacks so much that a snapshot of another one is the shorter way: getting it'
      : 'the log has discarded what this node lacks: getting a snapshot of another node',
  );
  const dir = join(dataDir, 'snapshots');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, `${namePrefix}${id}`);
  const progress = inTenths((tenths) => logger.info(`getting the snapshot: ${tenths * 10} %`));
  try {
    // A new id each time: under the same one the other node would offer the same file again.
    await fetchSnapshot({ id: randomInt(2 ** 32), node, file, bus, subjects, scheduler, progress });
    await adoptSnapshot(file, dataDir, wanted.incarnation, () => {});
  } catch (error) {
    logger.warn(`${messageOf(error)}; trying again`);
    await pause(scheduler);
  } finally {
    rmSync(file, { force: true });
  }
}

/** A standby rather than the leader, which has enough to do. Waits for one; null when there is none for long. */
async function nodeWithData({ id, wanted, nodes, scheduler }: AdoptOptions): Promise<string | null> {
  const untilMs = scheduler.elapsedMs() + adoptLimits.nodesMs;
  while (scheduler.elapsedMs() < untilMs) {
    const fit = nodes().filter(
      (node) => node.isAlive && node.id !== id && node.appliedSeq >= Math.max(1, wanted.lastSeqMin),
    );
    const best = fit.find(({ role }) => role === 'standby') ?? fit[0];
    if (best) return best.name;
    await pause(scheduler);
  }
  return null;
}

function pause(scheduler: Scheduler): Promise<void> {
  return new Promise((resolve) => scheduler.after(adoptLimits.againMs, resolve));
}

function inTenths(report: (tenths: number) => void): (fraction: number) => void {
  let reported = 0;
  return (fraction) => {
    const tenths = Math.floor(fraction * 10);
    if (tenths > reported) report(tenths);
    reported = Math.max(reported, tenths);
  };
}
