/**
 * The path of one ping, a line a step, for both doors. From classification to the journal there is no await: what a
 * ping is taken to mean is decided on the very state that it changes.
 */

import type { Check } from '../domain/check.ts';
import { type CheckEvent, signalTaken } from '../domain/check-machine.ts';
import { classify } from '../domain/classify.ts';
import type { Ping, Signal } from '../domain/ping.ts';
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
  journal(rooms, { actor, before, signal, arrival, created, answer }); //    one durable batch, then the reply
}

interface Taken {
  readonly actor: CheckActor;
  readonly before: Check;
  readonly signal: Signal;
  readonly arrival: Arrival;
  readonly created: boolean;
  readonly answer: (outcome: PingOutcome) => void;
}

function eventOf(signal: Signal, { receivedAtMs, rid }: Arrival): CheckEvent {
  return signal === 'log' || signal === 'ign'
    ? { type: signal, atMs: receivedAtMs }
    : { type: signal, atMs: receivedAtMs, rid };
}

function journal(rooms: Rooms, taken: Taken): void {
  const { actor, before, signal, arrival, created, answer } = taken;
  const { check } = actor;
  const cause = signal === 'fail' || signal === 'start' ? signal : 'success';
  const changes = changesBetween(before, check, cause, arrival.receivedAtMs);
  const owed = owedFor(rooms, check, changes);
  rooms.store.append(
    { type: 'ping', check, ping: pingOf(check, signal, arrival), body: arrival.body, changes, owed },
    {
      durable() {
        answer(created ? 'created' : 'ok');
        rooms.touched(check);
        if (changes.length > 0) rooms.changed(owed);
      },
      takenBack() {
        actor.restore(before);
        rooms.ticker.watch(actor);
        answer('store-full');
      },
    },
  );
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
