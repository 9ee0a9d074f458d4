/**
 * Jobs in manifests: CronJobs of Kubernetes, workflows of GitHub Actions, pipeline schedules of GitLab as its API lists them.
 * They come as parsed YAML or JSON.
 * Invariant: pure; whatever comes is a job, has a reason, or is of no kind that is known here.
 */
import { canonicalTimeZone, detectKind, parseSchedule } from '../../schedule/schedule.ts';
import { scheduleOfNickname } from '../crontab/nicknames.ts';
import { checkSecondsMax, checkSecondsMin, manifestJobsMax } from '../limits.ts';
import {
  type Discovery,
  type FoundJob,
  type JobSource,
  type JobTimes,
  type LeftOut,
  slugOfName,
} from './found-job.ts';

type Plain = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapAt(value: unknown, ...path: readonly string[]): Plain {
  let at: unknown = value;
  for (const name of path) at = isMap(at) ? at[name] : undefined;
  return isMap(at) ? at : {};
}

function textAt(value: Plain, name: string): string {
  const found = value[name];
  return typeof found === 'string' ? found : '';
}

function secondsAt(value: Plain, name: string): number {
  const found = value[name];
  return typeof found === 'number' && Number.isFinite(found) && found > 0 ? Math.round(found) : 0;
}

/** Null for what is none of these. `documents`: of one file. */
export function jobsOfManifests(file: string, documents: readonly unknown[]): Discovery | null {
  const read = documents.map((document) => jobsOfDocument(file, document));
  if (read.every((one) => one === null)) return null;
  const all = read.filter((one) => one !== null);
  const jobs = all.flatMap((one) => one.jobs);
  const tooMany = jobs.slice(manifestJobsMax).map(
    ({ name }): LeftOut => ({
      file,
      line: 0,
      text: name,
      reason: `The file has more than ${manifestJobsMax} jobs: split it`,
    }),
  );
  return {
    jobs: jobs.slice(0, manifestJobsMax),
    leftOut: [...all.flatMap(({ leftOut }) => leftOut), ...tooMany],
  };
}

function jobsOfDocument(file: string, document: unknown): Discovery | null {
  if (Array.isArray(document))
    return document.some((item) => isMap(item) && 'cron' in item && 'ref' in item)
      ? gathered(document.filter(isMap).map((item) => gitlabJob(file, item)))
      : null;
  if (!isMap(document)) return null;
  const { kind, items, apiVersion } = document;
  if (kind === 'CronJob') return gathered([cronJob(file, document)]);
  if (typeof apiVersion === 'string' && Array.isArray(items))
    return gathered(
      items
        .filter((item) => isMap(item) && (item.kind === undefined || item.kind === 'CronJob'))
        .map((item) => cronJob(file, item)),
    );
  // Other objects of the cluster are beside them in one file.
  if (typeof apiVersion === 'string' && typeof kind === 'string') return { jobs: [], leftOut: [] };
  return 'on' in document && 'jobs' in document ? workflowJobs(file, document) : null;
}

function gathered(found: readonly (FoundJob | LeftOut)[]): Discovery {
  return {
    jobs: found.filter((one): one is FoundJob => 'times' in one),
    leftOut: found.filter((one): one is LeftOut => 'reason' in one),
  };
}

interface Part {
  readonly source: JobSource;
  readonly file: string;
  readonly name: string;
  readonly slugFrom: string;
  readonly cron: string;
  readonly tz: string;
  readonly delayS: number;
  readonly command: string;
  readonly advice: string;
}

function jobFrom({
  source,
  file,
  name,
  slugFrom,
  cron,
  tz,
  delayS,
  command,
  advice,
}: Part): FoundJob | LeftOut {
  const times = timesOf(cron, tz);
  if (typeof times === 'string') return { file, line: 0, text: name, reason: times };
  return {
    source,
    file,
    line: 0,
    name,
    plainSlug: slugOfName(slugFrom),
    times,
    delayS,
    user: '',
    command,
    mailto: null,
    pinged: null,
    wrap: () => advice,
  };
}

/** A text is the reason why it has none. */
function timesOf(given: string, tz: string): JobTimes | string {
  const [, ownZone, rest = ''] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(given.trim()) ?? [
    null,
    undefined,
    given.trim(),
  ];
  const zone = canonicalTimeZone(ownZone ?? tz);
  if (zone === null) return `Unknown time zone "${ownZone ?? tz}"`;
  const [, every] = /^@every\s+(\S+)$/.exec(rest) ?? [];
  if (every !== undefined) return everyTimes(every);
  const schedule = rest.startsWith('@') ? (scheduleOfNickname(rest) ?? rest) : rest.split(/\s+/).join(' ');
  const parsed = parseSchedule(schedule, zone);
  if (!parsed.ok || detectKind(schedule) !== 'cron')
    return `"${given}" is no time of cron${parsed.ok ? '' : `: ${parsed.error}`}`;
  return { schedule, tz: zone };
}

/** `1h30m` */
function everyTimes(every: string): JobTimes | string {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(every) ?? [];
  const timeoutS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (timeoutS < checkSecondsMin || timeoutS > checkSecondsMax)
    return `"${every}" is shorter than a minute, or longer than a year`;
  return { timeoutS };
}

function cronJob(file: string, item: Plain): FoundJob | LeftOut {
  const metadata = mapAt(item, 'metadata');
  const spec = mapAt(item, 'spec');
  const name = textAt(metadata, 'name');
  const namespace = textAt(metadata, 'namespace');
  const named = namespace === '' ? name : `${namespace}/${name}`;
  if (spec.suspend === true) return { file, line: 0, text: named, reason: 'Suspended: it is not run' };
  const job = mapAt(spec, 'jobTemplate', 'spec');
  const container = mapAt(job, 'template', 'spec').containers;
  const [first] = Array.isArray(container) ? container : [];
  return jobFrom({
    source: 'kubernetes',
    file,
    name,
    slugFrom: namespace === '' || namespace === 'default' ? name : `${namespace}-${name}`,
    cron: textAt(spec, 'schedule'),
    // Without one it is that of the controller, which nearly always is UTC.
    tz: textAt(spec, 'timeZone') || 'UTC',
    delayS: secondsAt(spec, 'startingDeadlineSeconds'),
    command: `CronJob ${named}, image ${textAt(mapAt(first), 'image') || 'unknown'}`,
    advice: 'Let its container run the command by knell run',
  });
}

/** Runs are put off by up to an hour where many begin. */
const githubDelayS = 3600;

function workflowJobs(file: string, document: Plain): Discovery {
  const { schedule } = mapAt(document, 'on');
  if (!Array.isArray(schedule)) {
    const reason = 'Has no schedule: something else starts it';
    return { jobs: [], leftOut: [{ file, line: 0, text: textAt(document, 'name'), reason }] };
  }
  const base =
    file
      .split('/')
      .at(-1)
      ?.replace(/\.ya?ml$/, '') ?? file;
  const name = textAt(document, 'name') || base;
  return gathered(
    schedule.filter(isMap).map((item) =>
      jobFrom({
        source: 'github',
        file,
        name,
        slugFrom: name,
        cron: textAt(item, 'cron'),
        tz: textAt(item, 'timezone') || 'UTC',
        delayS: githubDelayS,
        command: `workflow ${base}`,
        advice: 'Add a last step to the workflow that pings, with if: always()',
      }),
    ),
  );
}

/** Of those that name no city. */
const zonesOfRails: Readonly<Record<string, string>> = {
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Arizona: 'America/Phoenix',
  'Mountain Time (US & Canada)': 'America/Denver',
  'Central America': 'America/Guatemala',
  'Central Time (US & Canada)': 'America/Chicago',
  Saskatchewan: 'America/Regina',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  'New Delhi': 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  Chennai: 'Asia/Kolkata',
  Beijing: 'Asia/Shanghai',
  Osaka: 'Asia/Tokyo',
  Bern: 'Europe/Zurich',
  Edinburgh: 'Europe/London',
};

/** GitLab also takes the names of Ruby on Rails: `Pacific Time (US & Canada)`, or a city alone. Any other name stays as it is. */
function zoneOfGitlab(name: string): string {
  if (canonicalTimeZone(name) !== null) return name;
  const city = `/${name.replaceAll(' ', '_')}`;
  return zonesOfRails[name] ?? Intl.supportedValuesOf('timeZone').find((zone) => zone.endsWith(city)) ?? name;
}

function gitlabJob(file: string, item: Plain): FoundJob | LeftOut {
  const name = textAt(item, 'description') || `pipeline ${String(item.id ?? '')}`.trim();
  if (item.active === false) return { file, line: 0, text: name, reason: 'Not active: it is not run' };
  return jobFrom({
    source: 'gitlab',
    file,
    name,
    slugFrom: name,
    cron: textAt(item, 'cron'),
    tz: zoneOfGitlab(textAt(item, 'cron_timezone') || 'UTC'),
    delayS: 0,
    command: `pipeline of ${textAt(item, 'ref')}`,
    advice: 'Add a last job to the pipeline that pings, with when: always',
  });
}
