/**
 * Gets a node that lacks what the log has discarded the data of another one. Not here: how a snapshot crosses the network
 * (`snapshot-exchange`), how it takes the place of what is there (`store/replicated/adopt-snapshot`).
 * Invariant: it goes on until it has succeeded: without these data the node is of no use.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { second } from '../lib/units.ts';
import { adoptSnapshot } from '../store/replicated/adopt-snapshot.ts';
import type { Scheduler } from '../store/scheduler.ts';
import type { Bus } from './bus.ts';
import type { KnownNode } from './node-status.ts';
import { fetchSnapshot, namePrefix } from './snapshot-exchange.ts';
import type { Subjects } from './subjects.ts';

const againMs = second;

interface AdoptOptions {
  /** Of this process. */
  readonly id: number;
  readonly dataDir: string;
  /** Of the log that the data are for. */
  readonly incarnation: string;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  nodes(): readonly KnownNode[];
}

export async function adoptFromPeer(options: AdoptOptions): Promise<void> {
  const { id, dataDir, incarnation, bus, subjects, scheduler, logger } = options;
  const dir = join(dataDir, 'snapshots');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, `${namePrefix}${id}`);
  for (;;) {
    const node = await nodeWithData(options);
    logger.info(
      { from: node },
      'the log has discarded what this node lacks: getting a snapshot of another node',
    );
    const progress = inTenths((tenths) => logger.info(`getting the snapshot: ${tenths * 10} %`));
    try {
      // A new one each time: under the same one the other node would offer the same file again.
      await fetchSnapshot({ id: randomInt(2 ** 32), node, file, bus, subjects, scheduler, progress });
      await adoptSnapshot(file, dataDir, incarnation, () => {});
      return;
    } catch (error) {
      logger.warn(`${messageOf(error)}; trying again`);
      await pause(scheduler);
    } finally {
      rmSync(file, { force: true });
    }
  }
}

/** A standby rather than the owner, which has enough to do. Waits for one. */
async function nodeWithData({ id, nodes, scheduler }: AdoptOptions): Promise<string> {
  for (;;) {
    const others = nodes().filter((node) => node.isAlive && node.id !== id && node.appliedSeq > 0);
    const best = others.find(({ role }) => role === 'standby') ?? others[0];
    if (best) return best.name;
    await pause(scheduler);
  }
}

function pause(scheduler: Scheduler): Promise<void> {
  return new Promise((resolve) => scheduler.after(againMs, resolve));
}

function inTenths(report: (tenths: number) => void): (fraction: number) => void {
  let reported = 0;
  return (fraction) => {
    const tenths = Math.floor(fraction * 10);
    if (tenths > reported) report(tenths);
    reported = Math.max(reported, tenths);
  };
}
