/**
 * One check as an XState actor, child of one root actor, so that all share one actor system. The logic wraps the
 * statechart, and the fast path is taken before it: a ping that leaves the status as it is renews the record alone,
 * and the actor hears of that with the next event that it has to decide.
 *
 * A check at rest is its record alone; the first event that the fast path cannot take starts the actor (an actor costs
 * 2 kB and some 10 µs to start; the record a tenth).
 * Not here: deadlines on the wheel, records in the journal.
 * Invariant: `check` is always the whole truth of this check, with or without an active actor.
 */
import { type ActorLogic, type ActorRefFrom, type AnyActor, createActor, createMachine } from 'xstate';
import type { Check } from '../domain/check.ts';
import { type CheckEvent, step } from '../domain/check-machine.ts';
import { fastStep } from '../domain/fast-path.ts';

/**
 * `restore` gives the actor the record it is to decide on: renewed by the fast path, or an older one when a commit
 * failed; `rest` ends it, since a child has no stop.
 */
type ActorEvent =
  | CheckEvent
  | { readonly type: 'restore'; readonly check: Check }
  | { readonly type: 'rest' };

interface ActorSnapshot {
  readonly status: 'active' | 'done';
  readonly output: undefined;
  readonly error: undefined;
  readonly check: Check;
  /** What the chart threw, a bug: kept, since an error inside a child would take the root down with it. */
  readonly thrown: unknown;
}

type CheckLogic = ActorLogic<ActorSnapshot, ActorEvent, Check>;

const checkLogic: CheckLogic = {
  transition(snapshot, event) {
    if (event.type === 'restore') return { ...snapshot, check: event.check };
    if (event.type === 'rest') return { ...snapshot, status: 'done' };
    try {
      const check = step(snapshot.check, event);
      return check === snapshot.check ? snapshot : { ...snapshot, check };
    } catch (thrown) {
      return { ...snapshot, thrown };
    }
  },
  getInitialSnapshot: (_scope, check) => ({
    status: 'active',
    output: undefined,
    error: undefined,
    check,
    thrown: undefined,
  }),
  getPersistedSnapshot: (snapshot) => snapshot,
};

/** The parent of all check actors: has no behaviour, only the actor system they share. */
export function createRootActor(): AnyActor {
  return createActor(createMachine({})).start();
}

export class CheckActor {
  /** Its place on the wheel. */
  readonly handle: number;
  #record: Check;
  #actor: ActorRefFrom<CheckLogic> | null = null;

  constructor(handle: number, check: Check) {
    this.handle = handle;
    this.#record = check;
  }

  get check(): Check {
    return this.#record;
  }

  get isActive(): boolean {
    return this.#actor !== null;
  }

  /** Takes `event` on the fast path. False: the actor must decide it. */
  sendFast(event: CheckEvent): boolean {
    const after = fastStep(this.#record, event);
    if (after === null) return false;
    this.#record = after;
    return true;
  }

  activate(root: AnyActor): void {
    this.#actor = createActor(checkLogic, { input: this.#record, parent: root }).start();
  }

  /** Sends `event` to the active actor; `check` shows the result at once. */
  send(event: CheckEvent): void {
    const actor = this.#actor;
    if (actor === null) throw new Error('invariant broken: an event was sent to a check at rest');
    if (actor.getSnapshot().check !== this.#record) actor.send({ type: 'restore', check: this.#record });
    actor.send(event);
    const snapshot = actor.getSnapshot();
    if (snapshot.thrown !== undefined) throw snapshot.thrown;
    this.#record = snapshot.check;
  }

  /** Goes back to `check`, a record this check had. */
  restore(check: Check): void {
    this.#record = check;
  }

  /** Ends the actor; the record stays. */
  passivate(): void {
    this.#actor?.send({ type: 'rest' });
    this.#actor = null;
  }
}
