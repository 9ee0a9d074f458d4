/** Parts that run beside the listeners: automatic snapshots and the admin socket. */
import { limits } from '../config.ts';
import { openSnapshots, type Snapshots } from '../engine/start/open-snapshots.ts';
import type { AdminCommands } from '../http/admin/admin-routes.ts';
import { createAdminServer } from '../http/admin/admin-server.ts';
import type { CoreOptions, UnrecoveredCore } from './core.ts';

export function openAutomaticSnapshots(
  { engine }: UnrecoveredCore,
  { config, clock, logger, threadsUrl }: CoreOptions,
): Snapshots {
  return openSnapshots({
    dataDir: config.dataDir,
    plan: config.snapshots,
    clock,
    logger,
    limits: limits.snapshots,
    write: (file) => engine.writeSnapshot(file, () => {}),
    threadsUrl: threadsUrl ?? new URL('../store/', import.meta.url),
  });
}

export function openAdminSocket(
  commands: AdminCommands,
  { config }: CoreOptions,
): ReturnType<typeof createAdminServer> {
  return createAdminServer(config.dataDir, commands);
}
