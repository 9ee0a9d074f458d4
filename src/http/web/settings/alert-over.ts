/**
 * What the page of an alert says when the outage is over, and what becomes of a note that was being written meanwhile: it belongs
 * to the incident of that outage, resolved or not.
 * Invariant: a note is saved or shown back, never dropped without a word.
 */
import { type Incident, lastNote } from '../../../domain/alerting/incident.ts';
import type { Check } from '../../../domain/check/check.ts';
import { shortSpan } from '../../../domain/words/span-words.ts';
import { type Reader, timeText, untilText } from '../../../domain/words/time-words.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { alertChangesSearchedMax, alertIncidentsSearchedMax } from '../../limits.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type PlainLink, plainPage } from '../../wire/plain-page.ts';
import { endSnooze } from './alert-snoozes.ts';

/** The outage that an alert was about. */
export interface Outage {
  readonly check: Check;
  readonly name: string;
  /** When the check went down. */
  readonly atMs: number;
}

/** Returns the incident that the outage was in, open or resolved; null where none is found among the newest. */
export function incidentThen(read: EngineRead, { check, atMs }: Outage, nowMs: number): Incident | null {
  const newest = read.incidents(check.projectId, nowMs + 1, alertIncidentsSearchedMax);
  const since = newest.filter(
    ({ checks, resolvedMs }) =>
      (resolvedMs === 0 || resolvedMs >= atMs) && checks.some(({ id }) => id === check.id),
  );
  return since.at(-1) ?? null;
}

interface Over {
  readonly reader: Reader;
  /** Whether a note was given. */
  readonly isNoted: boolean;
  readonly link: PlainLink;
  /** One that goes on; null for none. `isOwn`: the reader has set it, and may end it here. */
  readonly snooze: { readonly by: string; readonly untilMs: number; readonly isOwn: boolean } | null;
  /** Whether the reader has just ended one. */
  readonly hasEnded: boolean;
  /** What the reader has just tried in vain, as a sentence; empty for nothing. */
  readonly undone: string;
}

export function overPage(read: EngineRead, outage: Outage, { link, ...over }: Over): HttpReply {
  const { reader, isNoted, snooze, undone } = over;
  const { check, name } = outage;
  const { status } = check.state;
  const incident = isNoted ? incidentThen(read, outage, reader.nowMs) : null;
  const note = incident && lastNote(incident);
  const noted = note ? `The note was saved in its incident: “${note.text}”` : '';
  const ended = endWords(read, outage, reader);
  const held = snoozeWords(over);
  const choices = snooze?.isOwn ? [endSnooze] : [];
  const said = (sentences: readonly string[]): string =>
    sentences.filter((sentence) => sentence !== '').join(' ');
  if (status === 'down') {
    const sinceMs = read.lastChange(check.id)?.atMs ?? 0;
    const since = sinceMs === 0 ? '' : `Down since ${timeText(sinceMs, reader)}.`;
    const now = 'To acknowledge or snooze it, use its newest alert, or its page.';
    return plainPage(200, {
      title: `${name} is down again`,
      look: 'down',
      text: said([undone, since, now, 'This alert is about an outage before.', ended, held, noted]),
      choices,
      link,
    });
  }
  const isLate = status === 'grace';
  return plainPage(200, {
    title: isLate ? `This is over, and ${name} is late` : 'This is over',
    ...(isLate ? { look: 'late' } : {}),
    text: said([
      undone,
      isLate ? `${name} was up again since this alert.` : `${name} is not down any more.`,
      ended,
      held,
      noted,
    ]),
    choices,
    link,
  });
}

/** A snooze goes on when its check comes up: the next outage would be silent. */
function snoozeWords({ snooze, hasEnded, reader }: Omit<Over, 'link'>): string {
  if (snooze)
    return `It is snoozed by ${snooze.by} until ${untilText(snooze.untilMs, reader)}: until then nothing is sent about it.`;
  return hasEnded ? 'The snooze has ended: its next outage is sent.' : '';
}

/** Nothing has an incident that could take the note: the reader gets it back. */
export function unsavedNote(name: string, note: string, link: PlainLink): HttpReply {
  return plainPage(409, {
    title: 'The note was not saved',
    text: `${name} is in no incident that could have it: “${note}”`,
    link,
  });
}

/** `It was down for 4 min, until 17:01 UTC+1.`; empty where it ended too long ago to be found. */
function endWords(read: EngineRead, { check, atMs }: Outage, reader: Reader): string {
  const range = { fromMs: atMs + 1, untilMs: reader.nowMs + 1 };
  const changes = read.changes(check.id, range, alertChangesSearchedMax);
  if (changes.length === alertChangesSearchedMax) return '';
  const end = changes.findLast(({ to }) => to !== 'down');
  if (!end) return '';
  return `It was down for ${shortSpan(end.atMs - atMs)}, until ${timeText(end.atMs, reader)}.`;
}
