/**
 * Runs owner's commands on a Knell of another machine, through its admin API, and decides which Knell a command means: that of
 * `--server`, or the one on this machine.
 * Invariant: the key is sent only to that server; it is in no error.
 */
import { sendRequest } from '../../client/http-client.ts';
import type { Config } from '../../config.ts';
import { type ErrorCode, KnellError, messageOf } from '../../lib/errors.ts';
import { secretIn } from '../../lib/secret-file.ts';
import { minute } from '../../lib/units.ts';
import { localCommands, type NamedCommands, resultAs } from './admin-client.ts';
import type { Flags } from './flags.ts';

/** Opens a session. A data directory that an option names wins over a server that a variable names. */
export function sessionFor(flags: Flags, config: () => Config): NamedCommands {
  const server = flags.server ?? (flags.dataDir === undefined ? process.env.KNELL_SERVER : undefined);
  if (typeof server !== 'string' || server === '') return localCommands(config(), { creates: false });
  const key = typeof flags.key === 'string' ? flags.key : secretIn(process.env, 'KNELL_ADMIN_KEY');
  if (key === undefined || key === '')
    throw new KnellError('usage', '--server needs an admin key: --key or KNELL_ADMIN_KEY');
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new KnellError('usage', '--server must be a URL such as https://knell.example.org');
  const base = server.replace(/\/+$/, '');
  return {
    isRemote: true,
    run: (command, args) => resultAs(command, post(base, { key, command, args })),
    async close() {},
  };
}

interface Asked {
  readonly key: string;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

async function post(base: string, { key, command, args }: Asked): Promise<unknown> {
  const { status, body } = await sendRequest(new URL(`${base}/api/admin/${command.replaceAll(' ', '/')}`), {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
    refusesRedirects: true,
    timeoutMs: minute,
  }).catch((error: unknown) => {
    throw new KnellError('conflict', `cannot reach ${base}: ${messageOf(error)}`);
  });
  const json = parsed(body);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  throw refusalOf(status, json, base);
}

const codeOf: Readonly<Record<number, ErrorCode>> = { 400: 'usage', 404: 'not-found', 503: 'store-full' };

function refusalOf(status: number, json: unknown, base: string): KnellError {
  if (status === 401)
    return new KnellError(
      'conflict',
      `${base} refuses the key: it must be an admin key (knell key create-admin)`,
    );
  const said =
    typeof json === 'object' && json !== null && 'error' in json ? String(json.error) : `status ${status}`;
  return new KnellError(codeOf[status] ?? 'conflict', `${base}: ${said}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
