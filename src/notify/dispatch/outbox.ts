/**
 * The deliveries that are not over, in memory as in the store: every change goes through here and into the journal.
 * Not when anything is sent (`dispatch`).
 * A crash within the few milliseconds in which writes are gathered sends some deliveries again, with the same keys: no
 * worse than a crash between the response and its record.
 * Invariant: what the journal could not take because the disk was full is written again, as it is by then, until it is there.
 */
import { type Delivery, type DeliveryState, deliveryStates } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CheckId, DeliveryId } from '../../lib/ids.ts';
import type { DeliveryEnding, JournalRecord, Store } from '../../store/store.ts';
import { writtenPerTurn } from '../contract/limits.ts';
import { Turns } from './turns.ts';

interface OutboxOptions {
  readonly store: Pick<Store, 'append'>;
  /** Deliveries that are not over at the start. */
  readonly deliveries: readonly Delivery[];
  readonly clock: Clock;
  /** The pause before writing again what could not be written. */
  readonly rewriteMs: number;
  /**
   * Milliseconds that writes wait for each other, so that thousands of deliveries do not cause a sync for every few; 0: not at
   * all.
   */
  readonly gatherMs: number;
}

type LogRecord = Extract<JournalRecord, { type: 'notification' }>;

type OutboxWrite =
  | { readonly record: LogRecord }
  | { readonly record: JournalRecord; readonly id: DeliveryId; readonly ending: DeliveryEnding | null };

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #all = new Map<DeliveryId, Delivery>();
  /** Over, while the record of that waits to be written: until then no log has what became of them. */
  readonly #settling = new Map<DeliveryId, Delivery>();
  /** Kept up to date, as counting a hundred thousand would hold the event loop. */
  readonly #counts = new Map<DeliveryState, number>(deliveryStates.map((state) => [state, 0]));
  /** Changed since, and not on disk; how those that are over ended. */
  readonly #unwritten = new Map<DeliveryId, DeliveryEnding | null>();
  #unwrittenLog: LogRecord[] = [];
  /** Pending writes in order; written together. */
  #pending: OutboxWrite[] = [];
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    for (const delivery of options.deliveries) this.add(delivery);
  }

  close(): void {
    this.#writeAll();
    this.#isClosed = true;
  }

  get size(): number {
    return this.#all.size;
  }

  countOf(state: DeliveryState): number {
    return this.#counts.get(state) ?? 0;
  }

  all(): Iterable<Delivery> {
    return this.#all.values();
  }

  /**
   * All, and those that are over and of which no log says so yet: for those who read both, since a delivery that is in neither would look
   * as if it had never been.
   */
  *withSettling(): Generator<Delivery> {
    yield* this.#all.values();
    yield* this.#settling.values();
  }

  get(id: DeliveryId): Delivery | null {
    return this.#all.get(id) ?? null;
  }

  /** Adds a delivery of a status change that is durable: the change's record holds it already. */
  add(delivery: Delivery): void {
    this.#count(this.#all.get(delivery.id), -1);
    this.#settling.delete(delivery.id);
    this.#all.set(delivery.id, delivery);
    this.#count(delivery, 1);
  }

  /** A delivery as it is now. */
  put(delivery: Delivery): void {
    this.add(delivery);
    this.#enqueue({ record: { type: 'delivery', delivery }, id: delivery.id, ending: null });
  }

  /** Writes to the check's log, before the end of the delivery: a crash between the two sends it again, and logs it again. */
  log(checkId: CheckId, notification: SentNotification): void {
    this.#enqueue({ record: { type: 'notification', checkId, notification } });
  }

  end(id: DeliveryId, ending: DeliveryEnding): void {
    const delivery = this.#all.get(id);
    this.#count(delivery, -1);
    this.#all.delete(id);
    if (delivery) this.#settling.set(id, delivery);
    this.#enqueue({ record: { type: 'delivery-ended', id, ending }, id, ending });
  }

  #count(delivery: Delivery | undefined, change: 1 | -1): void {
    if (delivery) this.#counts.set(delivery.state, this.countOf(delivery.state) + change);
  }

  #enqueue(write: OutboxWrite): void {
    const { clock, gatherMs } = this.#options;
    if (this.#pending.length === 0 && gatherMs > 0) clock.after(gatherMs, () => this.#flush());
    this.#pending.push(write);
    if (gatherMs === 0) this.#writeAll();
  }

  /** The end of a message about thousands is a record of each: some in each turn of the event loop. */
  #flush(): void {
    const { clock } = this.#options;
    const turn = new Turns(clock, writtenPerTurn);
    let written = 0;
    for (const write of this.#pending) {
      if (turn.isOver()) break;
      this.#append(write);
      written++;
    }
    this.#pending.splice(0, written);
    if (this.#pending.length > 0) clock.after(0, () => this.#flush());
  }

  #writeAll(): void {
    for (const write of this.#pending.splice(0)) this.#append(write);
  }

  #append(write: OutboxWrite): void {
    if (this.#isClosed) return;
    const settling = 'id' in write && write.ending !== null ? this.#settling.get(write.id) : undefined;
    // From here on it is in the log, whose record goes before.
    if (settling) this.#settling.delete(settling.id);
    this.#options.store.append(write.record, {
      durable() {},
      rolledBack: () => {
        if (settling && !this.#all.has(settling.id)) this.#settling.set(settling.id, settling);
        this.#rolledBack(write);
      },
    });
  }

  #rolledBack(write: OutboxWrite): void {
    if (this.#unwritten.size === 0 && this.#unwrittenLog.length === 0)
      this.#options.clock.after(this.#options.rewriteMs, () => this.#writeAgain());
    if (!('id' in write)) {
      // The newest record of a batch is rolled back first.
      this.#unwrittenLog.unshift(write.record);
      return;
    }
    const { id, ending } = write;
    // An end is final, whichever record of the delivery is rolled back first, in this batch or in one before.
    if (ending !== null || !this.#unwritten.has(id)) this.#unwritten.set(id, ending);
  }

  #writeAgain(): void {
    const unwritten = [...this.#unwritten];
    const log = this.#unwrittenLog;
    this.#unwritten.clear();
    this.#unwrittenLog = [];
    for (const record of log) this.#append({ record });
    for (const [id, ending] of unwritten) {
      const delivery = this.#all.get(id);
      if (delivery) this.#append({ record: { type: 'delivery', delivery }, id, ending: null });
      else if (ending !== null) this.#append({ record: { type: 'delivery-ended', id, ending }, id, ending });
    }
  }
}
