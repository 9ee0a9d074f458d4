/** The schedules that most jobs have, one click each. Those by the clock have fields of their own for the time and the day. */

export type Preset =
  | { readonly kind: 'simple'; readonly timeoutS: number }
  | { readonly kind: 'cron' | 'oncalendar'; readonly schedule: string };

const presets: readonly (readonly [words: string, preset: Preset])[] = [
  ['Every 5 min', { kind: 'simple', timeoutS: 300 }],
  ['Hourly', { kind: 'simple', timeoutS: 3600 }],
  ['Daily at…', { kind: 'cron', schedule: '0 3 * * *' }],
  ['Weekly…', { kind: 'cron', schedule: '0 3 * * 1' }],
];

/** Who writes OnCalendar goes on in it. */
function asWritten(preset: Preset, now: Preset): Preset {
  if (preset.kind !== 'cron' || now.kind !== 'oncalendar') return preset;
  const clock = clockOf(preset.schedule);
  return clock === null ? preset : { kind: 'oncalendar', schedule: calendarOf(clock) };
}

interface PresetsProps {
  /** Whether only those by the clock are offered. */
  readonly isByClock?: boolean;
  /** What is set now: the preset that it is of is pressed, whatever its time and day. */
  readonly now: Preset;
  readonly apply: (preset: Preset) => void;
}

export function Presets({ isByClock = false, now, apply }: PresetsProps) {
  const offered = presets.filter(([, { kind }]) => !isByClock || kind !== 'simple');
  return (
    <fieldset class="chips" aria-label="Usual times">
      {offered.map(([words, preset]) => (
        <button
          key={words}
          type="button"
          class="chip"
          aria-pressed={isOf(preset, now)}
          onClick={() => apply(asWritten(preset, now))}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

function isOf(preset: Preset, now: Preset): boolean {
  if (preset.kind === 'simple') return now.kind === 'simple' && now.timeoutS === preset.timeoutS;
  if (now.kind === 'simple') return false;
  const [clock, other] = [clockOf(now.schedule), clockOf(preset.schedule)];
  return clock !== null && (clock.day === '*') === (other?.day === '*');
}

/** A time of every day (`*`), or of one day of the week. */
type Clock = Readonly<Record<'minute' | 'hour' | 'day', string>>;

const cronClock = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* (?<day>[0-7*])$/;
const calendarClock =
  /^(?:(?<name>sun|mon|tue|wed|thu|fri|sat)\w* )?(?:\*-\*-\* )?(?<hour>\d{1,2}):(?<minute>\d{2})(?::00)?$/i;

/** Returns null of an expression that says more than a time by the clock. */
function clockOf(expr: string): Clock | null {
  const found = cronClock.exec(expr.trim()) ?? calendarClock.exec(expr.trim());
  if (found === null) return null;
  const { minute = '', hour = '', day, name } = found.groups ?? {};
  if (Number(minute) > 59 || Number(hour) > 23) return null;
  const named = weekdays.findIndex((one) => name !== undefined && isShort(one, name));
  return { minute, hour, day: day ?? (named < 0 ? '*' : String(named)) };
}

function isShort(weekday: string, name: string): boolean {
  return weekday.slice(0, 3).toLowerCase() === name.toLowerCase();
}

function calendarOf({ minute, hour, day }: Clock): string {
  const name = day === '*' ? '' : `${weekdays[Number(day) % 7]?.slice(0, 3)} `;
  return `${name}${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/** In the notation that the expression has. */
function withClock(expr: string, clock: Clock): string {
  if (calendarClock.test(expr.trim())) return calendarOf(clock);
  return `${Number(clock.minute)} ${Number(clock.hour)} * * ${clock.day}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

interface ClockTimeProps {
  readonly expr: string;
  readonly change: (expr: string) => void;
}

/** The fields of a time by the clock. They show nothing where the expression says more than that. */
export function ClockTime({ expr, change }: ClockTimeProps) {
  const clock = clockOf(expr);
  if (!clock) return null;
  const { minute, hour, day } = clock;
  const timed = (value: string): void => {
    const [hours, minutes] = value.split(':');
    if (hours !== undefined && minutes !== undefined)
      change(withClock(expr, { minute: minutes, hour: hours, day }));
  };
  return (
    <div class="span">
      {day !== '*' && (
        <label>
          Day
          <select
            value={String(Number(day) % 7)}
            onChange={({ currentTarget: { value } }) => change(withClock(expr, { minute, hour, day: value }))}
          >
            {weekdays.map((name, at) => (
              <option key={name} value={at}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        At
        <input
          type="time"
          value={`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`}
          onInput={({ currentTarget: { value } }) => value !== '' && timed(value)}
        />
      </label>
    </div>
  );
}
