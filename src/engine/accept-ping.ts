/**
 * The path of one ping, a line a step, for both doors. From classification to the journal there is no await: what a
 * ping is taken to mean is decided on the very state that it changes.
 */
import type { Check } from '../domain/check.ts';
import { type CheckEvent, effectiveSignal } from '../domain/check-machine.ts';
import { classify } from '../domain/classify.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Ping, Signal } from '../domain/ping.ts';
import type { Waiter } from '../store/store.ts';
import { applyDueDeadlines } from './accept-timeout.ts';
import type { CheckActor } from './check-actor.ts';
import type { EngineContext } from './context.ts';
import { createBySlug } from './create-check.ts';
import type { PingOutcome, PingRequest } from './engine.ts';
import { findTarget } from './find-target.ts';
import type { ProjectIndex } from './project-index.ts';
import { changesBetween, deliveriesFor, noDeliveries, publishStep } from './status-changes.ts';

export function acceptPing(
  context: EngineContext,
  request: PingRequest,
  answer: (outcome: PingOutcome) => void,
): void {
  const found = findTarget(context.registry, request.target); //               whose
  if (typeof found === 'string') {
    reply(context, answer, found);
    return;
  }
  if (request.error !== null) {
    reply(context, answer, request.error);
    return;
  }
  const created = found.actor === null;
  if (found.actor === null && mustWait(context, found.index, request.receivedAtMs)) {
    reply(context, answer, 'too-many-new');
    return;
  }
  const actor = found.actor ?? createBySlug(context, found, request.receivedAtMs);
  applyDueDeadlines(context, actor, request.receivedAtMs); //                  what came due before it
  const before = actor.check;
  const signal = effectiveSignal(before, classify(before.config, request)); // what is meant
  context.registry.send(actor, eventOf(signal, request)); //                   what it means
  context.ticker.watch(actor); //                                              when it is due next
  const pending = new PendingPing(context, actor, before, created, answer);
  journal(context, pending, signal, request); //                               one durable batch, then the reply
}

/** A script that makes up slugs fills the project slowly, so that somebody sees it. */
function mustWait({ creations }: EngineContext, { project }: ProjectIndex, nowMs: number): boolean {
  return creations.take(project.id, nowMs) > 0;
}

/** The one place that answers, so that every answer is counted. */
function reply(
  { metrics }: EngineContext,
  answer: (outcome: PingOutcome) => void,
  outcome: PingOutcome,
): void {
  metrics.pings[outcome].add();
  answer(outcome);
}

function eventOf(signal: Signal, { receivedAtMs, rid }: PingRequest): CheckEvent {
  return signal === 'log' || signal === 'ign'
    ? { type: signal, atMs: receivedAtMs }
    : { type: signal, atMs: receivedAtMs, rid };
}

function journal(context: EngineContext, pending: PendingPing, signal: Signal, request: PingRequest): void {
  const { before, check } = pending;
  const cause = signal === 'fail' || signal === 'start' ? signal : 'success';
  const changes = changesBetween(before, check, cause, request.receivedAtMs);
  const deliveries = deliveriesFor(context, check, changes);
  pending.deliveries = deliveries;
  const ping = pingOf(check, signal, request);
  context.store.append({ type: 'ping', check, ping, body: request.body, changes, deliveries }, pending);
}

/** A ping that its check has taken and that waits for the journal. */
class PendingPing implements Waiter {
  readonly before: Check;
  readonly check: Check;
  /** Those of its status change. */
  deliveries: readonly Delivery[] = noDeliveries;
  readonly #context: EngineContext;
  readonly #actor: CheckActor;
  readonly #created: boolean;
  readonly #answer: (outcome: PingOutcome) => void;

  constructor(
    context: EngineContext,
    actor: CheckActor,
    before: Check,
    created: boolean,
    answer: (outcome: PingOutcome) => void,
  ) {
    this.#context = context;
    this.#actor = actor;
    this.before = before;
    this.check = actor.check;
    this.#created = created;
    this.#answer = answer;
  }

  durable(): void {
    reply(this.#context, this.#answer, this.#created ? 'created' : 'ok');
    publishStep(this.#context, this.check, this.deliveries);
  }

  rolledBack(): void {
    this.#context.registry.replaceRecord(this.#actor, this.before);
    this.#context.ticker.watch(this.#actor);
    reply(this.#context, this.#answer, 'store-full');
  }
}

function pingOf(check: Check, signal: Signal, request: PingRequest): Ping {
  return {
    n: check.state.nPings,
    atMs: request.receivedAtMs,
    signal,
    scheme: request.scheme,
    remoteAddr: request.remoteAddr,
    method: request.method,
    ua: request.ua,
    rid: request.rid,
    exitStatus: request.exitStatus,
    bodyBytes: request.body.length,
  };
}
