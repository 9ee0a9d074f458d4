/**
 * The one place where environment and flags become one checked object, with each default. Not here: the limits that nobody
 * sets (`limits`), code that acts on any of it.
 * Invariant: a variable that Knell does not know, or a value it cannot read, is one line naming it, never a guess.
 */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { CidrList, ListenAddress } from './lib/addresses.ts';
import { KnellError } from './lib/errors.ts';
import {
  type CompatService,
  compatServices,
  type MetricsAccess,
  type OidcRole,
  readBytes,
  readCidrs,
  readClusterWord,
  readCompatServices,
  readCount,
  readDomain,
  readDurability,
  readFile,
  readHeaderName,
  readHeartbeatEvery,
  readIssuer,
  readJournal,
  readLabel,
  readListen,
  readLogLevel,
  readMailFrom,
  readMailUrl,
  readMetricsAccess,
  readNatsUrls,
  readOidcRole,
  readOptionalListen,
  readOwnUrl,
  readPingUrl,
  readServerUrl,
  readSnapshotPlan,
  readSwitch,
  readTimeZone,
  readWord,
  type Setting,
  type SnapshotPlan,
  secret,
  setting,
} from './lib/read-setting.ts';
import { readSettings } from './lib/read-settings.ts';

export { limits } from './limits.ts';

export interface Config {
  readonly dataDir: string;
  readonly http: ListenAddress;
  /** PEM files, both or neither, for both HTTP listeners. */
  readonly httpTlsCert: string | null;
  readonly httpTlsKey: string | null;
  /** The second HTTP listener; null for none. */
  readonly httpCompat: ListenAddress | null;
  /** Other services whose ping addresses are served, too. */
  readonly compatPings: readonly CompatService[];
  readonly smtp: ListenAddress | null;
  /** Null: `http://localhost`, with TLS `https://localhost`, with the port of the HTTP listener. See `baseUrlOf`. */
  readonly baseUrl: string | null;
  readonly emailDomain: string;
  /** Label of the badge for all checks of a project. */
  readonly badgeLabel: string;
  /** PEM files; both or neither. */
  readonly smtpTlsCert: string | null;
  readonly smtpTlsKey: string | null;
  /** Trusted peers begin their connections with a PROXY protocol line. */
  readonly smtpProxy: boolean;
  /** Management requests a minute and client; 0 for no limit. */
  readonly apiRateLimit: number;
  readonly trustProxy: CidrList;
  /** The header in which a trusted proxy names who has signed in there, in lower case; null for none. */
  readonly authProxyHeader: string | null;
  /** The OpenID Connect provider, such as `https://id.example.org`; empty for none. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcName: string;
  /** Role in the installation for a member who signs in for the first time; `off`: nobody is created. */
  readonly oidcRole: OidcRole;
  readonly bodyBudgetBytes: number;
  readonly outageCredit: boolean;
  readonly journal: 'lmdb' | 'file';
  readonly durability: 'fsync' | 'relaxed';
  /** The NATS servers of the cluster that this node joins; none for a Knell of its own. */
  readonly cluster: readonly string[];
  /** Empty: the name of this machine. See `nodeNameOf`. */
  readonly node: string;
  readonly clusterName: string;
  /** Authority of the certificates of `tls://` servers, a PEM file; null for those that the system trusts. */
  readonly clusterCa: string | null;
  /** Null for none. */
  readonly snapshots: SnapshotPlan | null;
  readonly bootstrap: boolean;
  /** Access to Knell's own metrics; null for none. */
  readonly metrics: MetricsAccess | null;
  /** URL that Knell pings while it is well; empty for none. */
  readonly heartbeatUrl: string;
  readonly heartbeatEveryMs: number;
  readonly logLevel: string;
  /** `smtp://` or `smtps://`; empty for no mail. */
  readonly mailUrl: string;
  readonly mailFrom: string;
  /** IANA name: in whose zone alerts show times, unless the integration has another. */
  readonly timeZone: string;
  /** Whether alerts have signed links with which anyone who has the alert acknowledges or snoozes the check. */
  readonly alertLinks: boolean;
  /** Private networks that integrations may send to. */
  readonly webhookAllow: CidrList;
  readonly shellChannels: boolean;
  /** Accounts and servers of the integrations' vendors, each empty for none. */
  readonly appriseUrl: string;
  readonly discordClientId: string;
  readonly discordClientSecret: string;
  readonly githubToken: string;
  readonly matrixHomeserver: string;
  readonly matrixToken: string;
  readonly pdAppId: string;
  readonly pushoverToken: string;
  readonly pushoverSubscriptionUrl: string;
  readonly signalUrl: string;
  readonly signalNumber: string;
  readonly slackClientId: string;
  readonly slackClientSecret: string;
  readonly telegramToken: string;
  readonly trelloKey: string;
  readonly twilioAccount: string;
  readonly twilioAuth: string;
  readonly twilioFrom: string;
  readonly whatsappService: string;
  readonly whatsappDownSid: string;
  readonly whatsappUpSid: string;
}

/** As Healthchecks calls it where its owner sets nothing. */
export const defaultBadgeLabel = 'Mychecks';

export const settings = {
  dataDir: setting('KNELL_DATA_DIR', './data', 'the directory in which Knell keeps everything', (text) =>
    resolve(text),
  ),
  http: setting(
    'KNELL_HTTP',
    '127.0.0.1:8000',
    'address and port for HTTP; `0.0.0.0:8000` listens on the network',
    readListen,
  ),
  httpTlsCert: setting(
    'KNELL_HTTP_TLS_CERT',
    '',
    'path of a PEM file with the certificate chain; KNELL_HTTP and KNELL_HTTP_COMPAT then speak HTTPS',
    readFile,
  ),
  httpTlsKey: setting('KNELL_HTTP_TLS_KEY', '', "path of a PEM file with the certificate's key", readFile),
  httpCompat: setting(
    'KNELL_HTTP_COMPAT',
    'off',
    'a second address and port for HTTP, such as `0.0.0.0:8001`, that takes HTTP/1.0 and old devices too; `off` for none',
    readOptionalListen,
  ),
  compatPings: setting(
    'KNELL_COMPAT_PINGS',
    '',
    `other services whose ping addresses Knell serves, too, such as \`cronitor,sentry\`; \`all\` for ${compatServices.map((name) => `\`${name}\``).join(', ')}; with \`sentry-upserts\` in place of \`sentry\`, check-ins change the settings of their checks, too`,
    readCompatServices,
  ),
  smtp: setting(
    'KNELL_SMTP',
    '127.0.0.1:2525',
    'address and port for pings by email, such as `0.0.0.0:25`; `off` for none',
    readOptionalListen,
  ),
  baseUrl: setting(
    'KNELL_BASE_URL',
    '',
    'the beginning of every URL that Knell gives out, such as `https://knell.example.org`; by default `http://localhost` (`https://localhost` with TLS) and the port of KNELL_HTTP',
    (text) => (text === '' ? null : readOwnUrl(text)),
  ),
  emailDomain: setting(
    'KNELL_EMAIL_DOMAIN',
    'localhost',
    'the domain of the email addresses for pings, such as `pings.example.org`',
    readDomain,
  ),
  badgeLabel: setting(
    'KNELL_BADGE_LABEL',
    defaultBadgeLabel,
    'label of the badge for all checks of a project, unless its address has one (`?label=`); with the default, the page of badges puts the name of the project there',
    readLabel,
  ),
  smtpTlsCert: setting(
    'KNELL_SMTP_TLS_CERT',
    '',
    'path of a PEM file with the certificate chain; Knell then offers STARTTLS',
    readFile,
  ),
  smtpTlsKey: setting('KNELL_SMTP_TLS_KEY', '', "path of a PEM file with the certificate's key", readFile),
  smtpProxy: setting(
    'KNELL_SMTP_PROXY',
    'off',
    'when `on`, connections from KNELL_TRUST_PROXY begin with a PROXY protocol header, version 1 or 2',
    readSwitch,
  ),
  apiRateLimit: setting(
    'KNELL_API_RATE_LIMIT',
    '100',
    'API requests per minute per client; `0` for no limit',
    readCount,
  ),
  trustProxy: setting(
    'KNELL_TRUST_PROXY',
    '127.0.0.0/8,::1',
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses or networks, separated by commas, such as `10.0.0.5,192.168.0.0/16`',
    readCidrs,
  ),
  authProxyHeader: setting(
    'KNELL_AUTH_PROXY_HEADER',
    '',
    'the header in which a trusted proxy names the user who is signed in, such as `Remote-User`',
    readHeaderName,
  ),
  oidcIssuer: setting(
    'KNELL_OIDC_ISSUER',
    '',
    'the address of the OpenID Connect provider, such as `https://id.example.org`',
    readIssuer,
  ),
  oidcClientId: setting(
    'KNELL_OIDC_CLIENT_ID',
    '',
    'the ID of the client that you create for Knell at the provider, with the redirect address `/web/oidc/callback` below the public address',
    (text) => text.trim(),
  ),
  oidcClientSecret: secret('KNELL_OIDC_CLIENT_SECRET', 'the secret of that client; empty for a public one'),
  oidcName: setting(
    'KNELL_OIDC_NAME',
    'Sign in with OpenID Connect',
    'what the button of the sign-in page says',
    readLabel,
  ),
  oidcRole: setting(
    'KNELL_OIDC_ROLE',
    'none',
    'role in all projects of members who sign in by OpenID Connect for the first time: `none`, `viewer` or `editor`; `off` lets in only members who are there already',
    readOidcRole,
  ),
  bodyBudgetBytes: setting(
    'KNELL_BODY_BUDGET',
    '10MB',
    'size of the ping bodies kept per check, such as `500kB`; the oldest are dropped first',
    readBytes,
  ),
  outageCredit: setting(
    'KNELL_OUTAGE_CREDIT',
    'on',
    '`on`: deadlines that passed while Knell was not running count later by that time, at most by the grace time; `off`: they count at once',
    readSwitch,
  ),
  journal: setting(
    'KNELL_JOURNAL',
    'lmdb',
    'the write-ahead log: `lmdb`, or `file` for half the latency of a single ping',
    readJournal,
  ),
  durability: setting(
    'KNELL_DURABILITY',
    'fsync',
    '`fsync`, or `relaxed`, which answers a ping before it is on disk: faster, but a crash loses the last pings',
    readDurability,
  ),
  cluster: {
    ...setting(
      'KNELL_CLUSTER',
      '',
      'the NATS servers of a cluster that this Knell joins: `nats://token@a,nats://token@b,nats://token@c`; empty for one machine',
      readNatsUrls,
    ),
    secret: true,
  },
  node: setting(
    'KNELL_NODE',
    '',
    "this node's name in the cluster; by default the name of the machine",
    readClusterWord,
  ),
  clusterName: setting(
    'KNELL_CLUSTER_NAME',
    'knell',
    'the name of the cluster, where several share their NATS servers',
    readClusterWord,
  ),
  clusterCa: setting(
    'KNELL_CLUSTER_CA',
    '',
    'path of a PEM file with the authority of the certificates of `tls://` servers',
    readFile,
  ),
  snapshots: setting(
    'KNELL_SNAPSHOTS',
    '1d:7',
    'how often Knell writes a snapshot into `snapshots/` of the data directory, and how many it keeps: `1d:7` is one a day and the newest seven, `6h:28` one every six hours and the newest 28; `off` for none',
    readSnapshotPlan,
  ),
  bootstrap: setting(
    'KNELL_BOOTSTRAP',
    'on',
    'when `on`, Knell creates the project `default` in an empty data directory',
    readSwitch,
  ),
  metrics: {
    ...setting(
      'KNELL_METRICS',
      'off',
      'metrics for Prometheus at `/metrics`: `127.0.0.1:9464` for a listener of their own, or `key:SECRET` for all HTTP addresses of Knell, with a secret of at least 16 characters that Prometheus sends; `off` for none',
      readMetricsAccess,
    ),
    secret: true,
  },
  heartbeatUrl: secret(
    'KNELL_HEARTBEAT_URL',
    'an address that Knell pings as long as it is well itself: the ping URL of a check at another Knell or Healthchecks',
    readPingUrl,
  ),
  heartbeatEveryMs: setting(
    'KNELL_HEARTBEAT_EVERY',
    '60s',
    'how often Knell pings KNELL_HEARTBEAT_URL, from `10s` to `1d`',
    readHeartbeatEvery,
  ),
  logLevel: setting('KNELL_LOG_LEVEL', 'info', '`debug`, `info`, `warn` or `error`', readLogLevel),
  mailUrl: secret(
    'KNELL_MAIL_URL',
    'the server that sends email, such as `smtp://user:password@mail.example.org:587`; `smtps://` for TLS from the start',
    readMailUrl,
  ),
  mailFrom: setting(
    'KNELL_MAIL_FROM',
    'Knell <knell@localhost>',
    'the sender of email, with a name or without, such as `knell@example.org`',
    readMailFrom,
  ),
  timeZone: setting(
    'KNELL_TIME_ZONE',
    '',
    'time zone of the times in alerts, such as `Europe/Riga`, of integrations that have none of their own; by default the one of this machine',
    readTimeZone,
  ),
  alertLinks: setting(
    'KNELL_ALERT_LINKS',
    'on',
    'when `off`, alerts have no links to acknowledge or snooze a check without signing in, and those that were sent no longer work',
    readSwitch,
  ),
  webhookAllow: setting(
    'KNELL_WEBHOOK_ALLOW',
    '',
    'private networks that integrations may connect to, separated by commas, such as `10.0.0.0/8,127.0.0.0/8`; none is allowed by default',
    readCidrs,
  ),
  shellChannels: setting(
    'KNELL_SHELL_CHANNELS',
    'off',
    'when `on`, integrations of kind `shell` run commands on this machine',
    readSwitch,
  ),
  appriseUrl: secret(
    'KNELL_APPRISE_URL',
    'the server that runs Apprise API for this Knell, such as `https://apprise.example.org`',
    readServerUrl,
  ),
  discordClientId: setting(
    'KNELL_DISCORD_CLIENT_ID',
    '',
    "the client ID of this server's application at Discord, for the button Add to Discord: under OAuth2 at discord.com/developers",
    (text) => text.trim(),
  ),
  discordClientSecret: secret(
    'KNELL_DISCORD_CLIENT_SECRET',
    'the client secret of the application at Discord, below its client ID',
  ),
  githubToken: secret(
    'KNELL_GITHUB_TOKEN',
    'a token that may create issues, from Developer settings in the settings of a GitHub account',
  ),
  matrixHomeserver: secret(
    'KNELL_MATRIX_HOMESERVER',
    'the home server of the Matrix account that Knell sends from, such as `https://matrix.example.org`',
    readServerUrl,
  ),
  matrixToken: secret(
    'KNELL_MATRIX_TOKEN',
    'the access token of that account: Element shows it in its settings, under Help & About',
  ),
  pdAppId: setting(
    'KNELL_PD_APP_ID',
    '',
    'the ID of an app that you register under Integrations, App Registration at PagerDuty: with it, members connect PagerDuty with a button',
    readWord,
  ),
  pushoverToken: secret(
    'KNELL_PUSHOVER_TOKEN',
    'the token of an application that you create at pushover.net/apps/build',
  ),
  pushoverSubscriptionUrl: setting(
    'KNELL_PUSHOVER_SUBSCRIPTION_URL',
    '',
    'the address of a subscription that you create for the application, such as `https://pushover.net/subscribe/Knell-abc123`: with it, members subscribe with a button',
    readServerUrl,
  ),
  signalUrl: secret(
    'KNELL_SIGNAL_URL',
    'the server that runs signal-cli-rest-api for this Knell, such as `https://signal.example.org`',
    readServerUrl,
  ),
  signalNumber: secret(
    'KNELL_SIGNAL_NUMBER',
    'the number that is registered at that server and sends the messages, such as `+4912345678`',
  ),
  slackClientId: setting(
    'KNELL_SLACK_CLIENT_ID',
    '',
    "the client ID of this server's app at Slack, for the button Add to Slack: under Basic Information at api.slack.com/apps",
    (text) => text.trim(),
  ),
  slackClientSecret: secret(
    'KNELL_SLACK_CLIENT_SECRET',
    'the client secret of the app at Slack, below its client ID',
  ),
  telegramToken: secret('KNELL_TELEGRAM_TOKEN', 'the token of a bot, which @BotFather gives you in Telegram'),
  trelloKey: secret(
    'KNELL_TRELLO_KEY',
    'the API key of a Power-Up that you create at trello.com/power-ups/admin',
  ),
  twilioAccount: secret(
    'KNELL_TWILIO_ACCOUNT',
    'the account SID, from the first page of the Twilio console: for calls, SMS and WhatsApp',
  ),
  twilioAuth: secret('KNELL_TWILIO_AUTH', 'the auth token, from the same page of the Twilio console'),
  twilioFrom: secret(
    'KNELL_TWILIO_FROM',
    'the number at Twilio that calls and messages come from, such as `+4912345678`',
  ),
  whatsappService: secret(
    'KNELL_WHATSAPP_SERVICE',
    'the SID of the messaging service for WhatsApp at Twilio: it begins with `MG`',
  ),
  whatsappDownSid: secret(
    'KNELL_WHATSAPP_DOWN_SID',
    'the SID of the content template at Twilio for down: it begins with `HX`',
  ),
  whatsappUpSid: secret(
    'KNELL_WHATSAPP_UP_SID',
    'the SID of the content template at Twilio for up: it begins with `HX`',
  ),
} as const satisfies { [Key in keyof Config]: Setting<Config[Key]> };

/** Variables of commands, by whether a server should say that it ignores them: some look as if they configured it. */
const commandVariables: ReadonlyMap<string, boolean> = new Map([
  ['KNELL_HC_SECRET_KEY', false],
  ['KNELL_HC_SECRET_KEY_FILE', false],
  ['KNELL_PING_URL', true],
  ['KNELL_PING_KEY', true],
  ['KNELL_SERVER', true],
  ['KNELL_ADMIN_KEY', true],
  ['KNELL_ADMIN_KEY_FILE', true],
  ['KNELL_API_KEY', true],
]);

export interface ReadConfig {
  readonly config: Config;
  /** Variables that the environment or a flag gives, with their texts; those of secrets are empty. */
  readonly given: ReadonlyMap<string, string>;
  /** Lines for the log. */
  readonly warnings: readonly string[];
}

/** `flags` by variable name; they win over `env`. Throws a KnellError `usage` naming what is wrong. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string>>,
): ReadConfig {
  const { values: config, given, warnings } = readSettings(settings, env, flags, commandVariables);
  mustBothBeSet('KNELL_HTTP_TLS_CERT', config.httpTlsCert, 'KNELL_HTTP_TLS_KEY', config.httpTlsKey);
  mustBothBeSet('KNELL_SMTP_TLS_CERT', config.smtpTlsCert, 'KNELL_SMTP_TLS_KEY', config.smtpTlsKey);
  mustBothBeSet('KNELL_OIDC_ISSUER', config.oidcIssuer, 'KNELL_OIDC_CLIENT_ID', config.oidcClientId);
  if (config.cluster.length > 0 && config.durability === 'relaxed')
    throw new KnellError('usage', 'KNELL_DURABILITY: a cluster has no relaxed durability; leave it out');
  return { config, given, warnings };
}

function mustBothBeSet(one: string, its: string | null, other: string, others: string | null): void {
  if (!its === !others) return;
  throw new KnellError('usage', `${one} and ${other} must be set together: set both or neither`);
}

/** The node's name in its cluster: a machine's name without its domain, as far as names go there. */
export function nodeNameOf({ node }: Pick<Config, 'node'>): string {
  if (node !== '') return node;
  const [name = ''] = hostname().toLowerCase().split('.');
  return (
    name
      .replace(/[^a-z0-9-]/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 63) || 'node'
  );
}

/** Beginning of every URL that Knell gives out. `port`: of the HTTP listener, which port 0 leaves to the system. */
export function baseUrlOf(config: Pick<Config, 'baseUrl' | 'http' | 'httpTlsCert'>, port?: number): string {
  const { baseUrl, http, httpTlsCert } = config;
  return baseUrl ?? `${httpTlsCert === null ? 'http' : 'https'}://localhost:${port ?? http.port}`;
}

/** The path in the base URL, under which a proxy serves Knell: `/knell`, or empty. */
export function basePathOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return baseUrl === null ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
}
