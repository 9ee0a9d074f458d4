/**
 * Deliveries held against the model: none is lost, none is without cause, none is sent again once its end is on disk, and
 * those of one check to one integration keep their order. Looks at what receivers got and at the outbox as the owner sees
 * it. Invariant: throws at the first delivery that breaks a promise, naming it.
 */
import { type Delivery, isReminder } from '../../src/domain/deliveries/delivery.ts';
import type { Model } from './model.ts';
import type { ModelDelivery } from './model-alerts.ts';
import type { Names } from './names.ts';
import type { Attempt } from './receivers.ts';

/** An attempt, and what the outbox knew of its key when it came in. */
export interface KnownAttempt extends Attempt {
  readonly delivery: Delivery | null;
}

export interface AuditFacts {
  readonly model: Model;
  readonly attempts: readonly KnownAttempt[];
  readonly outbox: readonly Delivery[];
  readonly names: Names;
  readonly nowMs: number;
  /** Which start of Knell is running. */
  readonly start: number;
}

/** How long a good receiver may take, and a delivery to be sent. */
const slackMs = 1000;
/** Where the dispatcher may give up by itself. */
const attemptsMin = 10;

export class Audit {
  readonly #byKey = new Map<string, ModelDelivery>();
  readonly #keyed = new Set<ModelDelivery>();
  readonly #taken = new Set<ModelDelivery>();
  readonly #closed = new Set<ModelDelivery>();
  /** Taken, confirmed, and gone from the outbox: at the next look this must be on disk. */
  readonly #ended = new Set<string>();
  readonly #onDisk = new Set<string>();
  readonly #refused = new Set<string>();
  /** By key: attempts that failed, and those of which the record must be on disk. */
  readonly #failed = new Map<string, number>();
  readonly #failedOnDisk = new Map<string, number>();
  /** By integration: the start in which it last failed. */
  readonly #failedIn = new Map<string, number>();
  /** Keys under which a change was sent again while the check was down. */
  readonly #reminders = new Set<string>();
  /** By queue: the latest delivery that was taken, and which start of Knell sent it. */
  readonly #latest = new Map<string, { readonly delivery: ModelDelivery; readonly start: number }>();

  /** What ended until now is on disk: Knell has been quiet for long enough. */
  settled(): void {
    for (const key of this.#ended) this.#onDisk.add(key);
    this.#ended.clear();
    for (const [key, times] of this.#failed) this.#failedOnDisk.set(key, times);
  }

  /** Knell was killed: what had not settled may come again. */
  killed(): void {
    this.#ended.clear();
    this.#failed.clear();
    for (const [key, times] of this.#failedOnDisk) this.#failed.set(key, times);
  }

  look(facts: AuditFacts): void {
    for (const attempt of facts.attempts) this.#attempted(facts, attempt);
    const listed = new Map<ModelDelivery, Delivery[]>();
    for (const entry of facts.outbox) {
      const cause = this.#causeOf(facts.model, entry, facts.names);
      if (entry.attempts < (this.#failedOnDisk.get(entry.id) ?? 0))
        throw new Error(`a failed attempt was forgotten: ${entry.attempts} of ${shown(cause)}`);
      listed.set(cause, [...(listed.get(cause) ?? []), entry]);
    }
    for (const delivery of facts.model.deliveries) {
      if (!this.#closed.has(delivery)) this.#follow(facts, delivery, listed.get(delivery) ?? []);
    }
  }

  #attempted({ model, names, start }: AuditFacts, attempt: KnownAttempt): void {
    const { key, integration, check, delivery: known } = attempt;
    const text = `${key} to ${integration} of ${check} (${attempt.status})`;
    if (known === null) throw new Error(`an attempt that the outbox does not know: ${text}`);
    const delivery = this.#causeOf(model, known, names);
    if (delivery.integration !== integration || delivery.check !== check || !says(attempt.status, delivery))
      throw new Error(`an attempt says something else than its delivery: ${text}, ${shown(delivery)}`);
    this.#mustNotBeSilenced(model, attempt, delivery);
    if (this.#onDisk.has(key)) throw new Error(`sent again after its end was on disk: ${text}`);
    const queue = `${integration} ${check}`;
    const latest = this.#latest.get(queue);
    // After a restart, what the check is by then comes last, though it is older: what lies between is over.
    const { status, changes = [] } = model.checks.get(check) ?? {};
    const statusThen = changes.findLast(({ atMs }) => atMs <= attempt.atMs)?.to;
    const isNow = status === delivery.change.to || statusThen === delivery.change.to;
    // So does what is due at the end of a snooze, which is the latest by its date: the clock may have been set back.
    const isAgain = attempt.start !== latest?.start || delivery.endedMs !== null;
    if (isBefore(delivery, latest?.delivery) && !(isNow && isAgain))
      throw new Error(`sent after a later one: ${text}, ${shown(delivery)}`);
    if (attempt.refused) this.#refused.add(key);
    // What a Knell that was killed since had to record may be lost.
    if (attempt.start === start && attempt.isOver && !attempt.isConfirmed)
      this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
    if (!attempt.isConfirmed) this.#failedIn.set(integration, attempt.start);
    if (!attempt.took) return;
    this.#taken.add(delivery);
    this.#latest.set(queue, { delivery, start: attempt.start });
  }

  #mustNotBeSilenced(model: Model, attempt: KnownAttempt, delivery: ModelDelivery): void {
    const what = this.#silenceOf(model, attempt);
    if (what === 'everything')
      throw new Error(`sent though it is snoozed: ${attempt.key}, ${shown(delivery)}`);
    if (what === 'reminders')
      throw new Error(`reminded though it is acknowledged: ${attempt.key}, ${shown(delivery)}`);
  }

  /** What the model says must not be sent at the time of the attempt, and was; null for nothing. */
  #silenceOf(model: Model, { key, check, atMs }: KnownAttempt): 'everything' | 'reminders' | null {
    for (const { what, fromMs, untilMs } of model.checks.get(check)?.silences ?? []) {
      if (atMs <= fromMs || atMs >= untilMs) continue;
      if (what === 'everything' || this.#reminders.has(key)) return what;
    }
    return null;
  }

  /** How many of these attempts a Knell in this state would not have made. */
  silenced(model: Model, attempts: readonly KnownAttempt[]): number {
    return attempts.filter((attempt) => this.#silenceOf(model, attempt) !== null).length;
  }

  /** What is due after the end of a snooze is there though nobody has asked. `known`: when the deliveries that there are began. */
  mustHaveNoticed(model: Model, known: ReadonlySet<number>, beforeMs: number): void {
    for (const delivery of model.deliveries) {
      const { endedMs, sinceMs, isOptional, check, integration } = delivery;
      if (endedMs === null || endedMs >= beforeMs || isOptional || this.#keyed.has(delivery)) continue;
      const isGone = !model.checks.has(check) || !model.integrations.has(integration);
      if (!isGone && !known.has(sinceMs)) throw new Error(`the snooze has not ended: ${shown(delivery)}`);
    }
  }

  /**
   * The change that a delivery is of. Two of one check can be alike to the millisecond: then it is of the first without a key.
   * What a snooze has superseded within a delay, and what came at its end instead, are of one change and began with it.
   */
  #causeOf(
    model: Model,
    { id, checkId, channelId, change, sinceMs, error }: Delivery,
    names: Names,
  ): ModelDelivery {
    const known = this.#byKey.get(id);
    if (known) return known;
    const alike = alikeIn(model, { checkId, channelId, change }, names);
    const unkeyed = alike.filter((one) => one.sinceMs === sinceMs && !this.#keyed.has(one));
    const [first] = unkeyed;
    const fresh = isSnoozed(error) ? first : unkeyed.findLast(({ order }) => order === first?.order);
    const cause = fresh ?? this.#repeated(alike);
    if (!cause)
      throw new Error(
        `a delivery without cause: ${id} to ${names.of(channelId)} of ${names.of(checkId)}, ${JSON.stringify(change)}`,
      );
    if (!fresh) this.#reminders.add(id);
    this.#byKey.set(id, cause);
    this.#keyed.add(cause);
    return cause;
  }

  /** How many of the outbox, reminders aside, have no cause in this model: none where it is what has happened. */
  unexplained(model: Model, outbox: readonly Delivery[], names: Names): number {
    const isNew = (entry: Delivery): boolean => !this.#byKey.has(entry.id) && !isReminder(entry);
    return outbox.filter(
      (entry) =>
        isNew(entry) && !alikeIn(model, entry, names).some(({ sinceMs }) => sinceMs === entry.sinceMs),
    ).length;
  }

  /** A second key for a change that was taken: an integration that wants to be reminded. */
  #repeated(alike: readonly ModelDelivery[]): ModelDelivery | undefined {
    return alike.findLast((one) => one.kind === 'down' && this.#taken.has(one));
  }

  #follow(facts: AuditFacts, delivery: ModelDelivery, entries: readonly Delivery[]): void {
    const { model, nowMs, start } = facts;
    if (entries.some(({ state }) => state === 'waiting')) {
      const check = model.checks.get(delivery.check);
      // That it came up or is late waits for the end of a snooze, and is not looked at sooner where the check is deleted.
      if (delivery.kind !== 'down' && (!check || check.snooze)) return;
      const wokeMs = check?.snoozeEnds.at(-1)?.atMs ?? 0;
      const late = entries.find((entry) => this.#isIdle(entry, nowMs, wokeMs));
      const isWell = this.#failedIn.get(delivery.integration) !== start;
      if (late && isWell && !this.#taken.has(delivery)) throw new Error(`not sent: ${shown(delivery)}`);
      return;
    }
    this.#closed.add(delivery);
    if (this.#taken.has(delivery)) {
      for (const [key, cause] of this.#byKey) if (cause === delivery) this.#ended.add(key);
      return;
    }
    const [entry] = entries;
    const isGone = !model.integrations.has(delivery.integration) && !model.checks.has(delivery.check);
    if (!entry) {
      if (!isGone && !delivery.isOptional) throw new Error(`lost: ${shown(delivery)}`);
    } else if (entry.state === 'dead') this.#mustBeDead(model, delivery, entry);
    else this.#mustBeSuperseded(model, delivery, entry);
  }

  /** Due for some time, and nobody has tried. */
  #isIdle(
    { state, attempts, notBeforeMs, change, sinceMs }: Delivery,
    nowMs: number,
    wokeMs: number,
  ): boolean {
    const dueMs = Math.max(notBeforeMs, change.atMs, sinceMs, wokeMs);
    return state === 'waiting' && attempts === 0 && notBeforeMs === 0 && dueMs < nowMs - slackMs;
  }

  #mustBeDead(model: Model, delivery: ModelDelivery, entry: Delivery): void {
    const integration = model.integrations.get(delivery.integration);
    const gone = !integration || integration.disabled || !model.checks.has(delivery.check);
    if (gone || this.#refused.has(entry.id) || entry.attempts >= attemptsMin) return;
    if (/deleted|disabled|no valid URL/.test(entry.error)) return; // It was for a while.
    throw new Error(`given up without reason: ${shown(delivery)}, ${entry.error}`);
  }

  /** A later one has come, or what was put off is true no more. */
  #mustBeSuperseded(model: Model, delivery: ModelDelivery, entry: Delivery): void {
    const { integration, check, order, kind } = delivery;
    if (kind === 'down' && isSnoozed(entry.error) && wasSnoozedAfter(model, delivery)) return;
    const queue = model.deliveries.filter((one) => one.integration === integration && one.check === check);
    // Or one that is dated no earlier, which is all that a restart can go by: the clock may have been set back, and a run that
    // is over its time takes a check down twice at one instant.
    const hasLater = queue.some(
      (one) => one.order > order || (one !== delivery && one.change.atMs >= delivery.change.atMs),
    );
    const found = model.checks.get(check);
    const movedOn = found === undefined || found.changes.length > order + 1;
    // What a restart found to be so by then comes last, though it is older: what lies between is over.
    const by = /^the check was (\w+) before/.exec(entry.error)?.[1];
    if (movedOn && queue.some((one) => one !== delivery && one.change.to === by)) return;
    const putOff = kind === 'late' || /delay|by the time/.test(entry.error);
    if (hasLater || (putOff && (movedOn || kind === 'up'))) return;
    throw new Error(
      `superseded by nothing: ${shown(delivery)}, ${entry.error}; of ${queue.map(shown).join('; ')}`,
    );
  }
}

function isSnoozed(error: string): boolean {
  return error.startsWith('snoozed until ');
}

/** Where it still was so when that was over, there is another delivery. */
function wasSnoozedAfter({ checks }: Model, { check, order }: ModelDelivery): boolean {
  const found = checks.get(check);
  if (!found) return true;
  return [...found.snoozeEnds.map(({ snooze }) => snooze), found.snooze].some(
    (snooze) => snooze !== null && snooze.order > order,
  );
}

/** By the order in which they happened and by their dates: after a restart, dates are all there is to go by. */
function isBefore(one: ModelDelivery, other: ModelDelivery | undefined): boolean {
  return other !== undefined && one.order < other.order && one.change.atMs < other.change.atMs;
}

function says(status: string, { kind }: ModelDelivery): boolean {
  return status === (kind === 'late' ? 'grace' : kind);
}

function alikeIn(
  { deliveries }: Model,
  { checkId, channelId, change }: Pick<Delivery, 'checkId' | 'channelId' | 'change'>,
  names: Names,
): readonly ModelDelivery[] {
  return deliveries.filter(
    (one) =>
      one.check === names.of(checkId) &&
      one.integration === names.of(channelId) &&
      one.change.atMs === change.atMs &&
      one.change.from === change.from &&
      one.change.to === change.to,
  );
}

function shown({ integration, check, kind, change, sinceMs }: ModelDelivery): string {
  return `${kind} of ${check} to ${integration} since ${sinceMs}, ${JSON.stringify(change)}`;
}
