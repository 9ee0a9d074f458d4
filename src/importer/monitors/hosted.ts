/**
 * Heartbeats of hosted services, as their APIs or exports list them: Dead Man's Snitch (`GET /v1/snitches`), Better Stack
 * (`GET /api/v2/heartbeats`), Opsgenie (`GET /v2/heartbeats`), Cronitor (the YAML of `cronitor` and of its Monitor API).
 */
import { spanS } from '../../domain/discover/unit-file.ts';
import { KnellError } from '../../lib/errors.ts';
import { Draft, type ForeignConfiguration, looksAtNothing } from './draft.ts';
import { filled, flagIn, isPlain, listIn, numberIn, type Plain, plainIn, textIn, textsIn } from './fields.ts';

const hourS = 3600;
const dayS = 24 * hourS;

/** Seconds. A month is its longest. */
const snitchIntervals: ReadonlyMap<string, number> = new Map([
  ['15_minute', 900],
  ['30_minute', 1800],
  ['hourly', hourS],
  ['daily', dayS],
  ['weekly', 7 * dayS],
  ['monthly', 31 * dayS],
]);

export function fromSnitches(file: unknown, project: string): ForeignConfiguration {
  if (!Array.isArray(file))
    throw new KnellError('usage', 'this is no list of snitches: save GET /v1/snitches');
  const draft = new Draft(project);
  const mails = new Map<string, string | null>();
  const mailOf = (mail: string): readonly string[] => {
    const known = mails.get(mail);
    const added = known === undefined ? draft.integration(mail, 'email', { value: mail }) : known;
    mails.set(mail, added);
    return added === null ? [] : [added];
  };
  for (const snitch of file.filter(isPlain)) {
    const name = textIn(snitch, 'name');
    const interval = snitchIntervals.get(textIn(snitch, 'interval'));
    if (interval === undefined) {
      draft.leaveOut('snitch', name, `its interval ${JSON.stringify(textIn(snitch, 'interval'))} is unknown`);
      continue;
    }
    const alerted = textsIn(snitch, 'alert_email');
    draft.check({
      name,
      when: { timeoutS: interval },
      // A snitch has to check in once in each interval, at any time of it: two check-ins may be almost two intervals apart.
      graceS: textIn(snitch, 'alert_type') === 'smart' ? Math.min(interval, hourS) : interval,
      tags: textsIn(snitch, 'tags'),
      desc: textIn(snitch, 'notes'),
      integrations: alerted.length === 0 ? '*' : alerted.flatMap(mailOf),
      was: textIn(snitch, 'status') === 'paused' ? 'paused' : null,
      pingedAt: textIn(snitch, 'check_in_url') || `https://nosnch.in/${textIn(snitch, 'token')}`,
    });
  }
  return draft.done();
}

/** Several pages may follow one another as a list. */
export function fromBetterStack(file: unknown, project: string): ForeignConfiguration {
  const pages = (Array.isArray(file) ? file : [file]).filter(isPlain);
  if (pages.length === 0 || !pages.every(({ data }) => Array.isArray(data)))
    throw new KnellError('usage', 'this is no list of heartbeats: save GET /api/v2/heartbeats');
  const draft = new Draft(project);
  for (const heartbeat of pages.flatMap((page) => listIn(page, 'data'))) {
    const attributes = plainIn(heartbeat, 'attributes');
    const name = textIn(attributes, 'name');
    const period = numberIn(attributes, 'period');
    if (period === null) {
      draft.leaveOut('heartbeat', name, 'it has no period');
      continue;
    }
    const isPaused = textIn(attributes, 'paused_at') !== '' || textIn(attributes, 'status') === 'paused';
    const people = ['call', 'sms', 'push'].filter((field) => flagIn(attributes, field, false));
    if (people.length > 0)
      draft.leaveOut('alerts', name, `${people.join(', ')}: set up an integration for it`);
    draft.check({
      name,
      when: { timeoutS: period },
      graceS: numberIn(attributes, 'grace') ?? 0,
      was: isPaused ? 'paused' : null,
      pingedAt: textIn(attributes, 'url'),
    });
  }
  const [last] = pages.slice(-1);
  if (last && textIn(plainIn(last, 'pagination'), 'next') !== '')
    draft.leaveOut('heartbeats', 'the next page', 'the file has only the first pages: see the manual');
  return draft.done();
}

const opsgenieUnits: ReadonlyMap<string, number> = new Map([
  ['minutes', 60],
  ['hours', hourS],
  ['days', dayS],
]);

export function fromOpsgenie(file: unknown, project: string): ForeignConfiguration {
  const { data } = isPlain(file) ? file : {};
  const list = Array.isArray(data) ? data.filter(isPlain) : listIn(data, 'heartbeats');
  if (!Array.isArray(data) && !Array.isArray(plainIn(file, 'data').heartbeats))
    throw new KnellError('usage', 'this is no list of heartbeats: save GET /v2/heartbeats');
  const draft = new Draft(project);
  for (const heartbeat of list) {
    const name = textIn(heartbeat, 'name');
    const unit = opsgenieUnits.get(textIn(heartbeat, 'intervalUnit'));
    const interval = numberIn(heartbeat, 'interval');
    if (unit === undefined || interval === null) {
      draft.leaveOut('heartbeat', name, 'it has no interval with a known unit');
      continue;
    }
    const team = textIn(plainIn(heartbeat, 'ownerTeam'), 'name');
    draft.check({
      name,
      when: { timeoutS: interval * unit },
      tags: [...textsIn(heartbeat, 'alertTags'), ...(team === '' ? [] : [team])],
      desc: textIn(heartbeat, 'description'),
      was: flagIn(heartbeat, 'enabled', true) ? null : 'disabled',
      pingedAt: `/v2/heartbeats/${name}/ping`,
    });
  }
  return draft.done();
}

export function fromCronitor(file: unknown, project: string): ForeignConfiguration {
  if (!isPlain(file) || !['jobs', 'heartbeats', 'checks', 'monitors'].some((name) => name in file))
    throw new KnellError('usage', 'this is no YAML of Cronitor: it has no jobs and no heartbeats');
  const draft = new Draft(project);
  for (const part of ['jobs', 'heartbeats'])
    for (const [key, monitor] of entriesIn(file, part)) addCronitor(draft, key, monitor);
  for (const monitor of listIn(file, 'monitors')) {
    const type = textIn(monitor, 'type');
    if (type === 'job' || type === 'heartbeat') addCronitor(draft, textIn(monitor, 'key'), monitor);
    else draft.leaveOut(type || 'monitor', textIn(monitor, 'name') || textIn(monitor, 'key'), looksAtNothing);
  }
  for (const [key, monitor] of entriesIn(file, 'checks'))
    draft.leaveOut('check', textIn(monitor, 'name') || key, looksAtNothing);
  return draft.done();
}

function entriesIn(file: Plain, name: string): readonly (readonly [string, Plain])[] {
  return Object.entries(plainIn(file, name)).map(([key, value]) => [key, isPlain(value) ? value : {}]);
}

function addCronitor(draft: Draft, key: string, monitor: Plain): void {
  const name = textIn(monitor, 'name') || key;
  const schedules = filled([monitor.schedule, ...filled(monitor.schedules)]);
  const [schedule] = schedules;
  if (schedule === undefined) {
    draft.leaveOut('monitor', name, 'it has no schedule');
    return;
  }
  if (schedules.length > 1)
    draft.leaveOut('schedules', name, `only the first of ${schedules.length}: a check has one`);
  const every = /^every\s+(.*)$/i.exec(schedule)?.[1]?.toLowerCase();
  const period = every === undefined ? null : spanS(/^\d/.test(every) ? every : `1 ${every}`);
  const isCron = /^\S+(?:\s+\S+){4}$/.test(schedule) && period === null;
  if (period === null && !isCron) {
    draft.leaveOut('monitor', name, `its schedule ${JSON.stringify(schedule)} has no equal here`);
    return;
  }
  const rules = filled(monitor.assertions);
  if (rules.length > 0) draft.leaveOut('assertions', name, `${rules.join('; ')}: see Runs and Results`);
  const notified = filled(monitor.notify).filter((one) => one !== 'default');
  if (notified.length > 0)
    draft.leaveOut('notify', name, `${notified.join(', ')}: its file does not say who that is`);
  const isPaused = flagIn(monitor, 'paused', false) || flagIn(monitor, 'disabled', false);
  const grace = numberIn(monitor, 'grace_seconds');
  const group = textIn(monitor, 'group');
  draft.check({
    name,
    when: period === null ? { schedule, tz: textIn(monitor, 'timezone') || 'UTC' } : { timeoutS: period },
    ...(grace === null ? {} : { graceS: grace }),
    tags: [...textsIn(monitor, 'tags'), ...(group === '' ? [] : [group])],
    desc: textIn(monitor, 'note'),
    was: isPaused ? 'paused' : null,
    pingedAt: `https://cronitor.link/p/…/${key}`,
  });
}
