/** When a ping is expected: a period, a cron expression or OnCalendar, with the next five times as one types. */
import { useEffect, useState } from 'preact/hooks';
import type { SchedulePreview } from '../domain/page-view.ts';
import type { ApiCheck } from './api-check.ts';
import { ask } from './door.ts';
import { exactTime, expressionWords } from './words.ts';

type Kind = 'simple' | 'cron' | 'oncalendar';

const examples = { cron: '0 3 * * *', oncalendar: 'Mon..Fri 9:00' } as const;

function kindOf({ schedule }: Partial<ApiCheck>): Kind {
  if (schedule === undefined) return 'simple';
  return schedule.trim().split(/\s+/).length === 5 && !schedule.trim().includes('\n') ? 'cron' : 'oncalendar';
}

export function Expectation({ check }: { readonly check: Partial<ApiCheck> }) {
  const [kind, setKind] = useState<Kind>(kindOf(check));
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
  return (
    <fieldset>
      <legend>Schedule</legend>
      <div class="choices">
        {choice('simple', 'Interval')}
        {choice('cron', 'Cron')}
        {choice('oncalendar', 'systemd OnCalendar')}
      </div>
      {kind === 'simple' ? (
        <Span name="timeout" text="Expect a ping every" seconds={check.timeout ?? 86_400} />
      ) : (
        <Schedule key={kind} first={check.schedule ?? examples[kind]} tz={check.tz ?? viewerZone()} />
      )}
      <Span
        name="grace"
        text="Grace time: alert when a ping is late by more than"
        seconds={check.grace ?? 3600}
      />
    </fieldset>
  );
}

/** Asked for when a form needs it: the first word with the browser's calendars takes a phone tens of milliseconds. */
function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

const units = [
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
] as const;

function Span({ name, text, seconds }: { name: string; text: string; seconds: number }) {
  const [, size] = units.findLast(([, length]) => seconds % length === 0) ?? ['seconds', 1];
  return (
    <div class="span">
      <label>
        {text}
        <input name={name} type="number" min={1} step="any" required defaultValue={String(seconds / size)} />
      </label>
      <select name={`${name}_unit`} aria-label={`Unit of: ${text}`}>
        {size === 1 && <option value="1">seconds</option>}
        {units.map(([unit, length]) => (
          <option key={unit} value={length} selected={length === size}>
            {unit}
          </option>
        ))}
      </select>
    </div>
  );
}

function Schedule({ first, tz: firstTz }: { readonly first: string; readonly tz: string }) {
  const [expr, setExpr] = useState(first);
  const [tz, setTz] = useState(firstTz);
  return (
    <>
      <label>
        Schedule
        <textarea
          name="schedule"
          rows={2}
          required
          maxLength={100}
          value={expr}
          onInput={(event) => setExpr(event.currentTarget.value)}
        />
      </label>
      <label>
        Time zone
        <input
          name="tz"
          list="zones"
          value={tz}
          required
          onInput={(event) => setTz(event.currentTarget.value)}
        />
      </label>
      <datalist id="zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Preview expr={expr} tz={tz} />
    </>
  );
}

const typingMs = 200;

function Preview({ expr, tz }: { readonly expr: string; readonly tz: string }) {
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  useEffect(() => {
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
  if (preview?.ok === false)
    return (
      <p class="problem preview" aria-live="polite">
        {preview.error}
      </p>
    );
  const words = preview ? expressionWords(preview.kind, expr).words : '';
  return (
    <div class="preview">
      <p aria-live="polite">{words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`}</p>
      <table>
        <caption>Next five runs</caption>
        <thead>
          <tr>
            <th scope="col">{tz}</th>
            <th scope="col">Your time ({viewerZone()})</th>
          </tr>
        </thead>
        <tbody>
          {(preview?.timesMs ?? []).map((atMs) => (
            <tr key={atMs}>
              <td>{inZone(atMs, tz)}</td>
              <td>{exactTime(atMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The browser may not know every zone that the server does. */
function inZone(atMs: number, tz: string): string {
  try {
    return exactTime(atMs, tz);
  } catch {
    return exactTime(atMs, 'UTC');
  }
}
