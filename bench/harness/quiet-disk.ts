/**
 * Waits until the disk is at rest. A bench leaves gigabytes behind: to be written back, and, once deleted, on many file
 * systems to be discarded. Whatever stalls syncs for tenths of a second then would be measured as the next bench's.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Size } from './bench.ts';

const probes = 100;
const pauseMs = 10;
/** What a sync of 4 kB takes on a disk that is asked little else, many times over. */
const restMsMax = 10;
/** Then it is as quiet as this disk gets. */
const patienceMs = 20_000;

/** Resolves when a hundred syncs in a row, a second's, were quick, or after 20 s. Probes in `dir`. A look does not wait. */
export async function quietDisk(dir: string, size: Size): Promise<void> {
  if (size === 'smoke' || size === 'quick') return;
  const file = join(dir, 'probe');
  const fd = openSync(file, 'w');
  try {
    const sinceMs = performance.now();
    for (let quick = 0; quick < probes && performance.now() - sinceMs < patienceMs; await sleep(pauseMs)) {
      quick = syncMs(fd) <= restMsMax ? quick + 1 : 0;
    }
  } finally {
    closeSync(fd);
    rmSync(file);
  }
}

/** Removes what one part of a bench has measured on, before the next part measures. */
export async function removeData(dataDir: string, size: Size): Promise<void> {
  rmSync(dataDir, { recursive: true });
  await quietDisk(dirname(dataDir), size);
}

function syncMs(fd: number): number {
  const startMs = performance.now();
  writeSync(fd, Buffer.alloc(4096), 0, 4096, 0);
  fdatasyncSync(fd);
  return performance.now() - startMs;
}
