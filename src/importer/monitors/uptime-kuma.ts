/**
 * Uptime Kuma: its backup (Settings, Backup, until version 1.23), or the same out of its database, which has status pages and
 * maintenance too. After the fields of Kuma's `db/knex_init_db.js` and `Monitor.toJSON`.
 */
import { checkSecondsMin } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import { Draft, type ForeignConfiguration, looksAtNothing, type ReadIntegration, setItUp } from './draft.ts';
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
function addMonitor(
  draft: Draft,
  monitor: Plain,
  integrations: ReadonlyMap<string, readonly string[]>,
): string | null {
  const name = textIn(monitor, 'name');
  const type = textIn(monitor, 'type');
  if (type !== 'push') {
    draft.leaveOut('monitor', name, `${type || 'unknown'}: ${looksAtNothing}`);
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
  const retries = (numberIn(monitor, 'maxretries') ?? 0) * (numberIn(monitor, 'retryInterval') || interval);
  const chosen = Object.entries(plainIn(monitor, 'notificationIDList')).filter(
    ([, on]) => on === true || on === 1,
  );
  const token = textIn(monitor, 'pushToken');
  return draft.check({
    name,
    when: { timeoutS: interval },
    // Kuma is down at once without retries, and a job that starts on the minute is never as exact.
    graceS: Math.max(retries, checkSecondsMin),
    tags: listIn(monitor, 'tags').map((tag) =>
      [textIn(tag, 'name'), textIn(tag, 'value')].filter(Boolean).join(':'),
    ),
    desc: textIn(monitor, 'description'),
    integrations: chosen.flatMap(([id]) => integrations.get(id) ?? []),
    was: flagIn(monitor, 'active', true) ? null : 'paused',
    pingedAt: token === '' ? '' : `/api/push/${token}`,
  });
}

/** By the names that Kuma's forms give their fields. */
const kinds: ReadonlyMap<string, ReadIntegration> = new Map<string, ReadIntegration>([
  ['slack', (config) => ['slack', { value: textIn(config, 'slackwebhookURL') }]],
  ['discord', (config) => ['discord', { value: textIn(config, 'discordWebhookUrl') }]],
  ['mattermost', (config) => ['mattermost', { value: textIn(config, 'mattermostWebhookUrl') }]],
  ['rocket.chat', (config) => ['rocketchat', { value: textIn(config, 'rocketwebhookURL') }]],
  ['teams', (config) => ['msteamsw', { value: textIn(config, 'webhookUrl') }]],
  ['GoogleChat', (config) => ['googlechat', { value: textIn(config, 'googleChatWebhookURL') }]],
  ['smtp', (config) => ['email', { value: textIn(config, 'smtpTo') }]],
  [
    'telegram',
    (config) => [
      'telegram',
      { id: textIn(config, 'telegramChatID'), thread_id: textIn(config, 'telegramMessageThreadID') },
    ],
  ],
  ['PagerTree', (config) => ['pagertree', { value: textIn(config, 'pagertreeIntegrationUrl') }]],
  ['pushbullet', (config) => ['pushbullet', { value: textIn(config, 'pushbulletAccessToken') }]],
  ['PagerDuty', (config) => ['pd', { value: textIn(config, 'pagerdutyIntegrationKey') }]],
  [
    'Opsgenie',
    (config) => [
      'opsgenie',
      {
        key: textIn(config, 'opsgenieApiKey'),
        region: textIn(config, 'opsgenieRegion') === 'eu' ? 'eu' : 'us',
      },
    ],
  ],
  [
    'ntfy',
    (config) => [
      'ntfy',
      {
        topic: textIn(config, 'ntfytopic'),
        url: textIn(config, 'ntfyserverurl') || 'https://ntfy.sh',
        token: textIn(config, 'ntfyaccesstoken'),
      },
    ],
  ],
  [
    'gotify',
    (config) => [
      'gotify',
      { url: textIn(config, 'gotifyserverurl'), token: textIn(config, 'gotifyapplicationToken') },
    ],
  ],
  [
    'alerta',
    (config) => [
      'alerta',
      {
        // Kuma has the whole address to which alerts are posted.
        url: textIn(config, 'alertaApiEndpoint').replace(/\/alert\/?$/, ''),
        key: textIn(config, 'alertaApiKey'),
        environment: textIn(config, 'alertaEnvironment'),
      },
    ],
  ],
  ['SIGNL4', (config) => ['signl4', { value: textIn(config, 'webhookURL') }]],
  ['pushover', (config) => ['po', { user: textIn(config, 'pushoveruserkey') }]],
  [
    'webhook',
    (config) => {
      const url = textIn(config, 'webhookURL');
      return ['webhook', { url_down: url, url_up: url, method_down: 'POST', method_up: 'POST' }];
    },
  ],
]);

/** Names here by Kuma's ids: one notification may be several. */
function integrationsOf(file: Plain, draft: Draft): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const notification of listIn(file, 'notificationList')) {
    const config = configOf(notification);
    const name = textIn(notification, 'name') || textIn(config, 'name');
    const type = textIn(config, 'type');
    const read = kinds.get(type);
    if (!read) {
      draft.leaveOut('notification', name, `${type || 'unknown'}: ${setItUp}`);
      continue;
    }
    const added = draft.integrations(name, ...read(config));
    if (added.length === 0) continue;
    names.set(textIn(notification, 'id'), added);
    for (const why of losses(type, config)) draft.note('integration', name, why);
  }
  return names;
}

/** What of a notification the integration here does not have, a sentence each. */
function losses(type: string, config: Plain): readonly string[] {
  const has = (field: string): boolean => textIn(config, field) !== '';
  return [
    ...(type === 'webhook' ? ['its body is the one of Knell, not the one of Uptime Kuma'] : []),
    ...(has('webhookAdditionalHeaders') ? ['its additional headers are left out: set them'] : []),
    ...(has('ntfyusername') ? ['its user and password are left out: give it an access token'] : []),
    ...(has('smtpCC') || has('smtpBCC')
      ? ['copies (CC, BCC) are left out: add an integration for each']
      : []),
    ...(type === 'telegram' ? ['it is the bot of Knell that writes: add it to the chat'] : []),
  ];
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
  draft.statusPage({
    slug: textIn(page, 'slug').toLowerCase(),
    title: textIn(page, 'title'),
    description: textIn(page, 'description'),
    services: listIn(page, 'publicGroupList').map((group) => ({
      name: textIn(group, 'name'),
      checks: checksIn(group, slugs),
    })),
  });
}

/** The checks that the push monitors of a list became. */
function checksIn(from: Plain, slugs: ReadonlyMap<string, string>): readonly string[] {
  return listIn(from, 'monitorList').flatMap((monitor) => slugs.get(textIn(monitor, 'id')) ?? []);
}

function addMaintenance(draft: Draft, window: Plain, slugs: ReadonlyMap<string, string>): void {
  const name = textIn(window, 'title');
  const checks = checksIn(window, slugs);
  const times = timesOf(window);
  if (!flagIn(window, 'active', true)) draft.leaveOut('maintenance', name, 'it is switched off');
  else if (checks.length === 0) draft.leaveOut('maintenance', name, 'it is about no push monitor');
  else if (typeof times === 'string') draft.leaveOut('maintenance', name, times);
  else draft.maintenance({ name, checks, ...times });
}

type Times =
  | { readonly from: string; readonly until: string }
  | { readonly schedule: string; readonly tz: string; readonly duration: number };

/** When it is, or why Knell has no such times. */
function timesOf(window: Plain): Times | string {
  const strategy = textIn(window, 'strategy');
  const tz = textIn(window, 'timezone');
  if (tz === 'SAME_AS_SERVER') return 'it is in the time zone of that server, which the file does not have';
  if (strategy === 'single') {
    const [from, until] = ['start_date', 'end_date'].map((field) => utcOf(textIn(window, field)));
    if (!from || !until) return 'it has no dates that can be read';
    // Kuma counts one without a zone in UTC.
    return tz === '' || tz === 'UTC' ? { from, until } : `its dates are in ${tz}, and have to be in UTC`;
  }
  const schedule = textIn(window, 'cron');
  const duration = numberIn(window, 'duration');
  if (schedule === '' || duration === null || duration <= 0)
    return `${strategy || 'unknown'}: it has no schedule`;
  if (tz === '') return 'it is in the time zone of that server, which the file does not have';
  // Its schedule is of every day, whatever the interval.
  if (strategy === 'recurring-interval' && numberIn(window, 'intervalDay') !== 1)
    return 'it is every few days, which no schedule says';
  if (textIn(window, 'end_date') !== '') return 'it has an end, which a schedule here has not';
  return { schedule, tz, duration };
}

/** `2030-05-04 02:10:00`, as databases write it. */
function utcOf(text: string): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(text) ?? [];
  return date === undefined ? null : `${date}T${time}:00Z`;
}
