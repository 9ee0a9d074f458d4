/**
 * A Knell on one machine: its parts in the order in which they start. A node of a cluster is put together in `node`.
 * Invariant: the listeners open last, so that no request ever meets half an engine.
 */
import { measureProcess } from '../lib/process-metrics.ts';
import { dataFormat } from '../store/disk/formats.ts';
import { openAdminSocket, openAutomaticSnapshots } from './beside.ts';
import { ownBaseUrl, prepareCore } from './core.ts';
import { takeFirstSteps } from './first-steps.ts';
import { Health } from './health.ts';
import { openListeners } from './listeners.ts';
import type { Parts } from './parts.ts';
import type { App, AppOptions } from './running.ts';

export async function startSingle(options: AppOptions, parts: Parts): Promise<Omit<App, 'baseUrl' | 'stop'>> {
  const base = ownBaseUrl(options.config);
  const core = await prepareCore(options, base.url);
  parts.keep({ stop: measureProcess(core.meter, dataFormat) });
  parts.keep(core);
  await core.recover();
  options.loaded?.();
  const snapshots = parts.keep(openAutomaticSnapshots(core, options));
  parts.keep(await openAdminSocket(core.admin, options));
  const health = new Health([...core.engine.health, ...core.notify.health], core.meter);
  const listeners = parts.keep(
    await openListeners(
      { ...core, pings: core.engine, cluster: null, snapshots, health: health.parts },
      options,
    ),
  );
  const addresses = await listeners.listen(base);
  const firstSteps = await takeFirstSteps(core, base.url, options);
  health.started();
  parts.keep(health.openHeartbeat(options));
  return { ...core, ...addresses, ...firstSteps, leading: null };
}
