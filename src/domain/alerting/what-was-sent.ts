/**
 * What an integration has got of an outage that goes on, and what follows it, in a sentence.
 * Invariant: pure; nothing is said of what was not tried yet: that is what its settings say.
 */
import { second } from '../../lib/units.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import type { StatusChange } from '../check/flip.ts';
import { isBlockedError } from '../deliveries/blocked-words.ts';
import { type Delivery, isEscalation, isUntriedReminder } from '../deliveries/delivery.ts';
import type { SentNotification } from '../deliveries/sent-notification.ts';
import { everySpan } from '../words/span-words.ts';
import { minuteWords } from './calendar-words.ts';

/** Of the latest change of a check, which went down by it. */
export interface SentOfOutage {
  /** The change by which it went down. */
  readonly change: StatusChange;
  /** What its log has, oldest first. */
  readonly log: readonly SentNotification[];
  /** What waits, to whichever integrations. */
  readonly waiting: readonly Delivery[];
}

/** What keeps reminders from everybody. */
export interface AfterAlert {
  /** It is snoozed, or its alerts are held back. */
  readonly isHeld: boolean;
  readonly isSnoozed: boolean;
  readonly isAcknowledged: boolean;
  readonly isMaintained: boolean;
}

/** Null for an integration of which nothing was sent or tried. */
export function sentWords(
  channel: Channel,
  { log, waiting }: SentOfOutage,
  after: AfterAlert,
): { readonly isNotified: boolean; readonly text: string } | null {
  const own = log.filter(({ channelId }) => channelId === channel.id);
  const first = own.find(({ outcome }) => outcome === 'delivered');
  if (first) {
    const text = `Notified at ${minuteWords(first.atMs)} UTC${afterWords(channel, after)}`;
    return { isNotified: true, text };
  }
  const next = waiting.find((one) => one.channelId === channel.id && !isUntriedReminder(one));
  if (next && next.attempts > 0 && !after.isSnoozed)
    return { isNotified: true, text: 'Not yet delivered: it is tried again.' };
  if (next && after.isAcknowledged && isEscalation(next, channel))
    return { isNotified: false, text: 'Not notified while it is acknowledged.' };
  const last = own.at(-1);
  if (next === undefined && !after.isHeld && last?.outcome === 'failed')
    return {
      isNotified: false,
      text: `Not notified: it failed, and is not tried again${untilWords(last.error)}.`,
    };
  return null;
}

/** Who allows a private address is offered to retry with it. */
function untilWords(error: string): string {
  return isBlockedError(error) ? ' until its address is allowed and it is retried' : '';
}

/**
 * Whether its outage has nothing for an integration, neither sent nor to be sent: alerts are created when it begins, for the
 * integrations and settings that there are by then.
 */
export function hasNothingFor({ id }: Channel, { log, waiting }: SentOfOutage): boolean {
  return ![...log, ...waiting].some(({ channelId }) => channelId === id);
}

function afterWords(
  channel: Channel,
  { isHeld, isSnoozed, isAcknowledged, isMaintained }: AfterAlert,
): string {
  if (isAcknowledged) return '; no more, since it is acknowledged.';
  // Its end notifies again those who were notified before it.
  if (isSnoozed) return ', and again after the snooze, if the check is still down.';
  const { repeatS } = settingsOf(channel);
  if (repeatS === 0) return '. No reminders: its settings ask for none.';
  const every = `. Reminders ${everySpan(repeatS * second)}`;
  if (isHeld) return `${every}, once nothing holds the alert back.`;
  return isMaintained ? `${every}, but not before the end of the maintenance.` : `${every}.`;
}
