/**
 * A running Knell, alone on its machine (`single`) or a node of a cluster (`node`).
 * Invariant: where the start fails, whatever had started is stopped again.
 */
import { probePort } from '../http/wire/probe-port.ts';
import { KnellError } from '../lib/errors.ts';
import { Parts } from './parts.ts';
import type { App, AppOptions } from './running.ts';
import { startSingle } from './single.ts';

/** Says with which variable the address can be changed: somebody may not know that there is such a listener. */
function named(error: unknown, variable: string): unknown {
  if (!(error instanceof KnellError)) return error;
  const orOff = variable === 'KNELL_HTTP' ? '' : ', or `off` for none';
  return new KnellError(error.code, `${error.message}. Set ${variable} to another address${orOff}`, {
    cause: error,
  });
}

/** Rejects with a KnellError. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options;
  const metrics = config.metrics && 'listen' in config.metrics ? config.metrics.listen : null;
  for (const [variable, address] of [
    ['KNELL_HTTP', config.http],
    ['KNELL_HTTP_COMPAT', config.httpCompat],
    ['KNELL_SMTP', config.smtp],
    ['KNELL_METRICS', metrics],
  ] as const)
    if (address) await probePort(address).catch((error: unknown) => Promise.reject(named(error, variable)));
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
