/**
 * One check as an XState actor, child of one root actor, so that all share one actor system. The logic wraps the
 * statechart: the steady path first, the chart for all else.
 *
 * A check at rest is its record alone: a steady ping renews the record, and the first event that the steady path
 * cannot take starts the actor (an actor costs 2 kB and some 10 µs to start; the record a tenth).
 * Not here: deadlines on the wheel, records in the journal.
 * Invariant: `check` is always the whole truth of this check, awake or at rest.
 */
import { type ActorLogic, type ActorRefFrom, type AnyActor, createActor, createMachine } from 'xstate';
import type { Check } from '../domain/check.ts';
import { type CheckEvent, step } from '../domain/check-machine.ts';
import { steadyStep } from '../domain/steady-path.ts';

/** `restore` goes back to an older snapshot when a commit failed; `rest` ends the actor, since a child has no stop. */
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
      const check = steadyStep(snapshot.check, event) ?? step(snapshot.check, event);
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

  get awake(): boolean {
    return this.#actor !== null;
  }

  /**
   * Takes `event` on the steady path while the check is at rest. False: the actor must be awake to decide it.
   */
  sendAtRest(event: CheckEvent): boolean {
    const after = steadyStep(this.#record, event);
    if (after === null) return false;
    this.#record = after;
    return true;
  }

  wake(root: AnyActor): void {
    this.#actor = createActor(checkLogic, { input: this.#record, parent: root }).start();
  }

  /** Lets an awake actor take `event`; `check` shows the result at once. */
  send(event: CheckEvent): void {
    this.#tell(event);
  }

  /** Goes back to `check`, a snapshot this actor had. */
  restore(check: Check): void {
    if (this.#actor === null) this.#record = check;
    else this.#tell({ type: 'restore', check });
  }

  /** Ends the actor; the record stays. */
  rest(): void {
    this.#actor?.send({ type: 'rest' });
    this.#actor = null;
  }

  #tell(event: ActorEvent): void {
    if (this.#actor === null) throw new Error('invariant broken: an event was sent to a check at rest');
    this.#actor.send(event);
    const snapshot = this.#actor.getSnapshot();
    if (snapshot.thrown !== undefined) throw snapshot.thrown;
    this.#record = snapshot.check;
  }
}
