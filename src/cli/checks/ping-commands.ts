/**
 * `knell run` and `knell ping` on a machine where Knell is installed: without KNELL_PING_URL they find the server and the check
 * as the other commands do.
 * Invariant: neither loads what it does not need, because a job waits for it.
 */
import { pingAddress } from '../../client/ping-address.ts';
import type { ClientContext } from '../../client/ping-options.ts';
import type { Config } from '../../config.ts';
import { isUuid } from '../../lib/ids.ts';
import { socketWithinMs } from '../io/limits.ts';
import { fail } from '../io/terminal.ts';

/** The commands that run without loading the rest of the command line. */
export const pingCommands: readonly string[] = ['run', 'ping'];

export async function runPingCommand([name, ...words]: readonly string[]): Promise<number> {
  const context: ClientContext = { env: process.env, local: localAddress };
  try {
    if (name === 'run') {
      const { runCommand } = await import('../../client/run.ts');
      return await runCommand('knell run', words, context);
    }
    const { pingCommand } = await import('../../client/ping.ts');
    return await pingCommand(words, context);
  } catch (error) {
    return fail(error);
  }
}

/**
 * The ping URL at the server that the other commands find: that of KNELL_SERVER, or the one of this machine, which is asked over
 * its socket. That server also finds a check by its name, without a ping key.
 */
async function localAddress(check: string | undefined, key: string | undefined): Promise<URL> {
  const { readConfig } = await import('../../config.ts');
  const { config } = readConfig(process.env, {});
  const { KNELL_SERVER: server = '', KNELL_API_KEY: apiKey = '' } = process.env;
  const isUuidOrKeyed = check === undefined || (key ?? '') !== '' || isUuid(check.toLowerCase());
  if (isUuidOrKeyed || (server !== '' && apiKey === ''))
    return pingAddress({ check, key, url: server === '' ? await baseUrlOfServer(config) : server });
  const { withManagement } = await import('../io/management-session.ts');
  const { allChecks, checkNamed } = await import('../../client/find-check.ts');
  const all = await withManagement(
    {},
    () => config,
    (management) => allChecks(management),
  );
  return pingAddress({ check: undefined, key, url: checkNamed(all, check).check.ping_url });
}

/** The base URL: the one that the environment sets, else the server's own; the default if it does not run or may not be asked. */
async function baseUrlOfServer(config: Config): Promise<string> {
  const { baseUrlOf } = await import('../../config.ts');
  if (config.baseUrl !== null) return config.baseUrl;
  const { askRunningServer } = await import('../io/admin-client.ts');
  const within = AbortSignal.timeout(socketWithinMs);
  const info = await askRunningServer(config, 'server info', {}, within).catch(() => null);
  return info?.base_url ?? baseUrlOf(config);
}
