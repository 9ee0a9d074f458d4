/**
 * Uptime Kuma: its backup (Settings, Backup, until version 1.23), or the same out of its database by the line of the manual, which
 * has status pages and maintenance too. After the fields of Kuma's `db/knex_init_db.js` and `Monitor.toJSON`.
 */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import { statusPageSlugPattern } from '../../domain/accounts/status-page-fields.ts';
import { statusPageBounds } from '../../domain/accounts/status-page-limits.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import { clear, Draft, type ForeignConfiguration } from './draft.ts';
import { flagIn, isPlain, listIn, numberIn, type Plain, plainIn, textIn } from './fields.ts';

export function fromUptimeKuma(file: unknown, project: string): ForeignConfiguration {
  if (!isPlain(file) || !Array.isArray(file.monitorList))
    throw new KnellError('usage', 'this is no backup of Uptime Kuma: it has no monitorList');
  const draft = new Draft(project);
  const integrations = integrationsOf(file, draft);
  /** Slugs by the ids of the monitors. */
  const slugs = new Map<string, string>();
  for (const monitor of listIn(file, 'monitorList')) {
    const slug = addMonitor(draft, monitor, integrations);
    if (slug !== null) slugs.set(textIn(monitor, 'id'), slug);
  }
  for (const page of listIn(file, 'statusPageList')) addPage(draft, page, slugs);
  for (const window of listIn(file, 'maintenanceList')) addMaintenance(draft, window, slugs);
  return draft.done();
}

/** Null for a monitor that was left out. */
function addMonitor(draft: Draft, monitor: Plain, integrations: ReadonlyMap<string, string>): string | null {
  const name = textIn(monitor, 'name');
  const type = textIn(monitor, 'type');
  if (type !== 'push') {
    draft.leaveOut(
      'monitor',
      name,
      `${type || 'unknown'}: Knell waits for pings, and looks at nothing itself`,
    );
    return null;
  }
  const interval = numberIn(monitor, 'interval');
  if (interval === null) {
    draft.leaveOut('monitor', name, 'it has no interval');
    return null;
  }
  if (flagIn(monitor, 'upsideDown', false)) {
    draft.leaveOut('monitor', name, 'it is upside down: Knell has no check that is up while nothing pings');
    return null;
  }
  if (!flagIn(monitor, 'active', true))
    draft.note('check', name, 'it was paused: here it waits for its first ping');
  const retries = (numberIn(monitor, 'maxretries') ?? 0) * (numberIn(monitor, 'retryInterval') || interval);
  const chosen = Object.entries(plainIn(monitor, 'notificationIDList')).filter(
    ([, on]) => on === true || on === 1,
  );
  const token = textIn(monitor, 'pushToken');
  return draft.check({
    name,
    when: { timeoutS: interval },
    graceS: Math.max(retries, leastGraceS),
    tags: listIn(monitor, 'tags').map((tag) =>
      [textIn(tag, 'name'), textIn(tag, 'value')].filter(Boolean).join(':'),
    ),
    desc: textIn(monitor, 'description'),
    integrations: chosen.flatMap(([id]) => integrations.get(id) ?? []),
    ...(token === '' ? {} : { pingedAt: `/api/push/${token}` }),
  });
}

/** Seconds: Kuma is down at once without retries, and a job that starts on the minute is never as exact. */
const leastGraceS = 60;

type Translated = readonly [kind: ChannelKind, fields: Readonly<Record<string, string>>];

/** By the names that Kuma's forms give their fields. */
const kinds: Readonly<Record<string, (config: Plain) => Translated>> = {
  slack: (config) => address('slack', config, 'slackwebhookURL'),
  discord: (config) => address('discord', config, 'discordWebhookUrl'),
  mattermost: (config) => address('mattermost', config, 'mattermostWebhookUrl'),
  'rocket.chat': (config) => address('rocketchat', config, 'rocketwebhookURL'),
  teams: (config) => address('msteamsw', config, 'webhookUrl'),
  GoogleChat: (config) => address('googlechat', config, 'googleChatWebhookURL'),
  smtp: (config) => address('email', config, 'smtpTo'),
  PagerDuty: (config) => address('pd', config, 'pagerdutyIntegrationKey'),
  Opsgenie: (config) => [
    'opsgenie',
    {
      key: textIn(config, 'opsgenieApiKey'),
      region: textIn(config, 'opsgenieRegion') === 'eu' ? 'eu' : 'us',
    },
  ],
  ntfy: (config) => [
    'ntfy',
    {
      topic: textIn(config, 'ntfytopic'),
      url: textIn(config, 'ntfyserverurl') || 'https://ntfy.sh',
      token: textIn(config, 'ntfyaccesstoken'),
    },
  ],
  gotify: (config) => [
    'gotify',
    { url: textIn(config, 'gotifyserverurl'), token: textIn(config, 'gotifyapplicationToken') },
  ],
  pushover: (config) => ['po', { user: textIn(config, 'pushoveruserkey') }],
  webhook: (config) => [
    'webhook',
    {
      url_down: textIn(config, 'webhookURL'),
      url_up: textIn(config, 'webhookURL'),
      method_down: 'POST',
      method_up: 'POST',
    },
  ],
};

function address(kind: ChannelKind, config: Plain, field: string): Translated {
  return [kind, { value: textIn(config, field) }];
}

/** Names here by Kuma's ids. */
function integrationsOf(file: Plain, draft: Draft): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const notification of listIn(file, 'notificationList')) {
    const config = configOf(notification);
    const name = textIn(notification, 'name') || textIn(config, 'name');
    const type = textIn(config, 'type');
    const translate = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    const translated = translate?.(config);
    if (!translated) {
      draft.leaveOut('notification', name, `${type || 'unknown'}: set it up under Integrations`);
      continue;
    }
    const [kind, fields] = translated;
    const [first = ''] = Object.values(fields);
    if (first === '') {
      draft.leaveOut('notification', name, `${type}: its address or key is not in the file`);
      continue;
    }
    const given = Object.entries(fields).filter(([, value]) => value !== '');
    const added = draft.integration(name, kind, Object.fromEntries(given));
    if (added === null) continue;
    names.set(textIn(notification, 'id'), added);
    if (kind === 'webhook')
      draft.note('integration', name, 'its body is the one of Knell, not the one of Uptime Kuma');
  }
  return names;
}

/** In the backup it is JSON in a text. */
function configOf(notification: Plain): Plain {
  const { config } = notification;
  if (typeof config !== 'string') return isPlain(config) ? config : notification;
  try {
    const parsed: unknown = JSON.parse(config);
    return isPlain(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function addPage(draft: Draft, page: Plain, slugs: ReadonlyMap<string, string>): void {
  const title = textIn(page, 'title');
  const services = listIn(page, 'publicGroupList').flatMap((group) => {
    const checks = listIn(group, 'monitorList').flatMap((monitor) => slugs.get(textIn(monitor, 'id')) ?? []);
    const name = clear(textIn(group, 'name'), statusPageBounds.serviceNameCharsMax);
    return checks.length === 0 || name === '' ? [] : [{ name, checks }];
  });
  const slug = textIn(page, 'slug').toLowerCase();
  if (services.length === 0) draft.leaveOut('status page', title, 'it shows no push monitor');
  else if (!statusPageSlugPattern.test(slug))
    draft.leaveOut('status page', title, 'its address is none for Knell');
  else
    draft.statusPage({
      slug,
      title: clear(title, nameCharsMax),
      description: clear(textIn(page, 'description'), nameCharsMax),
      services,
    });
}

function addMaintenance(draft: Draft, window: Plain, slugs: ReadonlyMap<string, string>): void {
  const name = textIn(window, 'title');
  const leaveOut = (why: string): void => draft.leaveOut('maintenance', name, why);
  const of = listIn(window, 'monitorList');
  const checks = of.flatMap((monitor) => slugs.get(textIn(monitor, 'id')) ?? []);
  const strategy = textIn(window, 'strategy');
  if (!flagIn(window, 'active', true)) {
    leaveOut('it is switched off');
    return;
  }
  if (checks.length === 0) {
    leaveOut('it is about no push monitor');
    return;
  }
  const common = { name: clear(name, nameCharsMax), checks };
  const tz = textIn(window, 'timezone');
  if (tz === 'SAME_AS_SERVER') {
    leaveOut('it is in the time zone of that server, which the file does not have');
    return;
  }
  if (strategy === 'single') {
    const [from, until] = ['start_date', 'end_date'].map((field) => utcOf(textIn(window, field)));
    if (!from || !until || (tz !== '' && tz !== 'UTC')) {
      leaveOut('its dates are in no zone that the file has');
      return;
    }
    draft.maintenance({ ...common, from, until });
    return;
  }
  const duration = numberIn(window, 'duration');
  const cron = textIn(window, 'cron');
  if (cron === '' || duration === null || duration <= 0) {
    leaveOut(`${strategy || 'unknown'}: it has no schedule`);
    return;
  }
  draft.maintenance({ ...common, schedule: cron, tz: tz || 'UTC', duration });
}

/** `2030-05-04 02:10:00`, as databases write it. */
function utcOf(text: string): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(text) ?? [];
  return date === undefined ? null : `${date}T${time}:00Z`;
}
