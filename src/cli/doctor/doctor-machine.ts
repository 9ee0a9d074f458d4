/**
 * The findings of `knell doctor` about this machine: Node, the data directory, its disk, the clock.
 * Invariant: nothing is changed; the file that is written to measure the disk is removed.
 */
import { execFile } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { messageOf } from '../../lib/errors.ts';
import { MB } from '../../lib/units.ts';
import { holdsData } from '../../store/disk/data-dir.ts';
import { dataFormat } from '../../store/disk/formats.ts';
import { doctorLimits } from '../io/limits.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';

export function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const name = `Node ${process.versions.node}`;
  if (major === 22 && minor >= 12) return ok('node', name);
  if (major === 20 && minor >= 19)
    return warning('node', `${name} gets no security fixes any more`, 'run Knell with Node 22');
  return failed('node', `${name} is not supported`, 'run Knell with Node 22.12 or a later 22');
}

export function dataFinding({ dataDir }: Config): Finding {
  try {
    if (!holdsData(dataDir))
      return failed('data', `no Knell data in ${dataDir}`, 'set KNELL_DATA_DIR, or start knell serve once');
    const mode = statSync(dataDir).mode & 0o077;
    if (mode !== 0)
      return warning(
        'data',
        `${dataDir} is open to other users`,
        `take their rights away: chmod 700 ${dataDir}`,
      );
    return ok('data', `${dataDir}, readable by this Knell (format ${dataFormat})`);
  } catch (error) {
    return failed('data', messageOf(error), 'run this as the user that runs Knell');
  }
}

export function spaceFinding({ dataDir }: Config): Finding {
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const free = bavail * bsize;
  const text = `${Math.round(free / MB)} MB free of ${Math.round((blocks * bsize) / MB)} MB`;
  const advice = 'free some space: a full disk refuses pings';
  if (free < doctorLimits.freeFailedBytes) return failed('disk space', text, advice);
  return free < doctorLimits.freeWarningBytes ? warning('disk space', text, advice) : ok('disk space', text);
}

const syncs = 11;

/** Measures the median of some syncs of 4 kB: a single ping waits for about two. */
export function syncFinding({ dataDir }: Config): Finding {
  const file = join(dataDir, `doctor-${process.pid}.tmp`);
  const descriptor = openSync(file, 'wx', 0o600);
  const times: number[] = [];
  try {
    for (let at = 0; at < syncs; at++) {
      const startedAtMs = performance.now();
      writeSync(descriptor, Buffer.alloc(4096), 0, 4096, at * 4096);
      fdatasyncSync(descriptor);
      times.push(performance.now() - startedAtMs);
    }
  } finally {
    closeSync(descriptor);
    rmSync(file);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(syncs / 2)] ?? 0;
  const text = `a sync takes ${median.toFixed(median < 10 ? 2 : 0)} ms`;
  const advice = 'put the data directory on a local SSD: every ping waits for a sync';
  if (median > doctorLimits.syncFailedMs) return failed('disk speed', text, advice);
  return median > doctorLimits.syncWarningMs ? warning('disk speed', text, advice) : ok('disk speed', text);
}

/** Asks the system's own time service: a time server of our choice would learn of this machine. */
export async function clockFinding(): Promise<Finding> {
  const synchronized = await new Promise<string>((resolve) => {
    execFile(
      'timedatectl',
      ['show', '-p', 'NTPSynchronized', '--value'],
      { timeout: doctorLimits.waitMs },
      (error, stdout) => resolve(error ? '' : stdout.trim()),
    );
  });
  if (synchronized === 'yes') return ok('clock', 'synchronized');
  const advice = 'run a time service such as chrony or systemd-timesyncd: deadlines go by the clock';
  if (synchronized === 'no') return warning('clock', 'not synchronized', advice);
  return warning('clock', 'cannot see whether it is synchronized (no timedatectl)', advice);
}
