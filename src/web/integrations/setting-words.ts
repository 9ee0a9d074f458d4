/**
 * The names of the server's settings on the page, by subject, in the order in which they are shown. Which settings there are,
 * and what each does, the server says (`config`).
 */
import type { ServerSettingView } from '../../domain/views/page-view.ts';

interface NamedSetting {
  readonly setting: ServerSettingView;
  readonly name: string;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly NamedSetting[];
}

/** Names by variable without `KNELL_`. What may change while Knell runs comes first. */
const subjects: readonly (readonly [title: string, names: Readonly<Record<string, string>>])[] = [
  ['Email from Knell', { MAIL_URL: 'Mail server', MAIL_FROM: 'Sender' }],
  [
    'Alerts and badges',
    {
      TIME_ZONE: 'Time zone of alerts',
      BADGE_LABEL: 'Label of the overall badge',
      ALERT_LINKS: 'Links in alerts to acknowledge and snooze',
    },
  ],
  [
    'Integrations',
    {
      WEBHOOK_ALLOW: 'Private networks for integrations',
      SHELL_CHANNELS: 'Shell commands as integrations',
      APPRISE_URL: 'Apprise: server',
      DISCORD_CLIENT_ID: 'Discord: client ID',
      DISCORD_CLIENT_SECRET: 'Discord: client secret',
      GITHUB_TOKEN: 'GitHub: token',
      MATRIX_HOMESERVER: 'Matrix: home server',
      MATRIX_TOKEN: 'Matrix: access token',
      PD_APP_ID: 'PagerDuty: app ID',
      PUSHOVER_TOKEN: 'Pushover: application token',
      PUSHOVER_SUBSCRIPTION_URL: 'Pushover: subscription URL',
      SIGNAL_URL: 'Signal: server',
      SIGNAL_NUMBER: 'Signal: number',
      SLACK_CLIENT_ID: 'Slack: client ID',
      SLACK_CLIENT_SECRET: 'Slack: client secret',
      TELEGRAM_TOKEN: 'Telegram: bot token',
      TRELLO_KEY: 'Trello: application key',
      TWILIO_ACCOUNT: 'Twilio: account SID',
      TWILIO_AUTH: 'Twilio: auth token',
      TWILIO_FROM: 'Twilio: number',
      WHATSAPP_SERVICE: 'WhatsApp: messaging service',
      WHATSAPP_DOWN_SID: 'WhatsApp: message for down',
      WHATSAPP_UP_SID: 'WhatsApp: message for up',
    },
  ],
  [
    'Addresses and proxies',
    {
      BASE_URL: 'Public address',
      HTTP: 'HTTP listener',
      HTTP_TLS_CERT: 'HTTPS certificate',
      HTTP_TLS_KEY: 'HTTPS key',
      HTTP_COMPAT: 'HTTP listener for old devices',
      COMPAT_PINGS: 'Ping addresses of other services',
      TRUST_PROXY: 'Trusted proxies',
      API_RATE_LIMIT: 'API rate limit',
    },
  ],
  [
    'Pings by email',
    {
      SMTP: 'SMTP listener',
      EMAIL_DOMAIN: 'Domain of ping addresses',
      SMTP_TLS_CERT: 'STARTTLS certificate',
      SMTP_TLS_KEY: 'STARTTLS key',
      SMTP_PROXY: 'PROXY protocol',
    },
  ],
  [
    'Sign-in',
    {
      OIDC_ISSUER: 'OpenID Connect: provider',
      OIDC_CLIENT_ID: 'OpenID Connect: client ID',
      OIDC_CLIENT_SECRET: 'OpenID Connect: client secret',
      OIDC_NAME: 'OpenID Connect: text of the button',
      OIDC_ROLE: 'OpenID Connect: role of new members',
      AUTH_PROXY_HEADER: 'Header of a proxy that signs in',
    },
  ],
  [
    'Data',
    {
      DATA_DIR: 'Data directory',
      JOURNAL: 'Write-ahead log',
      DURABILITY: 'Durability',
      BODY_BUDGET: 'Space for ping bodies',
      SNAPSHOTS: 'Snapshots',
      OUTAGE_CREDIT: 'Credit for outages of Knell',
      BOOTSTRAP: 'First project',
    },
  ],
  [
    'Cluster',
    {
      CLUSTER: 'NATS servers',
      CLUSTER_NAME: 'Name of the cluster',
      NODE: 'Name of this node',
      CLUSTER_CA: 'Certificate authority',
    },
  ],
  [
    'Monitoring of Knell',
    {
      METRICS: 'Metrics',
      HEARTBEAT_URL: 'Heartbeat: address',
      HEARTBEAT_EVERY: 'Heartbeat: interval',
      LOG_LEVEL: 'Log level',
    },
  ],
];

/**
 * Returns the settings with `wanted` in their subject, name, variable or explanation, in any case. A setting that has no name
 * here, of a server of another version, comes last under its variable.
 */
export function settingGroups(settings: readonly ServerSettingView[], wanted: string): SettingGroup[] {
  const left = new Map(settings.map((setting) => [setting.variable, setting]));
  const groups: SettingGroup[] = subjects.map(([title, names]) => {
    const named = Object.entries(names).flatMap(([word, name]): NamedSetting[] => {
      const setting = left.get(`KNELL_${word}`);
      left.delete(`KNELL_${word}`);
      return setting ? [{ setting, name }] : [];
    });
    return { title, settings: named };
  });
  const others = [...left.values()].map((setting) => ({ setting, name: setting.variable }));
  const text = wanted.trim().toLowerCase();
  const found = [...groups, { title: 'Others', settings: others }]
    .map(({ title, settings }) => ({
      title,
      settings: settings.filter(({ name, setting: { variable, help } }) =>
        `${title}\n${name}\n${variable}\n${help.replaceAll('`', '')}`.toLowerCase().includes(text),
      ),
    }))
    .filter(({ settings }) => settings.length > 0);
  return text === '' ? found : ranked(found, spaced(text).trimEnd());
}

/** Those first whose name has a word that begins with what is searched for, each below its subject. */
function ranked(groups: readonly SettingGroup[], beginning: string): SettingGroup[] {
  const rank = ({ name, setting: { variable, help } }: NamedSetting): number => {
    const texts = [name, variable, help];
    const at = texts.findIndex((words) => spaced(words).includes(beginning));
    return at < 0 ? texts.length : at;
  };
  const best = ({ title, settings }: SettingGroup): number =>
    spaced(title).includes(beginning) ? 0 : Math.min(...settings.map(rank));
  return groups
    .map(({ title, settings }) => ({ title, settings: settings.toSorted((a, b) => rank(a) - rank(b)) }))
    .sort((a, b) => best(a) - best(b));
}

/** Each word after a space. */
function spaced(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
}
