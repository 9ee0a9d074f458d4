/**
 * The common parts of commands that ping: their options, the variables that replace them, the address.
 */

import { readGivenResult } from '../domain/results/given-results.ts';
import { KnellError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import { second } from '../lib/units.ts';
import type { DeliverOptions } from './deliver.ts';
import { retriesMax, tryMsMax } from './limits.ts';
import { countOf, durationMs, type OptionTable } from './options.ts';
import { pingAddress } from './ping-address.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Finds the address of a check where no KNELL_PING_URL is set. Rejects with a KnellError if it cannot. */
export type LocalAddress = (check: string | undefined, key: string | undefined) => Promise<URL>;

/** The surroundings of a command. */
export interface ClientContext {
  readonly env: Env;
  /** Null where Knell is not installed. */
  readonly local: LocalAddress | null;
}

const retriesDefault = 2;
const timeoutDefaultMs = 5 * second;

export const pingOptions: OptionTable = {
  create: { help: 'create the check if there is none of this slug' },
  'create-timeout': { value: 'TIME', help: 'of a check that this ping creates: how long from ping to ping' },
  'create-grace': { value: 'TIME', help: 'likewise: the grace time' },
  'create-schedule': { value: 'EXPRESSION', help: 'likewise: a cron or OnCalendar expression' },
  'create-tz': { value: 'ZONE', help: 'likewise: its time zone, such as Europe/Riga' },
  'create-tags': { value: 'TAGS', help: 'likewise: tags, between spaces' },
  'create-name': { value: 'NAME', help: 'likewise: its name (default: the slug)' },
  'create-channels': { value: 'LIST', help: 'likewise: integrations, names or ids between commas, or *' },
  url: { value: 'URL', help: "Knell's URL, or a check's ping URL (KNELL_PING_URL)" },
  key: { value: 'KEY', help: 'the ping key of the project, for slugs (KNELL_PING_KEY)' },
  host: { value: 'NAME', help: 'the machine, for a check that names its hosts; say "$(hostname)"' },
  result: {
    value: 'NAME=NUMBER',
    repeated: true,
    help: 'a number that the job reports, such as files=142',
  },
  timeout: { value: 'TIME', help: 'how long one try may take (default 5s)' },
  header: {
    value: 'NAME: VALUE',
    repeated: true,
    help: 'a header to send along, such as one that a proxy asks for',
  },
  retries: { value: 'N', help: `how many more tries a ping gets (default ${retriesDefault})` },
  quiet: { help: 'do not report a ping that could not be delivered' },
  help: { help: 'show this help' },
};

type Options = Readonly<Record<string, string | undefined>>;

/** The address. Throws a KnellError `usage`; a local search that fails is a rejection, and no wrong use. */
export function addressOf(
  options: Options,
  check: string | undefined,
  { env, local }: ClientContext,
): Promise<URL> {
  const url = options.url ?? env.KNELL_PING_URL;
  const key = options.key ?? env.KNELL_PING_KEY;
  const isSlug = check !== undefined && !isUuid(check.toLowerCase());
  const creates = newCheckOf(options) !== null;
  if (creates && check !== undefined && !isSlug)
    throw new KnellError('usage', '--create needs a slug: a check with a UUID exists already, or not at all');
  if (local && check !== undefined && (url === undefined || url === '')) {
    const found = local(check, key);
    return !creates || key !== undefined ? found : found.catch(explainCreate);
  }
  return Promise.resolve(pingAddress({ check, url, key }));
}

/** Without a key a check can be found by its name, and none be created. */
function explainCreate(error: unknown): never {
  if (!(error instanceof KnellError) || error.code !== 'not-found') throw error;
  const text =
    'no such check, and --create needs the ping key of its project: set KNELL_PING_KEY or use --key';
  throw new KnellError('usage', text, { cause: error });
}

/** Parameters of the ping's address, by option. Knell itself says what a value may be. */
const ofNewCheck = ['timeout', 'grace', 'schedule', 'tz', 'tags', 'name', 'channels'] as const;

/**
 * The parameters with which a ping creates its check; null if it creates none. An option about the new check implies `--create`.
 * Throws a KnellError `usage`.
 */
export function newCheckOf(options: Options): Readonly<Record<string, string>> | null {
  const given = ofNewCheck.flatMap((name) => {
    const text = options[`create-${name}`];
    return text === undefined ? [] : [[name, inSeconds(name, text)] as const];
  });
  return options.create === undefined && given.length === 0 ? null : Object.fromEntries(given);
}

function inSeconds(name: (typeof ofNewCheck)[number], text: string): string {
  if (name !== 'timeout' && name !== 'grace') return text;
  return String(Math.round(durationMs(`--create-${name}`, text) / second));
}

/** As Knell takes it: it leaves out any other name, and the host would be missing. */
const hostName = /^[A-Za-z0-9._-]{1,100}$/;

/** Null for none. Throws a KnellError `usage`. */
export function hostOf({ host }: Options): string | null {
  if (host === undefined || hostName.test(host)) return host ?? null;
  throw new KnellError('usage', '--host must be 1 to 100 letters, digits, and . _ -');
}

/** Results as pings give them: `files:142`. Throws a KnellError `usage`. */
export function resultsOf({ result = '' }: Options): readonly string[] {
  const given = result.split('\n').filter((text) => text !== '');
  return given.map((text) => {
    const found = readGivenResult(text.replace('=', ':'));
    if (found === null)
      throw new KnellError('usage', `--result must be such as files=142, and not ${JSON.stringify(text)}`);
    return `${found.name}:${found.value}`;
  });
}

export type DeliverySettings = Pick<DeliverOptions, 'retries' | 'timeoutMs' | 'headers'>;

/** Throws a KnellError `usage`. */
export function deliveryOf(options: Options): DeliverySettings {
  const retries = countOf('--retries', options.retries ?? String(retriesDefault), retriesMax);
  const timeoutMs =
    options.timeout === undefined ? timeoutDefaultMs : durationMs('--timeout', options.timeout);
  if (timeoutMs < 1 || timeoutMs > tryMsMax)
    throw new KnellError('usage', '--timeout must be more than 0 and at most 1m: a job waits for it');
  return { retries, timeoutMs, headers: headersOf(options.header) };
}

/** They say where the message ends, and belong to the one who sends it. */
const framing = ['connection', 'content-length', 'expect', 'transfer-encoding', 'upgrade'];

function headersOf(lines = ''): Readonly<Record<string, string>> {
  const headers = lines.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    headers.map((line) => {
      const [, name = '', value = ''] =
        /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
      if (name === '') throw new KnellError('usage', '--header must be such as "X-Token: value"');
      if (framing.includes(name.toLowerCase()))
        throw new KnellError('usage', `--header cannot set ${name}, which follows from the request`);
      return [name.toLowerCase(), value.trimEnd()];
    }),
  );
}
