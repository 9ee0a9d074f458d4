/**
 * What became of a run, in one sentence, for all kinds of messages: it hung, was missed, overlapped another, or took another time
 * than it should.
 * Invariant: pure; empty for what is about no run, so that checks that do not track theirs are spoken of as ever.
 */

import { runLimitS } from '../../domain/check/run-state.ts';
import { noteWords } from '../../domain/runs/note-words.ts';
import { usualDuration } from '../../domain/runs/usual-duration.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { exactSpan, shortSpan } from '../../domain/words/span-words.ts';
import { timeText } from '../../domain/words/time-words.ts';
import { minute, second } from '../../lib/units.ts';
import type { Notice } from '../contract/channel.ts';

/** Without the point at its end it would be a title: it is a sentence. */
export function runText(notice: Notice): string {
  const { notificationKind, cause, ping, test } = notice;
  if (test || notificationKind === 'up' || notificationKind === 'late') return '';
  if (cause === 'hung') return hungText(notice);
  if (cause === 'missed') return missedText(notice);
  const note = ping?.note ?? null;
  if (cause === 'overlap' || (cause === 'warn' && note === 'overlap'))
    return 'A run started while another was still in flight.';
  if (cause !== 'fail' && cause !== 'warn') return '';
  if (note === 'result') return resultText(notice);
  if (note === null || notice.runMs === null) return '';
  const took = `The run took ${exactSpan(notice.runMs)}`;
  if (note === 'too-short')
    return `${took}; it should take at least ${shortSpan(notice.check.config.minRuntimeS * second)}.`;
  if (note !== 'unusually-short' && note !== 'unusually-long') return '';
  const usual = usualText(notice);
  return usual === '' ? `${took}, which is unusual.` : `${took}; ${usual}.`;
}

/** `files 0, usually 1,380–1,420.` */
function resultText({ ping }: Notice): string {
  return ping?.note === 'result' ? sentence(noteWords({ ...ping, note: ping.note }, String)) : '';
}

/** `it usually takes 34 min`; empty while that is not known. */
function usualText({ check }: Notice): string {
  const usual = usualDuration(check.runs?.durations ?? [], check.config.unusualFactor);
  return usual === null ? '' : `it usually takes ${exactSpan(Math.round(usual.medianMs))}`;
}

/** `Hung for 12 min: started 02:00 on db-1, may take 45 min; it usually takes 34 min.` */
function hungText(notice: Notice): string {
  const { endings, check, atMs, nowMs } = notice;
  const [ending] = endings;
  const overMs = (notice.over?.atMs ?? nowMs) - atMs;
  const hung = overMs < minute ? 'Hung' : `Hung for ${shortSpan(overMs)}`;
  if (ending === undefined || ending.startedMs === null) return `${hung}: a run did not end in time.`;
  const host = ending.host === '' ? '' : ` on ${ending.host}`;
  const limitS = ending.limitS === 0 ? runLimitS(check.config) : ending.limitS;
  const usual = usualText(notice);
  const more = endings.length > 1 ? ` ${endings.length - 1} more hung at that moment.` : '';
  const limit = `may take ${shortSpan(limitS * second)}`;
  return `${hung}: started ${timeText(ending.startedMs, notice)}${host}, ${limit}${usual === '' ? '' : `; ${usual}`}.${more}`;
}

/** `db-3 has not reported; 4 of 5 have.` */
function missedText({ endings, check }: Notice): string {
  const hosts = check.runs?.hosts ?? [];
  const missing = endings.map(({ host }) => host).filter((host) => host !== '');
  if (missing.length > 0) {
    const reported = hosts.filter(({ status }) => status !== 'missing').length;
    const verb = missing.length === 1 ? 'has' : 'have';
    return `${missing.join(', ')} ${verb} not reported; ${reported} of ${hosts.length} have.`;
  }
  const { expectedRuns, startGraceS } = check.config;
  if (expectedRuns > 1) return `${check.runs?.reports ?? 0} of ${expectedRuns} runs were reported in time.`;
  if (startGraceS > 0) return `No run started within ${shortSpan(startGraceS * second)} of its time.`;
  return 'No ping arrived in time.';
}
