/**
 * Which notifications that were given up are no longer true: the alert of an outage that is over, whose end was sent, or is not to be.
 * Where an outage ended, and whether its check has been up since.
 * Invariant: pure; what is kept of one check to one integration ends with what the check is.
 */
import type { Status } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import { type Delivery, isReminder, notificationKindOf, statusOf } from './delivery.ts';

/** A check as it is by now. */
export interface CheckByNow {
  readonly status: Status;
  /** Its status changes from then on, newest first. */
  changesFrom(atMs: number): readonly StatusChange[];
}

export interface OutageEnd {
  readonly atMs: number;
  /** When the check went down again first; null: it has not. */
  readonly againMs: number | null;
  /** It came up, and is up. */
  readonly isUpSince: boolean;
}

/** The end of the outage that began with `change`; null while it lasts. */
export function outageEnd({ atMs, to }: StatusChange, check: CheckByNow): OutageEnd | null {
  const oldestFirst = check.changesFrom(atMs).toReversed();
  const own = oldestFirst.findIndex((one) => one.atMs === atMs && one.to === to);
  const later = oldestFirst.slice(own + 1).filter((one) => own >= 0 || one.atMs > atMs);
  const at = later.findIndex((one) => one.to !== 'down');
  const end = later[at];
  if (end === undefined) return check.status === 'down' ? null : { atMs, againMs: null, isUpSince: false };
  const since = later.slice(at + 1);
  const again = since.find((one) => one.to === 'down');
  const isUp = check.status === 'up' || check.status === 'grace';
  const isUpSince = isUp && [end, ...since].every((one) => one.to === 'up' || one.to === 'grace');
  return { atMs: end.atMs, againMs: again?.atMs ?? null, isUpSince };
}

/** Of those of one check to one integration that are not over. A reminder of an outage that is over is of no use, whatever follows it. */
export function outdatedOf(deliveries: readonly Delivery[], check: CheckByNow): readonly Delivery[] {
  const ups = deliveries.filter(({ change }) => notificationKindOf(change) === 'up');
  const endOf = (one: Delivery): OutageEnd | null => outageEnd(one.change, check);
  const isOver = (one: Delivery): boolean => check.status !== 'down' || endOf(one) !== null;
  const isOfNow = (one: Delivery): boolean => notificationKindOf(one.change) === 'down' && !isOver(one);
  // That it was up is untrue, unless it is followed by that it is down.
  const upsAreTrue = ups.length === 0 || check.status !== 'down' || deliveries.some(isOfNow);
  const isOutdated = (one: Delivery): boolean => {
    const kind = notificationKindOf(one.change);
    if (one.state !== 'dead' || kind === 'warning') return false;
    if (kind === 'up') return !upsAreTrue;
    if (kind !== 'down') return kind === null || check.status !== statusOf(kind);
    if (!isOver(one)) return false;
    if (isReminder(one) || !upsAreTrue || ups.length === 0) return true;
    const end = endOf(one);
    return end !== null && !ups.some(({ change }) => isWithin(change.atMs, end));
  };
  return deliveries.filter(isOutdated);
}

/**
 * Of those of one check to one integration that were given up, the alerts of which a newer one of the same outage is sent with them: one
 * was created anew at the end of a snooze.
 */
export function replacedOf(deliveries: readonly Delivery[]): readonly Delivery[] {
  const downs = deliveries.filter(isTriedDown);
  return downs.filter(
    (one, at) =>
      one.state === 'dead' &&
      downs.some(
        (other, otherAt) =>
          other.change.atMs === one.change.atMs &&
          (other.sinceMs > one.sinceMs || (other.sinceMs === one.sinceMs && otherAt > at)),
      ),
  );
}

function isTriedDown({ change, state, attempts }: Delivery): boolean {
  const isTried = state === 'dead' || (state === 'waiting' && attempts > 0);
  return isTried && notificationKindOf(change) === 'down';
}

function isWithin(atMs: number, { atMs: fromMs, againMs }: OutageEnd): boolean {
  return atMs >= fromMs && (againMs === null || atMs <= againMs);
}
