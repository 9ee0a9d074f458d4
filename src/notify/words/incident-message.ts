/**
 * An incident of several checks in words: what a title calls it, what has happened since the message before, the checks as lines.
 * Invariant: pure; a message about one check is written as if there were no incident.
 */
import { sentence } from '../../domain/words/sentence.ts';
import { longSpan, shortSpan } from '../../domain/words/span-words.ts';
import { timeText } from '../../domain/words/time-words.ts';
import type { IncidentNotice, Notice } from '../contract/channel.ts';
import { escalationText } from './alert-words.ts';

type Line = readonly [label: string, value: string];

/** The incident, if it is more than its one check. */
export function manyOf({ incident, test }: Pick<Notice, 'incident' | 'test'>): IncidentNotice | null {
  return !test && incident && incident.total > 1 ? incident : null;
}

/** `db-1 and 11 more`: what is down, or was. */
export function incidentSubject(incident: IncidentNotice): string {
  const { name, down, up, downCount, held } = incident;
  const subject = downCount > 0 ? (down[0]?.name ?? name) : held > 0 ? (up[0] ?? name) : name;
  const others = subjectCount(incident) - 1;
  return others <= 0 ? subject : `${subject} and ${counted(others)} more`;
}

function subjectCount({ downCount, upCount, held, total }: IncidentNotice): number {
  if (downCount > 0) return downCount;
  return held > 0 ? Math.max(1, upCount) : total;
}

/** `is`, or `are`. */
export function incidentVerb(incident: IncidentNotice): string {
  return subjectCount(incident) === 1 ? 'is' : 'are';
}

/** What has happened since the message before, in a sentence or two. */
export function incidentHeadline(notice: Notice, incident: IncidentNotice): string {
  const { downCount, wentDown, up, upCount, total, openedMs, isReminder, held } = incident;
  if (held > 0)
    return `${sentence(`Up again: ${named(up, upCount)}`)} Alerts about ${counted(held)} more are held back.`;
  if (downCount === 0)
    return `All ${counted(total)} checks are up, after ${longSpan(notice.atMs - openedMs)}.`;
  const still = `${counted(downCount)} ${downCount === 1 ? 'is' : 'are'} down.`;
  const cameUp = upCount === 0 ? '' : `${sentence(`Up again: ${named(up, upCount)}`)} `;
  if (isReminder) return `${cameUp}Of ${counted(total)} checks, ${still.replace(' down', ' still down')}`;
  if (wentDown === 0) return `${cameUp}${still.replace(' down', ' still down')}`;
  const wereDown = Math.max(0, downCount - wentDown);
  const escalated = escalationText(notice.channel);
  if (escalated !== '') return `${cameUp}${escalated} ${still}`;
  if (wereDown === 0) return `${cameUp}${counted(downCount)} ${checks(downCount)} went down.`;
  return `${cameUp}${counted(wentDown)} more ${checks(wentDown)} went down; ${still}`;
}

/** The checks that are down, a line each. A name is in the value and not in the label, since `formats` escapes values only. */
export function incidentFacts(
  notice: Notice,
  { down, downCount, openedMs }: IncidentNotice,
): readonly Line[] {
  if (downCount === 0) return [];
  const lines = down.map(({ name, sinceMs, why }, place): Line => {
    const said = [name, `since ${timeText(sinceMs, notice)}`, why].filter((part) => part !== '');
    return [`Down ${place + 1}`, said.join(', ')];
  });
  const more = downCount - down.length;
  if (more > 0) lines.push(['And', `${counted(more)} more`]);
  const lastedMs = notice.nowMs - openedMs;
  return [...lines, ['Incident began', `${timeText(openedMs, notice)}, ${shortSpan(lastedMs)} ago`]];
}

function named(names: readonly string[], count: number): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${counted(more)} more` : names.join(', ');
}

function checks(count: number): string {
  return count === 1 ? 'check' : 'checks';
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
