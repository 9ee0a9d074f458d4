/**
 * What the page of an alert says once somebody has acknowledged or snoozed there, or has taken that back.
 * Invariant: pure; nothing is said to be done that does not hold any more.
 */
import { type Reader, untilText } from '../../../domain/words/time-words.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type PlainChoice, type PlainPage, plainPage } from '../../wire/plain-page.ts';
import { endSnooze, snoozeChoices, snoozeEnd } from './alert-snoozes.ts';

export const withdraw: PlainChoice = {
  text: 'Withdraw acknowledgement',
  does: 'unacknowledge',
  isQuiet: true,
};

/** Changes nothing but the incident's timeline. */
export const saveNote: PlainChoice = { text: 'Save note', does: 'note' };

const alsoAcknowledge: PlainChoice = { text: 'Acknowledge, too', does: 'acknowledge', isQuiet: true };

const acknowledge: PlainChoice = { ...alsoAcknowledge, text: 'Acknowledge' };

/** The check or the incident that an alert is about, as it is now. */
export interface Subject {
  /** What is snoozed, in words, and what is not any more. */
  readonly snoozed: string;
  readonly unsnoozed: string;
  /** What an acknowledgement does. */
  readonly acknowledged: string;
  /** What became of the note that was given with it; absent where there was none. */
  readonly noted?: string;
  readonly isAcknowledged: boolean;
  /** Whether there is something to acknowledge: a check that is late is not down yet. */
  readonly isDown: boolean;
  /** 0 where it is not snoozed. */
  readonly snoozedUntilMs: number;
  readonly more: Pick<PlainPage, 'runbook' | 'note' | 'link'>;
}

/** Null for what is no action, or was undone since. */
export function donePage(subject: Subject, does: string, reader: Reader): HttpReply | null {
  const { isAcknowledged, isDown, snoozedUntilMs, noted = '', more } = subject;
  if (does === 'acknowledge' && isAcknowledged)
    return plainPage(200, {
      title: 'Acknowledged',
      text: subject.acknowledged + alsoSnoozed(subject, reader) + noted,
      choices: backOf(subject),
      ...more,
    });
  if (does === withdraw.does && !isAcknowledged) {
    const isSnoozed = snoozedUntilMs > 0;
    const then = isSnoozed ? `nothing is sent until ${untilText(snoozedUntilMs, reader)}` : 'reminders go on';
    return plainPage(200, {
      title: 'Acknowledgement withdrawn',
      text: `Nobody takes care of it now: ${then}${isSnoozed ? ', since it is snoozed' : ''}.${noted}`,
      choices: [...(isDown ? [acknowledge] : []), ...backOf(subject)],
      ...more,
    });
  }
  if (snoozeEnd(does, reader) !== null && snoozedUntilMs > 0) return snoozedPage(subject, reader);
  if (does !== endSnooze.does || snoozedUntilMs > 0) return null;
  const then = isAcknowledged
    ? 'It is still acknowledged: only people who have not had the alert get it. No reminders until it is up again.'
    : `What is wrong with ${subject.unsnoozed} is sent again.`;
  const again = snoozeChoices(reader).map((one) => ({ ...one, isQuiet: true }));
  return plainPage(200, {
    title: 'Snooze ended',
    text: then + noted,
    choices: [...again, ...(isDown && !isAcknowledged ? [acknowledge] : backOf(subject))],
    ...more,
  });
}

/** What takes back what holds. */
function backOf({ isAcknowledged, snoozedUntilMs }: Subject): readonly PlainChoice[] {
  return [...(isAcknowledged ? [withdraw] : []), ...(snoozedUntilMs > 0 ? [endSnooze] : [])];
}

/** An acknowledgement does not end a snooze: who has done both reads so. */
function alsoSnoozed({ snoozedUntilMs }: Subject, reader: Reader): string {
  return snoozedUntilMs === 0 ? '' : ` It is snoozed until ${untilText(snoozedUntilMs, reader)}, too.`;
}

function snoozedPage(subject: Subject, reader: Reader): HttpReply {
  const { snoozed, isAcknowledged, isDown, snoozedUntilMs, noted = '', more } = subject;
  const then = isAcknowledged
    ? 'It is acknowledged, too: after that, only people who have not had the alert get it. No reminders until it is up again.'
    : 'What is still wrong then is sent again.';
  return plainPage(200, {
    title: `Snoozed until ${untilText(snoozedUntilMs, reader)}`,
    text: `Nothing is sent about ${snoozed} until then. ${then}${noted}`,
    choices: [...(isDown && !isAcknowledged ? [alsoAcknowledge] : []), ...backOf(subject)],
    ...more,
  });
}
