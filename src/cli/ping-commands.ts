/**
 * `knell run` and `knell ping` on a machine where Knell is installed: without KNELL_PING_URL they use the base URL of the
 * configuration.
 * Invariant: neither loads what it does not need: a job waits for it.
 */
import { pingAddress } from '../client/ping-address.ts';
import type { ClientContext } from '../client/ping-options.ts';
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

async function localAddress(check: string | undefined, key: string | undefined): Promise<URL> {
  const { baseUrlOf, readConfig } = await import('../config.ts');
  const url = baseUrlOf(readConfig(process.env, {}).config);
  return pingAddress({ check, key, url });
}
