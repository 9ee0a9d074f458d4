/**
 * The path of one ping, a line a step, for both doors. From classification to the journal there is no await: what a
 * ping is taken to mean is decided on the very state that it changes.
 */

import type { Check } from '../domain/check.ts';
import { type CheckEvent, signalTaken } from '../domain/check-machine.ts';
import { classify } from '../domain/classify.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Ping, Signal } from '../domain/ping.ts';
import type { Waiter } from '../store/store.ts';
import { changesBetween, owedFor, settleDeadlines } from './accept-timeout.ts';
import type { CheckActor } from './check-actor.ts';
import { createBySlug } from './create-check.ts';
import type { Arrival, PingOutcome } from './engine.ts';
import { findTarget } from './find-target.ts';
import type { Rooms } from './rooms.ts';

export function acceptPing(rooms: Rooms, arrival: Arrival, answer: (outcome: PingOutcome) => void): void {
  const found = findTarget(rooms.registry, arrival.target); //               whose
  if (typeof found === 'string') {
    answer(found);
    return;
  }
  if (arrival.flaw !== null) {
    answer(arrival.flaw);
    return;
  }
  const created = found.actor === null;
  const actor = found.actor ?? createBySlug(rooms, found, arrival.receivedAtMs);
  settleDeadlines(rooms, actor, arrival.receivedAtMs); //                    what came due before it
  const before = actor.check;
  const signal = signalTaken(before, classify(before.config, arrival)); //   what is meant
  rooms.registry.send(actor, eventOf(signal, arrival)); //                   what it means
  rooms.ticker.watch(actor); //                                              when it is due next
  const taken = new TakenPing(rooms, actor, before, created, answer);
  journal(rooms, taken, signal, arrival); //                                 one durable batch, then the reply
}

function eventOf(signal: Signal, { receivedAtMs, rid }: Arrival): CheckEvent {
  return signal === 'log' || signal === 'ign'
    ? { type: signal, atMs: receivedAtMs }
    : { type: signal, atMs: receivedAtMs, rid };
}

function journal(rooms: Rooms, taken: TakenPing, signal: Signal, arrival: Arrival): void {
  const { before, check } = taken;
  const cause = signal === 'fail' || signal === 'start' ? signal : 'success';
  const changes = changesBetween(before, check, cause, arrival.receivedAtMs);
  const owed = owedFor(rooms, check, changes);
  if (changes.length > 0) taken.owed = owed;
  const ping = pingOf(check, signal, arrival);
  rooms.store.append({ type: 'ping', check, ping, body: arrival.body, changes, owed }, taken);
}

/** A ping whose check has taken it: waits for the journal. */
class TakenPing implements Waiter {
  readonly before: Check;
  readonly check: Check;
  /** What its status change owes; null when it changed none. */
  owed: readonly Delivery[] | null = null;
  readonly #rooms: Rooms;
  readonly #actor: CheckActor;
  readonly #created: boolean;
  readonly #answer: (outcome: PingOutcome) => void;

  constructor(
    rooms: Rooms,
    actor: CheckActor,
    before: Check,
    created: boolean,
    answer: (outcome: PingOutcome) => void,
  ) {
    this.#rooms = rooms;
    this.#actor = actor;
    this.before = before;
    this.check = actor.check;
    this.#created = created;
    this.#answer = answer;
  }

  durable(): void {
    this.#answer(this.#created ? 'created' : 'ok');
    this.#rooms.touched(this.check);
    if (this.owed !== null) this.#rooms.changed(this.owed);
  }

  rolledBack(): void {
    this.#actor.restore(this.before);
    this.#rooms.ticker.watch(this.#actor);
    this.#answer('store-full');
  }
}

function pingOf(check: Check, signal: Signal, arrival: Arrival): Ping {
  return {
    n: check.state.nPings,
    atMs: arrival.receivedAtMs,
    signal,
    scheme: arrival.scheme,
    remoteAddr: arrival.remoteAddr,
    method: arrival.method,
    ua: arrival.ua,
    rid: arrival.rid,
    exitStatus: arrival.exitStatus,
    bodyBytes: arrival.body.length,
  };
}
