/**
 * For how long the page of an alert snoozes: the same choices as on the page of the check.
 * Invariant: pure; times are said on the clock of the integration, with its zone.
 */
import { instantOf } from '../../../domain/runs/time-ranges.ts';
import { type Reader, untilText } from '../../../domain/words/time-words.ts';
import { day, hour } from '../../../lib/units.ts';
import { zoneClock } from '../../../schedule/schedule.ts';
import type { PlainChoice } from '../../wire/plain-page.ts';

/** On the clock of the integration. */
const morning = 9 * hour;

interface Snooze {
  untilMs(reader: Reader): number;
  /** Words of the button; absent for one that only pages and notifications of before have. */
  words?(reader: Reader): string;
}

const snoozes: Readonly<Record<string, Snooze>> = {
  'snooze-1h': { untilMs: ({ nowMs }) => nowMs + hour, words: () => 'Snooze for 1 hour' },
  'snooze-2h': { untilMs: ({ nowMs }) => nowMs + 2 * hour, words: () => 'Snooze for 2 hours' },
  'snooze-8h': { untilMs: ({ nowMs }) => nowMs + 8 * hour, words: () => 'Snooze for 8 hours' },
  'snooze-morning': {
    untilMs: nextMorning,
    words: (reader) => `Snooze until ${untilText(nextMorning(reader), reader)}`,
  },
  'snooze-1d': { untilMs: ({ nowMs }) => nowMs + day },
};

export const endSnooze: PlainChoice = { text: 'End the snooze', does: 'unsnooze', isQuiet: true };

export function snoozeChoices(reader: Reader): readonly PlainChoice[] {
  return Object.entries(snoozes).flatMap(([does, { words }]) =>
    words === undefined ? [] : [{ text: words(reader), does }],
  );
}

/** When the snooze that was chosen ends; null where none was. */
export function snoozeEnd(does: string, reader: Reader): number | null {
  const snooze = Object.hasOwn(snoozes, does) ? snoozes[does] : undefined;
  return snooze?.untilMs(reader) ?? null;
}

function nextMorning({ nowMs, timeZone }: Reader): number {
  const wallNow = nowMs + zoneClock(timeZone).spanAt(nowMs).offsetMs;
  const today = Math.floor(wallNow / day) * day + morning;
  return instantOf(wallNow < today ? today : today + day, timeZone);
}
