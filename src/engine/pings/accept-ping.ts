/**
 * The path of one ping, a line a step, for both listeners. From classification to the journal there is no await: what a
 * ping is taken to mean is decided on the very state that it changes.
 *
 * Two ways: nearly every ping changes a few numbers of its check's row and nothing else (`acceptFast`), the others decode
 * the check and may start its actor (`acceptDecided`). Both write the same record.
 */

import type { Outcome } from '../../domain/alerting/hold.ts';
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import { type CheckEvent, effectiveSignal } from '../../domain/check/check-machine.ts';
import { classify, plainSignal } from '../../domain/check/classify.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { noFigures, type Ping, type Signal } from '../../domain/check/ping.ts';
import { type Delivery, hasShortForm } from '../../domain/deliveries/delivery.ts';
import { findResults } from '../../domain/results/find-results.ts';
import type { Result } from '../../domain/results/result.ts';
import { readResultRules } from '../../domain/results/result-rules.ts';
import { isEnd } from '../../domain/runs/run-statistics.ts';
import type { RunStep } from '../../domain/runs/track-runs.ts';
import type { Waiter } from '../../store/store.ts';
import { configBySlug, createBySlug } from '../changes/create-check.ts';
import type { EngineContext } from '../context/context.ts';
import type { Answer } from '../context/ping-ledger.ts';
import type { PingOutcome, PingRequest } from '../contract/engine.ts';
import { whyNotWritten } from '../contract/not-written.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { alertsOf, appendAlerts, noAlerts, warningAlerts } from '../deadlines/alerts.ts';
import {
  appendEndings,
  changesBetween,
  hasRowChanged,
  noDeliveries,
  publishStep,
} from '../deadlines/status-changes.ts';
import { fastStep } from '../registry/fast-ping.ts';
import { flag, statusNumber } from '../registry/hot-rows.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import { findHandle, findTarget, type MissingCheck } from './find-target.ts';
import { PingRecord } from './ping-record.ts';

/** `answer` is called with the outcome and `who`. */
export function acceptPing(
  context: EngineContext,
  request: PingRequest,
  answer: Answer<PingOutcome>,
  who: unknown,
): void {
  if (!acceptFast(context, request, answer, who))
    acceptDecided(context, request, { answer, who: who as never });
}

const record = new PingRecord();

/** False, and nothing has happened, for a ping that needs more than its check's row. */
function acceptFast(
  { registry, ledger, store, ticker }: EngineContext,
  request: PingRequest,
  answer: Answer<PingOutcome>,
  who: unknown,
): boolean {
  if (request.error !== null) return false;
  const handle = findHandle(registry, request.target); //                      whose
  if (handle < 0) return false;
  const { rows, timings } = registry.table;
  const { receivedAtMs, rid } = request;
  const flags = rows.flags(handle);
  // Pings of a paused check may wait for its owner: see `effectiveSignal`.
  if ((flags & flag.plain) === 0 || (flags & flag.status) === statusNumber.paused) return false;
  if (rows.deadline(handle) <= receivedAtMs) return false;
  const signal = plainSignal(request.action, request.exitStatus); //           what is meant
  ledger.note(handle, answer, who);
  //                                                                           what it means
  if (!fastStep(rows, timings, handle, signal, receivedAtMs, rid)) {
    ledger.cancel();
    return false;
  }
  registry.table.moved(handle); //                                             lists that show it are others
  ticker.watch(handle); //                                                     when it is due next
  store.appendPing(record.of(registry.table, handle, signal, request), ledger); // one durable batch, then the reply
  return true;
}

/** Called by the ledger when the record of a ping of the fast path is on disk. */
export function pingDurable(
  { metrics, events, registry }: EngineContext,
  handle: number,
  answer: Answer<PingOutcome>,
  who: never,
): void {
  metrics.pings.ok.add();
  answer('ok', who);
  if (!events.checkChanged.hasSubscribers) return;
  events.checkChanged.publish({ id: registry.id(handle), projectId: registry.projectId(handle) });
}

/** Or it could not be written, and the row is what it was. */
export function pingRolledBack(
  context: EngineContext,
  handle: number,
  answer: Answer<PingOutcome>,
  who: never,
): void {
  context.registry.table.moved(handle);
  context.ticker.watch(handle);
  reply(context, { answer, who }, whyNotWritten(context.store));
}

interface Asker {
  readonly answer: Answer<PingOutcome>;
  readonly who: never;
}

function acceptDecided(context: EngineContext, request: PingRequest, asker: Asker): void {
  const { registry, ticker } = context;
  const found = findTarget(registry, request.target); //                       whose
  if (typeof found === 'string') {
    reply(context, asker, found);
    return;
  }
  if (request.error !== null) {
    reply(context, asker, request.error);
    return;
  }
  const created = found.handle === null;
  const handle = found.handle ?? made(context, found, request);
  if (typeof handle === 'string') {
    reply(context, asker, handle);
    return;
  }
  applyDueDeadlines(context, handle, request.receivedAtMs); //                 what came due before it
  const before = registry.check(handle);
  const signal = effectiveSignal(before, classify(before.config, request)); // what is meant
  const results = resultsOf(before.config, signal, request); //                what it reports
  const step = registry.send(handle, eventOf(signal, request, results)); //    what it means
  ticker.watch(handle); //                                                     when it is due next
  const pending = new PendingPing(context, handle, before, created, asker);
  journal(context, pending, { signal: signalAfter(signal, step), step, results }, request); // one durable batch, then the reply
}

/** The handle of the check that the ping creates, or why it creates none. */
function made(
  context: EngineContext,
  wanted: MissingCheck,
  request: PingRequest,
): number | 'bad-settings' | 'too-many-new' {
  const config = configBySlug(wanted);
  if (config === null) return 'bad-settings';
  if (mustWait(context, wanted.index, request.receivedAtMs)) return 'too-many-new';
  return createBySlug(context, wanted.index, config, request);
}

/** A script that makes up slugs fills the project slowly, so that somebody sees it. */
function mustWait({ creations }: EngineContext, { project }: ProjectIndex, nowMs: number): boolean {
  return creations.take(project.id, nowMs) > 0;
}

/** Every answer is counted. */
function reply({ metrics }: EngineContext, { answer, who }: Asker, outcome: PingOutcome): void {
  metrics.pings[outcome].add();
  answer(outcome, who);
}

function eventOf(
  signal: Signal,
  { receivedAtMs, rid, host, searchable }: PingRequest,
  results: readonly Result[],
): CheckEvent {
  if (signal === 'log' || signal === 'ign') return { type: signal, atMs: receivedAtMs };
  // A person who pings has said what it means: no number is missing.
  return searchable.via === 'by-hand'
    ? { type: signal, atMs: receivedAtMs, rid, host }
    : { type: signal, atMs: receivedAtMs, rid, host, results };
}

/** The numbers of its address, and of an end those that the check's rules find in its output. */
function resultsOf(config: CheckConfig, signal: Signal, request: PingRequest): readonly Result[] {
  if (config.results === '' || !isEnd(signal)) return request.results;
  const { searchable, body, results } = request;
  const output = searchable.via === 'mail' ? searchable.texts : body;
  return findResults(readResultRules(config.results), results, output);
}

/** A success may be a failure, or a warning, by what is known of its run. */
function signalAfter(signal: Signal, step: RunStep | null): Signal {
  return signal === 'success' && (step?.event.type === 'fail' || step?.event.type === 'warn')
    ? step.event.type
    : signal;
}

interface Meaning {
  readonly signal: Signal;
  /** Of a check that tracks its runs. */
  readonly step: RunStep | null;
  readonly results: readonly Result[];
}

/** A run that ended with a warning, or one that overlaps another and must not be silent. */
function isWarning({ signal, step }: Meaning): boolean {
  return signal === 'warn' || (signal === 'start' && step?.note === 'overlap' && step.cause === null);
}

function journal(context: EngineContext, pending: PendingPing, meaning: Meaning, request: PingRequest): void {
  const { before } = pending;
  const { store } = context;
  const { signal, step } = meaning;
  const cause = step?.cause ?? (signal === 'fail' || signal === 'start' ? signal : 'success');
  const changes = changesBetween(before, pending.check, cause, request.receivedAtMs);
  const atMs = request.receivedAtMs;
  const outcome = outcomeOf(meaning, changes);
  const alerts = alertsOf(context, pending.handle, { before, changes, atMs, outcome });
  const { check, deliveries } = alerts;
  const warned = isWarning(meaning) ? warningAlerts(context, check, atMs) : noAlerts;
  const warnings = warned.deliveries;
  pending.check = check;
  pending.deliveries = warnings.length > 0 ? [...deliveries, ...warnings] : deliveries;
  const ping = pingOf(check, meaning, request);
  // The end of an acknowledgement, what is kept back, and the runs of the check are in the same batch.
  const isRow = hasRowChanged(before, check);
  const isGroup =
    isRow ||
    warnings.length > 0 ||
    warned.held.length > 0 ||
    alerts.incidents.length > 0 ||
    !deliveries.every(hasShortForm);
  if (isGroup) store.beginGroup();
  appendAlerts(context, warned, []);
  const own = appendAlerts(context, alerts, changes);
  appendEndings(context, check, step);
  store.append({ type: 'ping', check, ping, body: request.body, changes, deliveries: own }, pending);
  if (isRow) store.append({ type: 'check', check, changes: [] }, null);
  if (isGroup) store.endGroup();
  context.pendingDowns.appended(check, changes);
}

/** What a ping says of how its check is doing. A report of one host of several says neither. */
function outcomeOf({ signal, step }: Meaning, changes: readonly StatusChange[]): Outcome {
  if (changes.some(({ to }) => to === 'down') || signal === 'fail') return 'f';
  if (step?.event.type === 'report') return null;
  return signal === 'success' || signal === 'warn' ? 's' : null;
}

/** A ping that its check has taken and that waits for the journal. */
class PendingPing implements Waiter {
  readonly before: Check;
  /** The check after the ping. */
  check: Check;
  /** Deliveries of its status change. */
  deliveries: readonly Delivery[] = noDeliveries;
  readonly #context: EngineContext;
  readonly handle: number;
  readonly #created: boolean;
  readonly #asker: Asker;

  constructor(context: EngineContext, handle: number, before: Check, created: boolean, asker: Asker) {
    this.#context = context;
    this.handle = handle;
    this.before = before;
    this.check = context.registry.check(handle);
    this.#created = created;
    this.#asker = asker;
  }

  durable(): void {
    reply(this.#context, this.#asker, this.#created ? 'created' : 'ok');
    publishStep(this.#context, this.check, this.deliveries);
  }

  rolledBack(): void {
    this.#context.registry.replace(this.handle, this.before);
    this.#context.ticker.watch(this.handle);
    reply(this.#context, this.#asker, whyNotWritten(this.#context.store));
  }
}

function pingOf(check: Check, { signal, step, results }: Meaning, request: PingRequest): Ping {
  return {
    n: check.state.nPings,
    atMs: request.receivedAtMs,
    signal,
    scheme: request.scheme,
    remoteAddr: request.remoteAddr,
    method: request.method,
    ua: request.ua,
    byHand: request.searchable.via === 'by-hand',
    rid: request.rid,
    exitStatus: request.exitStatus,
    host: request.host,
    note: step?.note ?? null,
    figures: step?.figures ?? noFigures,
    about: step?.about ?? '',
    results,
    bodyBytes: request.body.length,
  };
}
