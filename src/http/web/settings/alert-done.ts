/**
 * What the page of an alert says once somebody has acknowledged or snoozed there, or has taken that back.
 * Invariant: pure; nothing is said to be done that does not hold any more.
 */
import type { Check } from '../../../domain/check/check.ts';
import type { HoldReason } from '../../../domain/check/snooze.ts';
import { capital } from '../../../domain/words/capital.ts';
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
  /** Whether any of its integrations asks for reminders: where none does, none are said to stop or go on. */
  readonly hasReminders: boolean;
  /** 0 where it is not snoozed. */
  readonly snoozedUntilMs: number;
  /** What keeps alerts back beside a snooze; null for nothing. */
  readonly keptBack: KeptBack | null;
  readonly more: Pick<PlainPage, 'runbook' | 'note' | 'link'>;
}

/** Maintenance, or a setting of the check. */
export interface KeptBack {
  /** Such as `it is in maintenance`. */
  readonly words: string;
  /** Infinite where it does not end at a time. */
  readonly untilMs: number;
  /** Of an incident, whether it is so for all of its checks. */
  readonly isAll: boolean;
}

const heldWords: Readonly<Record<HoldReason, string>> = {
  maintenance: 'it is in maintenance',
  'parent-down': 'what it depends on is down',
  'parent-back': 'what it depends on has just come up',
  'awaiting-parent': 'what it depends on may be down, too',
  'alert-after': 'it has not failed often enough',
  'recover-after': 'it has not been well often enough',
  unstable: 'it changes all the time',
};

/** `maintainedUntilMs`: when its maintenance ends; 0 for none. Names no other check: the reader may not be notified of that. */
export function keptBackOf({ hold }: Pick<Check, 'hold'>, maintainedUntilMs: number): KeptBack | null {
  if (maintainedUntilMs > 0) return { words: heldWords.maintenance, untilMs: maintainedUntilMs, isAll: true };
  return hold ? { words: heldWords[hold.reason], untilMs: hold.untilMs, isAll: true } : null;
}

/** The same of the checks of an incident that are down: one for each, null for one of which nothing is kept back. */
export function keptBackIn(checks: readonly (KeptBack | null)[]): KeptBack | null {
  const kept = checks.filter((one) => one !== null);
  if (kept.length === 0) return null;
  const isAll = kept.length === checks.length;
  const isMaintenance = kept.every(({ words }) => words === heldWords.maintenance);
  const are = isMaintenance ? 'in maintenance' : 'kept back';
  const words = isAll
    ? `its checks are ${are}`
    : `${kept.length.toLocaleString('en-US')} of its checks ${kept.length === 1 ? 'is' : 'are'} ${are}`;
  return { words, untilMs: kept.reduce((last, { untilMs }) => Math.max(last, untilMs), 0), isAll };
}

/** Such as `it is in maintenance until 14:27 UTC`. */
export function keptBackWords({ words, untilMs }: KeptBack, reader: Reader): string {
  return Number.isFinite(untilMs) ? `${words} until ${untilText(untilMs, reader)}` : words;
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
    return plainPage(200, {
      title: 'Acknowledgement withdrawn',
      text: `${withdrawnWords(subject, reader)}${noted}`,
      choices: [
        ...(isDown ? [acknowledge] : []),
        ...(snoozedUntilMs > 0 ? [] : quietSnoozes(reader)),
        ...backOf(subject),
      ],
      ...more,
    });
  }
  if (snoozeEnd(does, reader) !== null && snoozedUntilMs > 0) return snoozedPage(subject, reader);
  if (does !== endSnooze.does || snoozedUntilMs > 0) return null;
  return plainPage(200, {
    title: 'Snooze ended',
    text: endedWords(subject, reader) + noted,
    choices: [...quietSnoozes(reader), ...(isDown && !isAcknowledged ? [acknowledge] : backOf(subject))],
    ...more,
  });
}

/** What has the most weight is another choice. */
function quietSnoozes(reader: Reader): readonly PlainChoice[] {
  return snoozeChoices(reader).map((one) => ({ ...one, isQuiet: true }));
}

function withdrawnWords({ snoozedUntilMs, keptBack, hasReminders }: Subject, reader: Reader): string {
  const now = 'It is no longer acknowledged';
  if (snoozedUntilMs > 0)
    return `${now}. Nothing is sent until ${untilText(snoozedUntilMs, reader)}, since it is snoozed.`;
  if (keptBack === null) return hasReminders ? `${now}: reminders go on.` : `${now}.`;
  const why = keptBackWords(keptBack, reader);
  if (!hasReminders) return `${now}. ${capital(why)}.`;
  return keptBack.isAll
    ? `${now}: no reminders are sent yet, since ${why}.`
    : `${now}: reminders go on, but ${why}.`;
}

/** Of an acknowledgement, where there would be reminders without it. */
function noReminders({ hasReminders }: Subject): string {
  return hasReminders ? ' No reminders until it is up again.' : '';
}

/** What is sent at the end of a snooze, which does not end maintenance. */
function endedWords(subject: Subject, reader: Reader): string {
  const { isAcknowledged, unsnoozed, keptBack } = subject;
  const why = keptBack && keptBackWords(keptBack, reader);
  const held = keptBack?.isAll ? `Nothing is sent about ${unsnoozed} yet: ${why}.` : '';
  const but = why === null || held !== '' ? '' : `, but ${why}`;
  if (isAcknowledged) {
    const still = `It is still acknowledged: only people who have not had the alert get it${but}.${noReminders(subject)}`;
    return held === '' ? still : `${held} ${still}`;
  }
  return held === ''
    ? `What is wrong with ${unsnoozed} is sent again${but}.`
    : `${held} What is still wrong after that is sent again.`;
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
    ? `It is acknowledged, too: after that, only people who have not had the alert get it.${noReminders(subject)}`
    : againWords(subject, reader);
  return plainPage(200, {
    title: `Snoozed until ${untilText(snoozedUntilMs, reader)}`,
    text: `Nothing is sent about ${snoozed} until then. ${then}${noted}`,
    choices: [...(isDown && !isAcknowledged ? [alsoAcknowledge] : []), ...backOf(subject)],
    ...more,
  });
}

/** Of what is kept back for longer than the snooze, the end of that counts. */
function againWords({ snoozedUntilMs, keptBack }: Subject, reader: Reader): string {
  if (keptBack === null || keptBack.untilMs <= snoozedUntilMs)
    return 'What is still wrong then is sent again.';
  const why = keptBackWords(keptBack, reader);
  if (!keptBack.isAll) return `What is still wrong then is sent again, but ${why}.`;
  return `${capital(why)}, too: what is still wrong after that is sent again.`;
}
