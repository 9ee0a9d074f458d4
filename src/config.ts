/**
 * Every limit, unit and default with its reason, and the one place where environment and flags become one checked
 * object. Not a place for code that acts on them.
 * Invariant: a variable that Knell does not know, or a value it cannot read, is one line naming it, never a guess.
 */
import { resolve } from 'node:path';
import type { CidrList, ListenAddress } from './lib/addresses.ts';
import { KnellError } from './lib/errors.ts';
import {
  readBaseUrl,
  readBytes,
  readCidrs,
  readCount,
  readDomain,
  readDurability,
  readFile,
  readHeaderName,
  readJournal,
  readListen,
  readLogLevel,
  readMailFrom,
  readMailUrl,
  readOptionalListen,
  readServerUrl,
  readSnapshotPlan,
  readSwitch,
  type Setting,
  type SnapshotPlan,
  secret,
  setting,
} from './lib/read-setting.ts';
import { readSettings } from './lib/read-settings.ts';
import { day, hour, kB, MB, minute, second } from './lib/units.ts';

export const limits = {
  /** Specification by way of Healthchecks: what is kept of a ping's body. */
  pingBodyBytesMax: 100 * kB,
  /** A management request's JSON. The largest honest one, with every field at its limit, is under 10 kB. */
  apiBodyBytesMax: 1 * MB,
  /** Of those whom nobody knows yet: a sign-in has 500 bytes, a request with its key in the body under 10 kB. */
  strangerBodyBytesMax: 16 * kB,
  /** Bodies under way, all together: 64 of the largest, 640 of pings. Without it, 1200 connections kept 1 GB. */
  bodiesBytesMax: 64 * MB,
  userAgentCharsMax: 200,
  /** Two stats. A renewal is not urgent, but the owner who has just replaced a file looks at once. */
  certificatePollMs: 2 * second,
  /** The second HTTP listener, which is for devices: uWebSockets.js has such bounds of its own. */
  httpCompat: {
    /** Some 10 kB each. */
    connectionsMax: 1000,
    /** A device that has begun a request finishes its head within a moment, even byte by byte. */
    headersMs: 10 * second,
    /** 100 kB over a slow mobile line. */
    requestMs: 30 * second,
    keepAliveMs: 10 * second,
    /** A connection on which nothing moves, an answer that nobody takes included. */
    idleMs: 60 * second,
  },
  /** What people and programs may create. Each of it is in memory, and looked through or listed as a whole now and then. */
  engine: {
    /** Every page lists them all. Tried with so many. */
    projectsMax: 10_000,
    /** A status change of a check with all of them is one record with so many deliveries, and takes some 30 ms. */
    channelsPerProjectMax: 1000,
    /** A sign-in proxy creates one for every name that it sends; each sign-in looks through them. */
    usersMax: 5000,
    /** Checks that pings create in a project: a fleet that is set up at once, then one every few seconds. */
    creations: { perMinute: 20, burst: 1000, clientsMax: 10_000 },
  },
  /** Connections over which open pages get live updates. */
  live: {
    /** About 20 kB each while nothing waits in them. */
    connectionsMax: 2000,
    /** A person with many tabs on several machines; a script that opens more is stopped. */
    connectionsPerUserMax: 50,
  },
  /** How long an accepted request may still be worked on once Knell is asked to end. */
  shutdownMs: 4 * second,
  /** Actors active at once: 2.7 kB each. Most pings activate none: this is about checks that change status. */
  activeActorsMax: 50_000,
  /** The outage credit is exact to this. */
  aliveEveryMs: 10 * second,
  /** Tries to sign in: enough for a family behind one address, far too few to guess by. */
  signIn: {
    perAddress: { perMinute: 10, burst: 20, clientsMax: 10_000 },
    /** Of an account from one address: nobody mistypes a password more often. */
    perPair: { perMinute: 5, burst: 10, clientsMax: 10_000 },
    /** Of an account from all addresses: 28,800 a day are far too few for passwords of ten characters. */
    perAccount: { perMinute: 20, burst: 100, clientsMax: 10_000 },
    /** Of each user some places, for all users that there may be. */
    knownPairsMax: 20_000,
  },
  ticker: {
    /** A jump of the wall clock is noticed after this. */
    sleepMsMax: 1 * second,
    /** About 4 ms of work at 12 µs a step of the statechart, 0.1 µs a cascade. */
    duePerTurn: 256,
    retryMs: second / 4,
  },
  snapshots: {
    /** After the start: time for the clock to be set and for the first rush of pings. */
    settleMs: 1 * minute,
    /** A jump of the wall clock is noticed after this. */
    sleepMsMax: 1 * hour,
    retryMs: 1 * minute,
    retryMsMax: 1 * hour,
    /** What a snapshot leaves of the disk, so that pings are not refused because of it; a small disk's twentieth. */
    freeBytesMin: 64 * MB,
  },
  notify: {
    dispatch: {
      retry: { firstMs: 1 * second, retryMsMax: 1 * hour, giveUpAfterMs: 24 * hour, attemptsMin: 10 },
      /** Enough for thousands of deliveries a second to a quick receiver; few enough for one to bear. */
      perChannelMax: 16,
      /** Memory: some 100 kB each at most. An integration that hangs holds one of them, once it has failed thrice. */
      totalMax: 256,
      failuresMax: 3,
      channelPauseMsMax: 30 * second,
      /** About 1 ms of work: pings come in between. */
      startsPerTurn: 4,
      sleepMsMax: 1 * hour,
    },
    http: {
      connectMs: 10 * second,
      totalMs: 30 * second,
      /** Answers are read for an error code, no more. */
      responseBytesMax: 64 * kB,
      redirectsMax: 3,
    },
    mail: { connectMs: 10 * second, totalMs: 30 * second, connectionsMax: 8 },
    /** Outbox writes that failed because the disk was full are repeated after this. */
    rewriteMs: 1 * second,
    /** Of some 2 ms a delivery takes at least, 5 are not felt; the disk is spared a sync for every few. */
    gatherMs: 5,
    deadKeptMs: 30 * day,
    supersededKeptMs: 1 * day,
    /** Ended deliveries that are kept: 300 bytes each, 30 MB. */
    endedMax: 100_000,
    sweepEveryMs: 1 * hour,
    /** Of the time there is to stop, so much is for attempts under way; what is cut off is made again. */
    stopGraceMs: 1.5 * second,
  },
  smtp: {
    /** Announced to senders by SIZE: mail with attachments rarely exceeds it, and a report for a ping never should. */
    mailBytesMax: 10 * MB,
    /** A sender that goes on after this, ten times too much, is cut off. */
    mailBytesReadMax: 100 * MB,
    /** Mails in flight are kept in memory (100 kB of each, the whole of one that is searched): so much together. */
    mailsBytesMax: 64 * MB,
    /** Measured: 10 MB of text 0.2 s, of HTML 0.9 s. What takes longer than this is held to be unreadable. */
    readMsMax: 10 * second,
    /** Measured: 10 MB of HTML take 170 MB. For the reading thread alone. */
    readHeapMB: 256,
    /** RFC 5321 requires at least 100. */
    recipientsMax: 100,
    /** Measured: a thousand silent ones take 18 MB; the mails of busy ones have a budget of their own. */
    connectionsMax: 1000,
    /** Mail servers open 20 to one destination (postfix); a tenth of all leaves the rest to others. */
    connectionsPerPeerMax: 100,
    /** A machine that has something to say says it; RFC 5321's five minutes are for people and dial-up lines. */
    idleMs: 60 * second,
    /** How long mails that come together wait for each other: too short for a sender to notice, and it spares the disk syncs. */
    batchMs: 2,
    /** A path has 256 characters, and extensions add some hundreds (RFC 5321, 6531). */
    commandBytesMax: 2048,
  },
} as const;

export interface Config {
  readonly dataDir: string;
  readonly http: ListenAddress;
  /** PEM files, both or neither, for both HTTP listeners. */
  readonly httpTlsCert: string | null;
  readonly httpTlsKey: string | null;
  /** The second HTTP listener; null for none. */
  readonly httpCompat: ListenAddress | null;
  readonly smtp: ListenAddress | null;
  /** Null: `http://localhost`, with TLS `https://localhost`, with the port of the HTTP listener. See `baseUrlOf`. */
  readonly baseUrl: string | null;
  readonly emailDomain: string;
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
  readonly bodyBudgetBytes: number;
  readonly outageCredit: boolean;
  readonly journal: 'lmdb' | 'file';
  readonly durability: 'fsync' | 'relaxed';
  /** Null for none. */
  readonly snapshots: SnapshotPlan | null;
  readonly bootstrap: boolean;
  readonly logLevel: string;
  /** `smtp://` or `smtps://`; empty for no mail. */
  readonly mailUrl: string;
  readonly mailFrom: string;
  /** Private networks that integrations may send to. */
  readonly webhookAllow: CidrList;
  readonly shellChannels: boolean;
  /** Accounts and servers of the integrations' vendors, each empty for none. */
  readonly appriseUrl: string;
  readonly githubToken: string;
  readonly matrixHomeserver: string;
  readonly matrixToken: string;
  readonly pushoverToken: string;
  readonly signalUrl: string;
  readonly signalNumber: string;
  readonly telegramToken: string;
  readonly trelloKey: string;
  readonly twilioAccount: string;
  readonly twilioAuth: string;
  readonly twilioFrom: string;
  readonly whatsappService: string;
  readonly whatsappDownSid: string;
  readonly whatsappUpSid: string;
}

export const settings = {
  dataDir: setting('KNELL_DATA_DIR', './data', 'the directory in which Knell keeps everything', (text) =>
    resolve(text),
  ),
  http: setting('KNELL_HTTP', '127.0.0.1:8000', 'address and port for HTTP, host:port', readListen),
  httpTlsCert: setting(
    'KNELL_HTTP_TLS_CERT',
    '',
    'certificate chain, a PEM file; KNELL_HTTP and KNELL_HTTP_COMPAT then speak HTTPS',
    readFile,
  ),
  httpTlsKey: setting('KNELL_HTTP_TLS_KEY', '', "the certificate's key, a PEM file", readFile),
  httpCompat: setting(
    'KNELL_HTTP_COMPAT',
    'off',
    'a second address and port for HTTP, host:port, that takes HTTP/1.0 and old devices too; off for none',
    readOptionalListen,
  ),
  smtp: setting(
    'KNELL_SMTP',
    '127.0.0.1:2525',
    'address and port for pings by email, host:port; off for none',
    readOptionalListen,
  ),
  baseUrl: setting(
    'KNELL_BASE_URL',
    '',
    'the beginning of every URL that Knell gives out; by default http(s)://localhost with the port of KNELL_HTTP',
    (text) => (text === '' ? null : readBaseUrl(text)),
  ),
  emailDomain: setting(
    'KNELL_EMAIL_DOMAIN',
    'localhost',
    'the domain of the email addresses for pings',
    readDomain,
  ),
  smtpTlsCert: setting(
    'KNELL_SMTP_TLS_CERT',
    '',
    'certificate chain, a PEM file; Knell then offers STARTTLS',
    readFile,
  ),
  smtpTlsKey: setting('KNELL_SMTP_TLS_KEY', '', "the certificate's key, a PEM file", readFile),
  smtpProxy: setting(
    'KNELL_SMTP_PROXY',
    'off',
    'on: connections from KNELL_TRUST_PROXY begin with a PROXY protocol header, version 1 or 2',
    readSwitch,
  ),
  apiRateLimit: setting(
    'KNELL_API_RATE_LIMIT',
    '100',
    'API requests per minute per client; 0 for no limit',
    readCount,
  ),
  trustProxy: setting(
    'KNELL_TRUST_PROXY',
    '127.0.0.0/8,::1',
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted',
    readCidrs,
  ),
  authProxyHeader: setting(
    'KNELL_AUTH_PROXY_HEADER',
    '',
    'the header in which a trusted proxy names the user who is signed in, such as Remote-User',
    readHeaderName,
  ),
  bodyBudgetBytes: setting(
    'KNELL_BODY_BUDGET',
    '10MB',
    'size of the ping bodies kept per check; the oldest are dropped first',
    readBytes,
  ),
  outageCredit: setting(
    'KNELL_OUTAGE_CREDIT',
    'on',
    'off: deadlines that passed while Knell was not running count at once',
    readSwitch,
  ),
  journal: setting(
    'KNELL_JOURNAL',
    'lmdb',
    'the write-ahead log: lmdb, or file for half the latency of a ping that arrives alone',
    readJournal,
  ),
  durability: setting(
    'KNELL_DURABILITY',
    'fsync',
    'fsync, or relaxed: answers a ping before it is on disk',
    readDurability,
  ),
  snapshots: setting(
    'KNELL_SNAPSHOTS',
    '1d:7',
    'how often Knell writes a snapshot into snapshots/ of the data directory, and how many it keeps; off for none',
    readSnapshotPlan,
  ),
  bootstrap: setting(
    'KNELL_BOOTSTRAP',
    'on',
    'create the project "default" in an empty data directory',
    readSwitch,
  ),
  logLevel: setting('KNELL_LOG_LEVEL', 'info', 'debug, info, warn or error', readLogLevel),
  mailUrl: secret('KNELL_MAIL_URL', 'the mail server, smtp://user:password@host:port', readMailUrl),
  mailFrom: setting('KNELL_MAIL_FROM', 'Knell <knell@localhost>', 'the sender of email', readMailFrom),
  webhookAllow: setting(
    'KNELL_WEBHOOK_ALLOW',
    '',
    'private networks that integrations may connect to, such as 10.0.0.0/8',
    readCidrs,
  ),
  shellChannels: setting(
    'KNELL_SHELL_CHANNELS',
    'off',
    'on: integrations of kind shell run commands on this machine',
    readSwitch,
  ),
  appriseUrl: secret('KNELL_APPRISE_URL', 'the Apprise API server, for apprise', readServerUrl),
  githubToken: secret('KNELL_GITHUB_TOKEN', 'a token that may create issues, for github'),
  matrixHomeserver: secret(
    'KNELL_MATRIX_HOMESERVER',
    'the home server of the account, for matrix',
    readServerUrl,
  ),
  matrixToken: secret('KNELL_MATRIX_TOKEN', 'its access token'),
  pushoverToken: secret('KNELL_PUSHOVER_TOKEN', 'the application token, for po'),
  signalUrl: secret('KNELL_SIGNAL_URL', 'the signal-cli REST server, for signal', readServerUrl),
  signalNumber: secret('KNELL_SIGNAL_NUMBER', 'the number it sends from'),
  telegramToken: secret('KNELL_TELEGRAM_TOKEN', 'the bot token, for telegram'),
  trelloKey: secret('KNELL_TRELLO_KEY', 'the application key, for trello'),
  twilioAccount: secret('KNELL_TWILIO_ACCOUNT', 'the account SID, for call, sms and whatsapp'),
  twilioAuth: secret('KNELL_TWILIO_AUTH', 'its auth token'),
  twilioFrom: secret('KNELL_TWILIO_FROM', 'the number that calls and sends'),
  whatsappService: secret('KNELL_WHATSAPP_SERVICE', 'the messaging service SID, for whatsapp'),
  whatsappDownSid: secret('KNELL_WHATSAPP_DOWN_SID', 'the content SID of the message for down'),
  whatsappUpSid: secret('KNELL_WHATSAPP_UP_SID', 'the content SID of the message for up'),
} as const satisfies { [Key in keyof Config]: Setting<Config[Key]> };

interface ReadConfig {
  readonly config: Config;
  /** Lines for the log. */
  readonly warnings: readonly string[];
}

/** `flags` by variable name; they win over `env`. Throws a KnellError `usage` naming what is wrong. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string>>,
): ReadConfig {
  const { values: config, warnings } = readSettings(settings, env, flags);
  mustBeTogether('KNELL_HTTP_TLS', config.httpTlsCert, config.httpTlsKey);
  mustBeTogether('KNELL_SMTP_TLS', config.smtpTlsCert, config.smtpTlsKey);
  return { config, warnings };
}

function mustBeTogether(name: string, cert: string | null, key: string | null): void {
  if ((cert === null) === (key === null)) return;
  throw new KnellError('usage', `${name}_CERT and ${name}_KEY must be set together: set both or neither`);
}

/** What every URL begins with that Knell gives out. `port`: of the HTTP listener, which port 0 leaves to the system. */
export function baseUrlOf(config: Pick<Config, 'baseUrl' | 'http' | 'httpTlsCert'>, port?: number): string {
  const { baseUrl, http, httpTlsCert } = config;
  return baseUrl ?? `${httpTlsCert === null ? 'http' : 'https'}://localhost:${port ?? http.port}`;
}
