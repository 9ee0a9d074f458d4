/**
 * The options of `knell run`: how they are explained, and what they say. Not here: what is done with it (`run`).
 * Invariant: whatever is wrong is a KnellError `usage`, before anything runs.
 */

import { KnellError } from '../lib/errors.ts';
import { parseRunId } from '../lib/ids.ts';
import { everyMsMax, everyMsMin, outputBytesMax } from './limits.ts';
import { countOf, durationMs, type OptionTable, optionsHelp } from './options.ts';
import {
  addressOf,
  type ClientContext,
  type DeliverySettings,
  deliveryOf,
  hostOf,
  newCheckOf,
  pingOptions,
  resultsOf,
} from './ping-options.ts';

export const runOptions: OptionTable = {
  check: { value: 'SLUG|UUID', help: 'the check to ping; not needed if KNELL_PING_URL is its ping URL' },
  rid: { value: 'UUID', optional: true, help: 'the run ID to send (default: a new one for each run)' },
  'no-rid': { help: 'send no run ID' },
  'no-start': { help: 'send no ping when the command starts' },
  'on-success': {
    value: 'TYPE',
    help: 'what to send for status 0: status, success, fail or log (default status)',
  },
  'on-failure': { value: 'TYPE', help: 'likewise for any other status, or a signal' },
  'on-exec-error': { value: 'TYPE', help: 'likewise for a command that cannot be executed' },
  'no-output': { help: 'send no output, and do not read it: the command keeps its terminal' },
  'body-limit': { value: 'BYTES', help: 'send only so much of the output, its end (default 100000)' },
  silent: { help: 'print nothing of the output: it is only sent' },
  every: { value: 'TIME', help: 'run the command again and again, this long from start to start' },
  ...pingOptions,
};

export const runHelp = (program: string): string => `Usage: ${program} [options] -- COMMAND [ARGUMENTS]

Runs COMMAND and pings a check: when it starts, and when it ends, with its exit status
and both ends of its output, 100 kB. The exit status is that of COMMAND, whether or not
Knell can be reached; a ping that cannot be delivered is one line on stderr.

Options:
${optionsHelp(runOptions)}

Examples:
  export KNELL_PING_URL=https://knell.example.org KNELL_PING_KEY=fqOOd6-F4MMNuCEnzTU01w
  ${program} --check db-backup -- pg_dump -f /backup/db.sql mydb
  ${program} --check db-backup --create -- /usr/local/bin/backup
  ${program} --check db-backup --create-schedule '30 3 * * *' --create-tags db -- backup
  ${program} --url https://knell.example.org/ping/UUID --no-output -- restic backup /home
  ${program} --check mirror --every 2h -- rsync -a server:/data /data
  ${program} --check sync --on-failure log -- may-fail-now-and-then

HTTPS_PROXY, HTTP_PROXY and NO_PROXY name a proxy to send the pings through.

In a crontab:
  KNELL_PING_URL=https://knell.example.org
  KNELL_PING_KEY=fqOOd6-F4MMNuCEnzTU01w
  30 3 * * *  ${program} --check db-backup -- /usr/local/bin/backup

Signals (TERM, INT, HUP, QUIT, USR1, USR2) reach COMMAND; with --every, ALRM runs it now.
If a signal ends COMMAND, the status is 128 plus its number; 127: there is no such
command; 126: it cannot be executed; 2: the options are wrong, and nothing was run.
`;

export interface RunSettings {
  readonly command: readonly string[];
  readonly address: Promise<URL>;
  /** Null for none, empty for a new one for each run. */
  readonly rid: string | null;
  /** Parameters of the check if a ping creates it; null: it is not created. */
  readonly create: Readonly<Record<string, string>> | null;
  readonly host: string | null;
  /** Sent with the end of each run. */
  readonly results: readonly string[];
  readonly sendStart: boolean;
  readonly outcomes: OutcomeTypes;
  readonly sendOutput: boolean;
  /** Bytes of the output, from its end. */
  readonly bodyBytesMax: number;
  readonly silent: boolean;
  readonly quiet: boolean;
  readonly everyMs: number | null;
  readonly delivery: DeliverySettings;
}

/** `status`: the exit status itself, by which Knell decides. */
const outcomeTypes = ['status', 'success', 'fail', 'log'] as const;
type OutcomeType = (typeof outcomeTypes)[number];

export interface OutcomeTypes {
  readonly success: OutcomeType;
  readonly failure: OutcomeType;
  readonly execError: OutcomeType;
}

/** Throws a KnellError `usage`. */
export function settingsOf(
  options: Readonly<Record<string, string | undefined>>,
  command: readonly string[],
  context: ClientContext,
): RunSettings {
  if (command.length === 0) throw new KnellError('usage', 'name the command to run, after --; see --help');
  const everyMs = options.every === undefined ? null : durationMs('--every', options.every);
  if (everyMs !== null && (everyMs < everyMsMin || everyMs > everyMsMax))
    throw new KnellError('usage', '--every must be from 1s to 24d');
  return {
    command,
    address: addressOf(options, options.check, context),
    rid: options['no-rid'] === undefined ? ridIn(options.rid ?? '') : null,
    create: newCheckOf(options),
    host: hostOf(options),
    results: resultsOf(options),
    sendStart: options['no-start'] === undefined,
    outcomes: {
      success: outcomeType('--on-success', options['on-success']),
      failure: outcomeType('--on-failure', options['on-failure']),
      execError: outcomeType('--on-exec-error', options['on-exec-error']),
    },
    sendOutput: options['no-output'] === undefined,
    bodyBytesMax: countOf('--body-limit', options['body-limit'] ?? String(outputBytesMax), outputBytesMax),
    silent: options.silent !== undefined,
    quiet: options.quiet !== undefined,
    everyMs,
    delivery: deliveryOf(options),
  };
}

function outcomeType(option: string, text = 'status'): OutcomeType {
  const type = outcomeTypes.find((one) => one === text);
  if (type === undefined)
    throw new KnellError('usage', `${option} must be one of ${outcomeTypes.join(', ')}`);
  return type;
}

function ridIn(text: string): string {
  if (text === '') return '';
  const rid = parseRunId(text);
  if (rid === null) throw new KnellError('usage', '--rid must be a UUID');
  return rid;
}
