/**
 * `knell run`: runs a command and pings a check: that it starts, and with which status and output it ends.
 * Invariant: what Knell answers, or does not, changes neither the command's exit status nor its output.
 */
import { randomUUID } from 'node:crypto';
import { KnellError, messageOf } from '../lib/errors.ts';
import { parseRunId } from '../lib/ids.ts';
import { kB } from '../lib/units.ts';
import { type Delivered, type DeliverOptions, deliver } from './deliver.ts';
import { type JobEnd, runJob } from './job.ts';
import { durationMs, type OptionTable, optionsHelp, printHelp, readOptions } from './options.ts';
import { OutputTail } from './output-tail.ts';
import { pause } from './pause.ts';
import { type PingQuery, pingUrl } from './ping-address.ts';
import { addressOf, type ClientContext, deliveryOf, pingOptions } from './ping-options.ts';
import { Signals } from './signals.ts';

export const runOptions: OptionTable = {
  check: { value: 'SLUG|UUID', help: 'the check to ping; not needed if KNELL_PING_URL is its ping URL' },
  rid: { value: 'UUID', optional: true, help: 'the run ID to send (default: a new one for each run)' },
  'no-rid': { help: 'send no run ID' },
  'no-start': { help: 'send no ping when the command starts' },
  'no-output': { help: 'send no output, and do not read it: the command keeps its terminal' },
  every: { value: 'TIME', help: 'run the command again and again, this long from start to start' },
  ...pingOptions,
};

const help = (program: string): string => `Usage: ${program} [options] -- COMMAND [ARGUMENTS]

Runs COMMAND and pings a check: when it starts, and when it ends, with its exit status
and the last 100 kB of its output. The exit status is that of COMMAND, whether or not
Knell can be reached; a ping that cannot be delivered is one line on stderr.

Options:
${optionsHelp(runOptions)}

Examples:
  export KNELL_PING_URL=https://knell.example.org KNELL_PING_KEY=fqOOd6-F4MMNuCEnzTU01w
  ${program} --check db-backup -- pg_dump -f /backup/db.sql mydb
  ${program} --check db-backup --create -- /usr/local/bin/backup
  ${program} --url https://knell.example.org/ping/UUID --no-output -- restic backup /home
  ${program} --check mirror --every 2h -- rsync -a server:/data /data

In a crontab:
  KNELL_PING_URL=https://knell.example.org
  KNELL_PING_KEY=fqOOd6-F4MMNuCEnzTU01w
  30 3 * * *  ${program} --check db-backup -- /usr/local/bin/backup

Signals (TERM, INT, HUP, QUIT, USR1, USR2) reach COMMAND; with --every, ALRM runs it now.
If a signal ends COMMAND, the status is 128 plus its number; 127: there is no such
command; 126: it cannot be executed; 2: the options are wrong, and nothing was run.
`;

interface RunSettings {
  readonly command: readonly string[];
  readonly address: Promise<URL>;
  /** Null for none, empty for a new one for each run. */
  readonly rid: string | null;
  readonly create: boolean;
  readonly sendStart: boolean;
  readonly sendOutput: boolean;
  readonly quiet: boolean;
  readonly everyMs: number | null;
  readonly delivery: Pick<DeliverOptions, 'retries' | 'timeoutMs'>;
}

/** Resolves to the exit status. Throws a KnellError `usage` before anything runs. */
export async function runCommand(
  program: string,
  words: readonly string[],
  context: ClientContext,
): Promise<number> {
  const { options, rest } = readOptions(runOptions, words);
  if (options.help !== undefined) {
    printHelp(help(program));
    return 0;
  }
  const settings = settingsOf(options, rest, context);
  // An address that cannot be found is reported with the ping: the job runs all the same.
  settings.address.catch(() => {});
  const signals = new Signals();
  const status = await runUntilAsked(settings, signals);
  signals.release();
  return status;
}

async function runUntilAsked(settings: RunSettings, signals: Signals): Promise<number> {
  const { everyMs } = settings;
  if (everyMs === null) return runOnce(settings, signals);
  let wake = new AbortController();
  signals.onAlarm(() => wake.abort());
  for (;;) {
    const startedAtMs = performance.now();
    const status = await runOnce(settings, signals);
    if (signals.asked.aborted) return status;
    await pause(startedAtMs + everyMs - performance.now(), [wake.signal, signals.asked]);
    if (signals.asked.aborted) return status;
    wake = new AbortController();
  }
}

function settingsOf(
  options: Readonly<Record<string, string | undefined>>,
  command: readonly string[],
  context: ClientContext,
): RunSettings {
  if (command.length === 0) throw new KnellError('usage', 'name the command to run, after --; see --help');
  const everyMs = options.every === undefined ? null : durationMs('--every', options.every);
  if (everyMs !== null && (everyMs < 1000 || everyMs > 2 ** 31))
    throw new KnellError('usage', '--every must be from 1s to 24d');
  return {
    command,
    address: addressOf(options, options.check, context),
    rid: options['no-rid'] === undefined ? ridIn(options.rid ?? '') : null,
    create: options.create !== undefined,
    sendStart: options['no-start'] === undefined,
    sendOutput: options['no-output'] === undefined,
    quiet: options.quiet !== undefined,
    everyMs,
    delivery: deliveryOf(options),
  };
}

function ridIn(text: string): string {
  if (text === '') return '';
  const rid = parseRunId(text);
  if (rid === null) throw new KnellError('usage', '--rid must be a UUID');
  return rid;
}

/** What Knell keeps of a ping's body. */
const outputBytesMax = 100 * kB;

async function runOnce(settings: RunSettings, signals: Signals): Promise<number> {
  const rid = settings.rid === '' ? randomUUID() : settings.rid;
  const query = { rid, create: settings.create };
  const stop = new AbortController();
  const abandon = signals.impatient;
  const tail = settings.sendOutput ? new OutputTail(outputBytesMax) : null;
  // The job does not wait for this ping, and its end does not wait for more than the try that is under way.
  const start = settings.sendStart
    ? send(settings, { ...query, action: 'start' }, { body: Buffer.alloc(0), stop: stop.signal, abandon })
    : null;
  const end = await runJob(settings.command, { output: tail && ((part) => tail.add(part)), signals });
  if (end.error !== null) process.stderr.write(`knell: ${end.error}\n`);
  stop.abort();
  const started = await start;
  const body = bodyOf(end, tail, started);
  const ended = await send(settings, { ...query, action: String(end.status) }, { body, abandon });
  report(settings, started, ended);
  return end.status;
}

function bodyOf(end: JobEnd, tail: OutputTail | null, started: Delivered | null): Uint8Array {
  if (end.error !== null) return Buffer.from(`${end.error}\n`);
  const limit = (started?.ok && started.bodyBytesMax) || outputBytesMax;
  return tail?.bytes(limit) ?? Buffer.alloc(0);
}

interface SendOptions extends Pick<DeliverOptions, 'stop' | 'abandon'> {
  readonly body: Uint8Array;
}

async function send(
  { address, delivery }: RunSettings,
  query: PingQuery,
  { body, ...signals }: SendOptions,
): Promise<Delivered> {
  try {
    return await deliver(pingUrl(await address, query), body, { ...delivery, ...signals });
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** One line at most: two pings of one run mostly fail for one reason. */
function report({ quiet }: RunSettings, started: Delivered | null, ended: Delivered): void {
  if (quiet) return;
  if (!ended.ok) process.stderr.write(`knell: the ping could not be delivered: ${ended.reason}\n`);
  else if (started && !started.ok)
    process.stderr.write(`knell: the ping of the start could not be delivered: ${started.reason}\n`);
}
