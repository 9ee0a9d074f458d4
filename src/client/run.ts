/**
 * `knell run`: runs a command and pings a check: that it starts, and with which status and output it ends.
 * Invariant: what Knell answers, or does not, changes neither the command's exit status nor its output.
 */

import { randomUUID } from 'node:crypto';
import { messageOf } from '../lib/errors.ts';
import { type Delivered, type DeliverOptions, deliver } from './deliver.ts';
import { type JobEnd, runJob } from './job.ts';
import { outputBytesMax } from './limits.ts';
import { printHelp, readOptions } from './options.ts';
import { OutputTail } from './output-tail.ts';
import { pause } from './pause.ts';
import { type PingQuery, pingUrl } from './ping-address.ts';
import type { ClientContext } from './ping-options.ts';
import { type OutcomeTypes, type RunSettings, runHelp, runOptions, settingsOf } from './run-settings.ts';
import { Signals } from './signals.ts';

/** Resolves to the exit status. Throws a KnellError `usage` before anything runs. */
export async function runCommand(
  program: string,
  words: readonly string[],
  context: ClientContext,
): Promise<number> {
  const { options, rest } = readOptions(runOptions, words);
  if (options.help !== undefined) {
    printHelp(runHelp(program));
    return 0;
  }
  const settings = settingsOf(options, rest, context);
  // An address that cannot be found is reported with the ping: the job runs all the same.
  settings.address.catch(() => {});
  // Their reader may leave early. The command notices that (`job-output`); this process goes on and reports the end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
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

async function runOnce(settings: RunSettings, signals: Signals): Promise<number> {
  const rid = settings.rid === '' ? randomUUID() : settings.rid;
  const query = { rid, create: settings.create, host: settings.host, results: [] };
  const stop = new AbortController();
  const abandon = signals.impatient;
  const tail = settings.sendOutput ? new OutputTail(settings.bodyBytesMax) : null;
  // The job does not wait for this ping, and its end does not wait for more than the try that is in flight.
  const start = settings.sendStart
    ? send(settings, { ...query, action: 'start' }, { body: Buffer.alloc(0), stop: stop.signal, abandon })
    : null;
  const end = await runJob(settings.command, {
    output: tail && ((part) => tail.add(part)),
    prints: !settings.silent,
    signals,
  });
  if (end.error !== null) process.stderr.write(`knell: ${end.error}\n`);
  stop.abort();
  const started = await start;
  const body = bodyOf(end, tail, started);
  const ended = await send(
    settings,
    { ...query, action: actionFor(end, settings.outcomes), results: settings.results },
    { body, abandon },
  );
  report(settings, started, ended);
  return end.status;
}

function actionFor({ status, error }: JobEnd, { success, failure, execError }: OutcomeTypes): string {
  const type = error !== null ? execError : status === 0 ? success : failure;
  if (type === 'status') return String(status);
  return type === 'success' ? '' : type;
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
