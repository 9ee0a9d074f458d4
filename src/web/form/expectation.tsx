/**
 * The fields that say when a ping is expected: a period, a cron expression or OnCalendar, with the next five times as one types.
 */

import { useLayoutEffect, useState } from 'preact/hooks';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { scheduleOfNickname } from '../../domain/crontab/nicknames.ts';
import { capital } from '../../domain/words/capital.ts';
import { isTimerLine } from '../../schedule/timer-line.ts';
import { fromRoot } from '../core/base-path.ts';
import { zoneName } from '../core/time-style.ts';
import { everyWords, spanWords } from '../core/words.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { errorAt, type FieldError, FieldErrorText, markedInvalid, noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { unitWord } from './optional-inputs.tsx';
import { ClockTime, type Preset, Presets } from './schedule-presets.tsx';
import { liveError, Preview, useSchedulePreview } from './schedule-preview.tsx';
import { zoneTyped } from './zone-typed.ts';

type Kind = 'simple' | 'cron' | 'oncalendar';

/** Of a new check. */
export const defaultGraceS = 3600;

const examples = { cron: '0 3 * * *', oncalendar: 'Mon..Fri 9:00' } as const;

function kindOf({ schedule }: Partial<ApiCheck>): Kind {
  if (schedule === undefined) return 'simple';
  return schedule.trim().split(/\s+/).length === 5 && !schedule.trim().includes('\n') ? 'cron' : 'oncalendar';
}

/** Says what is wrong if the expression is of the other kind than the one that was chosen; the expression itself shows its kind. */
export function otherKindWords(kind: Kind, expr: string): string {
  if (kind === 'simple' || expr.trim() === '') return '';
  if (expr.trim() === '@reboot') return '@reboot is at boot, not at a time: choose Interval.';
  if (isTimerLine(expr))
    return kind === 'cron' ? 'This is a line of a systemd timer: choose systemd OnCalendar.' : '';
  if (kindOf({ schedule: expr }) === kind) return '';
  if (kind === 'oncalendar') return 'Five fields are a cron expression: choose Cron.';
  if (expr.trim().includes('\n')) return 'A cron expression is one line.';
  const fields = scheduleOfNickname(expr.trim());
  if (fields !== null) return `Knell takes the five fields: ${expr.trim()} is ${fields}.`;
  const words = expr.trim().split(/\s+/);
  if (words.length > 5 && words.slice(0, 5).every(isCronField) && !words.slice(5).every(isCronField))
    return 'Leave out the command: a cron expression has only the five fields before it.';
  if (calendarLike.test(expr)) return 'This is an OnCalendar expression: choose systemd OnCalendar.';
  const count = words.length;
  return `${count} ${count === 1 ? 'field' : 'fields'}; cron has 5: minute, hour, day of month, month, weekday.`;
}

/** What no expression of cron has: a time, a range with dots, a date, or a word for how often. */
const calendarLike =
  /\d:\d|:\*|\.\.|\*-[\d*]|\d{4}-\d|^\s*(?:minutely|hourly|daily|weekly|monthly|quarterly|semiannually|yearly|annually)\b/i;

function isCronField(word: string): boolean {
  return /^(?:[\d*,/#?-]|\b[A-Z]{3}\b|L|W)+$/i.test(word);
}

interface ExpectationProps {
  readonly check: Partial<ApiCheck>;
  readonly invalid?: FieldError;
  /** Whether there is a grace time; the form of several checks leaves theirs as they are. */
  readonly hasGrace?: boolean;
  /** Whether its fields begin empty: of `check` only the kind and the zone are taken. */
  readonly isBlank?: boolean;
  /** Called when a usual time is chosen, which is no input of the form: what was wrong may be right now. */
  readonly changed?: () => void;
}

/** The fields of an expectation. What was typed of one kind is there again when one comes back to it. */
export function Expectation({
  check,
  invalid = noFieldError,
  hasGrace = true,
  isBlank = false,
  changed,
}: ExpectationProps) {
  const [kind, setKind] = useState<Kind>(kindOf(check));
  const [timeoutS, setTimeoutS] = useState(isBlank ? null : (check.timeout ?? 86_400));
  const [graceS, setGraceS] = useState(check.grace ?? defaultGraceS);
  const [wanting, setWanting] = useState<ReadonlySet<string>>(new Set(isBlank ? ['timeout'] : []));
  const typedAs = (name: string, set: (seconds: number) => void) => (seconds: number | null) => {
    setWanting((before) => changedBy(before, name, seconds === null));
    if (seconds !== null) set(seconds);
  };
  const isWrong = errorAt(invalid, 'timeout') !== '' || errorAt(invalid, 'grace') !== '';
  const [chosen, setChosen] = useState(0);
  const [tz, setTz] = useState(() => check.tz ?? zoneName());
  const [typed, setTyped] = useState<Readonly<Record<'cron' | 'oncalendar', string>>>(() => ({
    ...(isBlank ? { cron: '', oncalendar: '' } : examples),
    ...(check.schedule === undefined || isBlank ? {} : { [kindOf(check)]: check.schedule }),
  }));
  const choice = (value: Kind, text: string) => (
    <label class="tick">
      <input
        type="radio"
        name="kind"
        value={value}
        checked={kind === value}
        onChange={() => setKind(value)}
      />
      {text}
    </label>
  );
  const apply = (preset: Preset): void => {
    changed?.();
    setChosen(chosen + 1);
    setWanting(new Set());
    setKind(preset.kind);
    if (preset.kind === 'simple') {
      setTimeoutS(preset.timeoutS);
      // A longer one would be silent about several runs that did not come.
      if (graceS > preset.timeoutS) setGraceS(preset.timeoutS);
    } else setTyped({ ...typed, [preset.kind]: preset.schedule });
  };
  return (
    <fieldset>
      <legend>Schedule</legend>
      <Presets
        now={kind === 'simple' ? { kind, timeoutS: timeoutS ?? 0 } : { kind, schedule: typed[kind] }}
        apply={apply}
      />
      <div class="choices">
        {choice('simple', 'Interval')}
        {choice('cron', 'Cron')}
        {choice('oncalendar', 'systemd OnCalendar')}
      </div>
      {kind === 'simple' ? (
        <Span
          name="timeout"
          text={labels.timeout}
          seconds={timeoutS}
          invalid={invalid}
          chosen={chosen}
          typed={typedAs('timeout', setTimeoutS)}
        />
      ) : (
        <>
          <ClockTime expr={typed[kind]} change={(expr) => setTyped({ ...typed, [kind]: expr })} />
          <Schedule
            kind={kind}
            expr={typed[kind]}
            change={(expr) => setTyped({ ...typed, [kind]: expr })}
            tz={tz}
            changeZone={setTz}
            invalid={invalid}
          />
        </>
      )}
      {hasGrace && (
        <Span
          name="grace"
          text={`${labels.grace}: alert when a ping is late by more than`}
          seconds={graceS}
          invalid={invalid}
          chosen={chosen}
          typed={typedAs('grace', setGraceS)}
        />
      )}
      {/* Below both numbers that it is made of. */}
      {kind === 'simple' && (
        <p class="hint" aria-live="polite">
          {wanting.size === 0 && timeoutS !== null && !isWrong
            ? `${capital(everyWords(timeoutS))}.${hasGrace ? ` Down ${spanWords(timeoutS + graceS)} after the last ping.` : ''}`
            : wantedWords(wanting, invalid)}
        </p>
      )}
    </fieldset>
  );
}

/** Which of the two is no number yet; nothing where its field says more. */
function wantedWords(wanting: ReadonlySet<string>, invalid: FieldError): string {
  if (errorAt(invalid, 'timeout') !== '' || errorAt(invalid, 'grace') !== '') return '';
  return wanting.has('timeout') ? 'Enter an interval above 0.' : 'Enter a grace time above 0.';
}

/** The numbers that are none yet: without them there is nothing to say in words. */
function changedBy(wanting: ReadonlySet<string>, name: string, isWanting: boolean): ReadonlySet<string> {
  const others = [...wanting].filter((one) => one !== name);
  return new Set(isWanting ? [...others, name] : others);
}

const units = [
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
] as const;

interface SpanProps {
  readonly name: 'timeout' | 'grace';
  readonly text: string;
  /** Behind the text, of a field that may be empty; absent for one that may not. */
  readonly note?: string;
  /** Null for a field that begins empty. */
  readonly seconds: number | null;
  readonly invalid: FieldError;
  /** Another value each time that a usual time is chosen, which replaces what is typed. */
  readonly chosen?: number;
  /** Called with what is typed, as it is typed: what follows from it must not move the button that one presses next. Null for no number above 0. */
  readonly typed?: (seconds: number | null) => void;
}

/** What the field says: a number, or what is no number yet, of a unit of so many seconds. */
interface Draft {
  readonly count: string;
  readonly size: number;
}

function draftOf(seconds: number | null): Draft {
  const [, size] = units.findLast(([, length]) => (seconds ?? units[1][1]) % length === 0) ?? ['seconds', 1];
  return { count: seconds === null ? '' : String(seconds / size), size };
}

export function Span({ name, text, note, seconds, chosen = 0, invalid, typed }: SpanProps) {
  const [{ count, size }, setDraft] = useState(() => draftOf(seconds));
  // A usual time was chosen. What was typed stays as it is: a field that is replaced loses the focus, and the Enter that saves.
  useLayoutEffect(() => {
    if (seconds !== null && Number(count) * size !== seconds) setDraft(draftOf(seconds));
  }, [seconds, chosen]);
  const type = (next: Draft): void => {
    setDraft(next);
    typed?.(Number(next.count) > 0 ? Math.round(Number(next.count) * next.size) : null);
  };
  const words = (unit: string): string => unitWord(unit, Number(count));
  return (
    <>
      <div class="span">
        <label>
          {text} {note !== undefined && <FieldNote isOptional>{note}</FieldNote>}
          <input
            name={name}
            type="number"
            min={1}
            step="any"
            required={note === undefined}
            value={count}
            onInput={({ currentTarget: { value } }) => type({ count: value, size })}
            {...markedInvalid(name, invalid)}
          />
        </label>
        <select
          name={`${name}_unit`}
          aria-label={`Unit of: ${text}`}
          value={size}
          onChange={({ currentTarget: { value } }) => type({ count, size: Number(value) })}
        >
          {size === 1 && <option value="1">{words('seconds')}</option>}
          {units.map(([unit, length]) => (
            <option key={unit} value={length}>
              {words(unit)}
            </option>
          ))}
        </select>
      </div>
      <FieldErrorText name={name} invalid={invalid} />
    </>
  );
}

interface ScheduleProps {
  readonly kind: Kind;
  readonly expr: string;
  readonly change: (expr: string) => void;
  readonly tz: string;
  readonly changeZone: (tz: string) => void;
  readonly invalid: FieldError;
}

function Schedule({ kind, expr, change, tz, changeZone, invalid }: ScheduleProps) {
  const [preview = null, besides = null] = useSchedulePreview(expr, tz);
  // An empty field says by itself what it lacks.
  const isEmpty = expr.trim() === '';
  const live = isEmpty ? noFieldError : liveError(preview, otherKindWords(kind, expr));
  // What the server said of the last attempt is about the same expression: until that is another, it says less.
  const lives = [live, !isEmpty && besides?.ok === false ? liveError(besides, '') : noFieldError];
  const at = (name: 'schedule' | 'tz') => lives.find(({ field }) => field === name) ?? invalid;
  return (
    <>
      <label>
        {labels.schedule}
        <textarea
          name="schedule"
          rows={2}
          required
          value={expr}
          onInput={(event) => change(event.currentTarget.value)}
          {...markedInvalid('schedule', at('schedule'))}
        />
      </label>
      <FieldErrorText name="schedule" invalid={at('schedule')} isLive={errorAt(invalid, 'schedule') === ''} />
      <p class="hint">
        <a href={fromRoot(`/docs/schedules#${kind}`)} target="_blank" rel="noreferrer">
          Examples of {kind === 'cron' ? 'cron expressions' : 'OnCalendar'}
        </a>
      </p>
      <label>
        {labels.tz}
        <input
          name="tz"
          list="zones"
          value={tz}
          required
          onInput={(event) => changeZone(zoneTyped(event.currentTarget.value))}
          {...markedInvalid('tz', at('tz'))}
        />
      </label>
      <FieldErrorText name="tz" invalid={at('tz')} isLive={errorAt(invalid, 'tz') === ''} />
      <datalist id="zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Preview preview={preview} isWrong={isEmpty || live.error !== ''} expr={expr} tz={tz} />
    </>
  );
}
