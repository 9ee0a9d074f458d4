/** What a schedule comes to while one types: what is wrong with it and at which field, or its words and its next five times. */
import { useEffect, useState } from 'preact/hooks';
import type { SchedulePreview } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { largeStepWords } from '../../domain/words/step-words.ts';
import { ask } from '../core/calls.ts';
import { isReadersZone, zoneName } from '../core/time-style.ts';
import { expressionWords, runTime } from '../core/words.ts';
import { type FieldError, noFieldError } from '../ui/field-error.tsx';

const typingMs = 200;

const isOfZone = /^unknown time zone/;

/** Null until the server has answered, and while it cannot be reached. With an unknown zone, what is wrong besides that is asked, too. */
export function useSchedulePreview(expr: string, tz: string): readonly (SchedulePreview | null)[] {
  const preview = useAnswer(expr, tz);
  const isUnknown = preview?.ok === false && isOfZone.test(preview.error);
  const besides = useAnswer(isUnknown ? expr : null, 'UTC');
  return [preview, isUnknown ? besides : null];
}

/** Nothing is asked for null. */
function useAnswer(expr: string | null, tz: string): SchedulePreview | null {
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  useEffect(() => {
    if (expr === null) return setPreview(null);
    let current = true;
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ expr, tz });
      ask<SchedulePreview>(`/web/schedule?${query}`).then(
        (answer) => current && setPreview(answer),
        () => current && setPreview(null),
      );
    }, typingMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [expr, tz]);
  return preview;
}

/** Of an expression that is valid. It can be saved: a check whose only time is over may be changed in other ways. */
const neverWords = 'It does not occur again: no ping would ever be expected, and no alert sent.';

/** What is wrong, at its field. `otherKind`: what is wrong with the expression before anything is asked. */
export function liveError(preview: SchedulePreview | null, otherKind: string): FieldError {
  if (otherKind !== '') return { field: 'schedule', error: otherKind };
  if (preview === null) return noFieldError;
  if (preview.ok) return preview.timesMs.length > 0 ? noFieldError : { field: 'schedule', error: neverWords };
  if (isOfZone.test(preview.error))
    return { field: 'tz', error: 'Unknown time zone. Choose one from the list, such as Europe/Berlin.' };
  return { field: 'schedule', error: `${capital(calendarWords(preview.error))}.` };
}

/** Where a kind is chosen, an expression that is neither is said to be no OnCalendar: what cron lacks is said of cron. */
export function calendarWords(error: string): string {
  return error.replace(/write five fields of cron, as in .*, or OnCalendar, as in/, 'write a time, as in');
}

/** Of an expression that cannot be said shortly and rightly. */
const unsaidWords = 'This schedule has no short description: see its next runs.';

interface PreviewProps {
  readonly preview: SchedulePreview | null;
  readonly isWrong: boolean;
  readonly expr: string;
  readonly tz: string;
}

/** It has its space whatever is typed, so that nothing below moves. */
export function Preview({ preview, isWrong, expr, tz }: PreviewProps) {
  if (isWrong)
    return (
      <p class="preview none faint">
        The next five runs are here once the schedule and its time zone are right.
      </p>
    );
  const isOwn = isReadersZone(tz);
  const { words, zone } = preview?.ok ? expressionWords(preview.kind, expr) : { words: '', zone: '' };
  const steps = preview?.ok && preview.kind === 'cron' ? largeStepWords(expr) : '';
  return (
    <div class="preview">
      <p aria-live="polite">
        {words ? `${capital(words)}${zone === '' ? '' : ` (${zone})`}.` : preview?.ok && unsaidWords}
        {steps !== '' && <span class="hint warned"> {steps}.</span>}
      </p>
      <table>
        <caption>Next five runs</caption>
        <thead>
          <tr>
            <th scope="col">{tz}</th>
            {!isOwn && <th scope="col">Your time ({zoneName()})</th>}
          </tr>
        </thead>
        <tbody>
          {(preview?.ok ? preview.timesMs : []).map((atMs, index) => (
            <tr key={atMs}>
              <td>
                {inZone(atMs, tz)}
                <ClockNote text={preview?.ok ? (preview.notes[index] ?? '') : ''} />
              </td>
              {!isOwn && <td>{runTime(atMs)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What daylight saving does to a time. */
function ClockNote({ text }: { readonly text: string }) {
  return text === '' ? null : <p class="hint">{text}</p>;
}

/** Shows a time in a zone. The browser may not know every zone that the server does. */
function inZone(atMs: number, tz: string): string {
  try {
    return runTime(atMs, tz);
  } catch {
    return runTime(atMs, 'UTC');
  }
}
