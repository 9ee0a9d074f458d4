/**
 * `knell run` and `knell ping` on a machine where Knell is installed: without KNELL_PING_URL they find the check over the
 * server's socket, or use the base URL of the configuration.
 * Invariant: neither loads what it does not need: a job waits for it.
 */
import { pingAddress } from '../client/ping-address.ts';
import type { ClientContext } from '../client/ping-options.ts';
import { isUuid } from '../lib/ids.ts';
import { fail } from './terminal.ts';

/** The commands that are run without the rest of the command line. */
export const pingCommands: readonly string[] = ['run', 'ping'];

export async function runPingCommand([name, ...words]: readonly string[]): Promise<number> {
  const context: ClientContext = { env: process.env, local: localAddress };
  try {
    if (name === 'run') {
      const { runCommand } = await import('../client/run.ts');
      return await runCommand('knell run', words, context);
    }
    const { pingCommand } = await import('../client/ping.ts');
    return await pingCommand(words, context);
  } catch (error) {
    return fail(error);
  }
}

/** Without a ping key, the server of this machine is asked over its socket: then a name will do, too. */
async function localAddress(check: string | undefined, key: string | undefined): Promise<URL> {
  const { baseUrlOf, readConfig } = await import('../config.ts');
  const { config } = readConfig(process.env, {});
  const isUuidOrKeyed = check === undefined || key !== undefined || isUuid(check.toLowerCase());
  if (isUuidOrKeyed) return pingAddress({ check, key, url: baseUrlOf(config) });
  const { withManagement } = await import('./management-door.ts');
  const { allChecks, checkNamed } = await import('../client/find-check.ts');
  const local = { dataDir: config.dataDir };
  const all = await withManagement(
    local,
    () => config,
    (management) => allChecks(management),
  );
  return pingAddress({ check: undefined, key, url: checkNamed(all, check).check.ping_url });
}
