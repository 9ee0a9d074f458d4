/**
 * `knell snapshot` and `knell restore`.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { SnapshotSummary } from '../store/store.ts';
import { runAdmin } from './admin-client.ts';
import { exitDone, ProgressBar, print } from './terminal.ts';

/** Without `file`: into the data directory's `snapshots`, named after the time. */
export async function snapshot(config: Config, file: string | undefined): Promise<number> {
  const target = file === undefined ? await ownFile(config.dataDir) : resolve(file);
  const bar = new ProgressBar('snapshot');
  const summary = (await runAdmin(config, { command: 'snapshot', args: { file: target } }, (done) =>
    bar.update(done),
  )) as SnapshotSummary;
  bar.end();
  print(`${summary.file}: ${summary.checks} checks, ${summary.pings} pings, ${summary.bytes} bytes`);
  return exitDone;
}

async function ownFile(dataDir: string): Promise<string> {
  const { holdsData } = await import('../store/data-dir.ts');
  const directory = join(dataDir, 'snapshots');
  // Where nothing is kept, nothing is made: the snapshot itself is going to say so.
  if (holdsData(dataDir)) mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, `${new Date().toISOString().replaceAll(':', '').slice(0, 17)}Z.knell`);
}

export async function restore(config: Config, file: string): Promise<number> {
  const { restoreSnapshot } = await import('../store/snapshot/restore.ts');
  const bar = new ProgressBar('restore');
  const summary = await restoreSnapshot(resolve(file), config.dataDir, (done) => bar.update(done));
  bar.end();
  print(`${config.dataDir}: ${summary.checks} checks, ${summary.pings} pings restored`);
  return exitDone;
}
