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
          onClick={() => apply(preset)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

function isOf(preset: Preset, now: Preset): boolean {
  if (preset.kind === 'simple') return now.kind === 'simple' && now.timeoutS === preset.timeoutS;
  if (now.kind !== preset.kind) return false;
  const [clock, other] = [clockOf(now.schedule), clockOf(preset.schedule)];
  return clock !== null && (clock.day === '*') === (other?.day === '*');
}

/** Matches a time of every day, or of one day of the week. */
const byTheClock = /^(\d{1,2}) (\d{1,2}) \* \* ([0-7*])$/;

/** Returns null of an expression that says more than a time by the clock. */
function clockOf(expr: string): Readonly<Record<'minute' | 'hour' | 'day', string>> | null {
  const [found, minute = '', hour = '', day = ''] = byTheClock.exec(expr.trim()) ?? [];
  return found === undefined || Number(minute) > 59 || Number(hour) > 23 ? null : { minute, hour, day };
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
    const [hours, minutes] = value.split(':').map(Number);
    if (hours !== undefined && minutes !== undefined) change(`${minutes} ${hours} * * ${day}`);
  };
  return (
    <div class="span">
      {day !== '*' && (
        <label>
          Day
          <select
            value={String(Number(day) % 7)}
            onChange={({ currentTarget: { value } }) => change(`${minute} ${hour} * * ${value}`)}
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
