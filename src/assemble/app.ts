/**
 * A running Knell, alone on its machine (`single`) or a node of a cluster (`node`).
 * Invariant: where the start fails, whatever had started is stopped again.
 */
import { probePort } from '../http/wire/probe-port.ts';
import { Parts } from './parts.ts';
import type { App, AppOptions } from './running.ts';
import { startSingle } from './single.ts';

/** Rejects with a KnellError. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options;
  const metrics = config.metrics && 'listen' in config.metrics ? config.metrics.listen : null;
  for (const address of [config.http, config.httpCompat, config.smtp, metrics])
    if (address) await probePort(address);
  const parts = new Parts();
  const isAlone = config.cluster.length === 0;
  try {
    // Without KNELL_CLUSTER nothing of a cluster is loaded.
    const start = isAlone ? startSingle : (await import('./node.ts')).startNode;
    const app = await start(options, parts);
    return { ...app, baseUrl: app.commands.baseUrl(), stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}
