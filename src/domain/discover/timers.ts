/**
 * Timers of systemd as jobs, and the drop-in of their service that makes it ping.
 * Invariant: no unit is changed: a drop-in is a file of its own, and deleting it undoes it.
 */
import { minute } from '../../lib/units.ts';
import { parseSchedule } from '../../schedule/schedule.ts';
import { checkSecondsMax, checkSecondsMin, commandTextMax } from '../limits.ts';
import {
  type FoundJob,
  type JobTimes,
  type LeftOut,
  type PingSettings,
  pingedBy,
  slugOfName,
} from './found-job.ts';
import { isOn, lastOf, spanS, type UnitSettings } from './unit-file.ts';

/** A timer with what it starts. */
export interface TimerUnit {
  /** `logrotate.timer` */
  readonly unit: string;
  readonly file: string;
  readonly settings: UnitSettings;
  /** Of the service; null where there is none. */
  readonly service: { readonly unit: string; readonly settings: UnitSettings } | null;
  /** Whether something wants it. */
  readonly isEnabled: boolean;
  /** The text of the drop-in; null where there is none. */
  readonly dropIn: string | null;
}

/** Where variables for pings are, which only root reads. */
export const pingVariablesFile = '/etc/knell/ping.env';

export function dropInOf(service: string): string {
  return `/etc/systemd/system/${service}.d/knell.conf`;
}

/** The service that a timer starts. */
export function serviceOf(unit: string, settings: UnitSettings): string {
  return lastOf(settings, 'Timer.Unit') ?? unit.replace(/\.timer$/, '.service');
}

/** `tz`: of the machine. */
export function jobOfTimer(timer: TimerUnit, tz: string): FoundJob | LeftOut {
  const { unit, file, settings, service, isEnabled, dropIn } = timer;
  const leave = (reason: string): LeftOut => ({ file, line: 0, text: unit, reason });
  if (unit.includes('@.')) return leave('A template: what is started of it is another unit');
  if (!isEnabled) return leave('Not enabled: nothing starts it');
  const times = timesOf(settings, tz);
  if (typeof times === 'string') return leave(times);
  if (service === null) return leave(`Its service ${serviceOf(unit, settings)} is missing`);
  const name = unit.replace(/\.timer$/, '');
  const commands = service.settings.get('Service.ExecStart') ?? [];
  const texts = [dropIn ?? '', ...commands, ...(service.settings.get('Service.ExecStopPost') ?? [])];
  return {
    source: 'timer',
    file,
    line: 0,
    name,
    plainSlug: slugOfName(name),
    times,
    delayS: delayOf(settings),
    user: lastOf(service.settings, 'Service.User') ?? 'root',
    command: (commands.at(-1) ?? '').replace(/^[-@:+!|]+/, '').slice(0, commandTextMax),
    mailto: null,
    pinged: texts.map(pingedBy).find((one) => one !== null) ?? null,
    hasDropIn: pingedBy(dropIn ?? '') !== null,
    remark: isOn(settings, 'Timer.Persistent') && 'schedule' in times ? persistentRemark : '',
    wrap: (slug, ping) => wrapped(service, slug, ping),
  };
}

/** Only those of OnCalendar are (systemd.timer(5)). */
const persistentRemark = 'A run that was missed while the machine was off comes after its start.';

/** A text is the reason why it has none. */
function timesOf(settings: UnitSettings, tz: string): JobTimes | string {
  const calendar = settings.get('Timer.OnCalendar') ?? [];
  if (calendar.length > 0) {
    const schedule = calendar.join('\n');
    const parsed = parseSchedule(schedule, tz);
    if (!parsed.ok) return `OnCalendar is not understood: ${parsed.error}`;
    // Five words of one line would be read as cron.
    return parsed.schedule.kind === 'oncalendar'
      ? { schedule, tz }
      : 'OnCalendar has five words, which would be read as cron';
  }
  const again = lastOf(settings, 'Timer.OnUnitActiveSec') ?? lastOf(settings, 'Timer.OnUnitInactiveSec');
  if (again === null) return 'Runs once after a start, not again and again';
  const seconds = spanS(again);
  if (seconds === null) return `"${again}" is no span of time`;
  if (seconds < checkSecondsMin || seconds > checkSecondsMax)
    return 'Its period is shorter than a minute, or longer than a year';
  return { timeoutS: Math.round(seconds) };
}

/** Seconds: what is random, and what systemd puts off to wake up once for several. */
function delayOf(settings: UnitSettings): number {
  const random = spanS(lastOf(settings, 'Timer.RandomizedDelaySec') ?? '') ?? 0;
  const accuracy = spanS(lastOf(settings, 'Timer.AccuracySec') ?? '') ?? minute / 1000;
  return Math.round(random + accuracy);
}

function wrapped(
  { unit, settings }: NonNullable<TimerUnit['service']>,
  slug: string,
  { program }: PingSettings,
): ReturnType<FoundJob['wrap']> {
  if (isOn(settings, 'Service.PrivateNetwork'))
    return 'Its service has no network (PrivateNetwork): ping from another one, by OnSuccess and OnFailure';
  if (/any/.test(lastOf(settings, 'Service.IPAddressDeny') ?? ''))
    return 'Its service may reach no address (IPAddressDeny): allow that of Knell first';
  const path = program.startsWith('/') ? program : `/usr/bin/env ${program}`;
  // A service whose ExecCondition is not met has not failed: it was skipped, and its check expects it as before.
  // Of a service that is sandboxed, + runs the ping outside: some sandboxes let no Node run.
  return {
    file: dropInOf(unit),
    text: `# Pings the check "${slug}" of Knell when the service starts and ends. Written by knell discover; to undo it, delete this file.
[Service]
EnvironmentFile=-${pingVariablesFile}
ExecStartPre=+-${path} ping ${slug} start
ExecStopPost=+-/bin/sh -c 'case "$$SERVICE_RESULT" in success) s=0;; exec-condition) s=log;; *) s=fail;; esac; exec ${program} ping ${slug} $$s --data "$$SERVICE_RESULT$\${EXIT_STATUS:+, status $$EXIT_STATUS}"'
`,
  };
}
