/**
 * Ends a delivery, and records it: in the outbox, in its check's log, in the metrics, in the log. `dispatch` decides when
 * another attempt follows.
 * Invariant: every end but the drop of what nobody can read any more leaves its reason.
 */
import { type Delivery, isUntriedReminder } from '../../domain/deliveries/delivery.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { OutcomeRecorder } from './outcome-recorder.ts';
import type { UnsentEnd } from './still-due.ts';

export class Endings {
  readonly #options: DispatchOptions;
  readonly #recorder: OutcomeRecorder;

  constructor(options: DispatchOptions) {
    this.#options = options;
    const { sources } = options;
    this.#recorder = new OutcomeRecorder({
      ...options,
      check: (id) => sources.check(id),
      isThere: (id) => sources.statusOf(id) !== null,
      channel: (id) => sources.channel(id),
    });
  }

  /** `message`: the vendor's id of the message about its incident, where that can be updated later. */
  delivered(delivery: Delivery, message?: string): void {
    const { incident } = delivery;
    const attempts = delivery.attempts + 1;
    this.#recorder.count(delivery, 'delivered');
    this.#recorder.log({ delivery, outcome: 'delivered', attempts, error: '', incident, message });
    this.#options.outbox.end(delivery.id, 'delivered');
  }

  /** Ends a delivery without an attempt. */
  unsent(delivery: Delivery, end: Exclude<UnsentEnd, { kind: 'refused' }>): void {
    if (end.kind === 'dropped') this.#options.outbox.end(delivery.id, 'dropped');
    else this.superseded(delivery, end.error);
  }

  /** A reminder that is not needed any more leaves no trace: what it is about was delivered. */
  superseded(delivery: Delivery, error: string): void {
    if (isUntriedReminder(delivery)) {
      this.#options.outbox.end(delivery.id, 'dropped');
      return;
    }
    this.#recorder.count(delivery, 'superseded');
    this.#recorder.log({ delivery, outcome: 'superseded', attempts: delivery.attempts, error });
    const endedMs = this.#options.clock.nowMs();
    this.#options.outbox.put({ ...delivery, state: 'superseded', error, endedMs });
  }

  /** It waits, for a reason that belongs into the log. Reminders leave no trace. */
  held(delivery: Delivery, reason: string): void {
    if (isUntriedReminder(delivery)) return;
    this.#recorder.log({ delivery, outcome: 'held', attempts: delivery.attempts, error: reason });
  }

  givenUp(delivery: Delivery, error: string): void {
    const { clock, logger, outbox } = this.#options;
    const attempts = delivery.attempts + 1;
    this.#recorder.count(delivery, 'dead');
    this.#recorder.log({ delivery, outcome: 'failed', attempts, error });
    outbox.put({ ...delivery, attempts, state: 'dead', error, endedMs: clock.nowMs() });
    logger.error({ ...this.#recorder.fields(delivery), error }, 'notification failed, not retrying');
  }

  /** Does not end it: it waits again, as `again` says. */
  failed(delivery: Delivery, again: Delivery): void {
    const { logger, outbox } = this.#options;
    this.#recorder.count(delivery, 'failed');
    outbox.put(again);
    const { attempts, error } = again;
    logger.warn({ ...this.#recorder.fields(delivery), attempts, error }, 'notification failed, retrying');
  }
}
