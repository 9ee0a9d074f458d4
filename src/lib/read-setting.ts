/**
 * Reads the text of a setting: one function for each kind of value. Not which settings there are (`config`).
 * Invariant: a text that cannot be read throws a sentence that says what it must be, without repeating the text: it may be a
 * secret.
 */
import { resolve } from 'node:path';
import { type CidrList, type ListenAddress, parseCidrList } from './addresses.ts';
import { heartbeatMsMin, labelCharsMax, snapshotEveryMsMax, snapshotsKeptMax } from './limits.ts';
import { day, hour, minute, parseSize, second } from './units.ts';

/** One setting: its variable (the flag is made of it), its default as written, what it is for, how it is read. */
export interface Setting<T> {
  readonly variable: string;
  readonly fallback: string;
  /** Values as they are typed are between backticks, which the page sets as code. */
  readonly help: string;
  /** Its value is not repeated in an error. */
  readonly secret: boolean;
  /** Throws a sentence that says what the value must be. */
  readonly read: (text: string) => T;
}

export function setting<T>(
  variable: string,
  fallback: string,
  help: string,
  read: (text: string) => T,
): Setting<T> {
  return { variable, fallback, help, read, secret: false };
}

/** One that is empty unless it is needed, and never shown. */
export function secret(
  variable: string,
  help: string,
  read: (text: string) => string = (text) => text.trim(),
): Setting<string> {
  return { variable, fallback: '', help, read, secret: true };
}

export function readListen(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (!host || port > 65_535) throw new Error('is not host:port, such as 127.0.0.1:8000 or [::1]:8000');
  return { host, port };
}

/** `off` is null. */
export function readOptionalListen(text: string): ListenAddress | null {
  return text === 'off' ? null : readListen(text);
}

export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error('is not an address such as https://knell.example.org');
  }
  return text.replace(/\/+$/, '');
}

/** First parts of Knell's own paths: below one of them its addresses would be ambiguous behind a proxy that strips it. */
const ownParts: readonly string[] = [
  ...['api', 'assets', 'b', 'badge', 'checks', 'cloaked', 'ping', 'project'],
  ...[
    'confirm-address',
    'confirm-reports',
    'reports',
    'set-password',
    'sign-in',
    'stop-reports',
    'unsubscribe',
    'verify',
    'web',
  ],
];

/** The address of this Knell; it may have a path. */
export function readOwnUrl(text: string): string {
  const url = readBaseUrl(text);
  const [, first = '', ...rest] = new URL(url).pathname.split('/');
  if (![first, ...rest].every((part) => /^[\w.~-]*$/.test(part)))
    throw new Error('has a path with characters other than letters, digits and - . _ ~');
  if (ownParts.includes(first))
    throw new Error(`has a path that begins with /${first}, as paths of Knell do`);
  return url;
}

/** Its documents are trusted, so they come over TLS, except from this machine. */
export function readIssuer(text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHere = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw new Error('is not an address such as https://id.example.org');
  return text;
}

export const oidcRoles = ['none', 'viewer', 'editor', 'off'] as const;
export type OidcRole = (typeof oidcRoles)[number];

export function readOidcRole(text: string): OidcRole {
  const role = oidcRoles.find((one) => one === text);
  if (role === undefined) throw new Error(`must be one of ${oidcRoles.join(', ')}`);
  return role;
}

/** Services whose ping addresses Knell can serve beside its own. */
export const compatServices = [
  'better-stack',
  'cronitor',
  'dead-mans-snitch',
  'opsgenie',
  'sentry',
  'uptime-kuma',
] as const;
/** `sentry-upserts`: Sentry's, whose check-ins also change the settings of their checks. */
export type CompatService = (typeof compatServices)[number] | typeof upserting;
const upserting = 'sentry-upserts';

/** Names between commas, or `all`, which has no service that changes settings. Empty: none. */
export function readCompatServices(text: string): readonly CompatService[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name === '')) return [];
  const known = [upserting, ...compatServices] as const;
  if (names.some((name) => name !== 'all' && !known.some((one) => one === name)))
    throw new Error(`must be all, or some of ${compatServices.join(', ')}, ${upserting}, between commas`);
  // The first one that has an address serves it.
  return known.filter((one) => names.includes(one) || (one !== upserting && names.includes('all')));
}

export function readServerUrl(text: string): string {
  return text === '' ? '' : readBaseUrl(text);
}

/** Servers of a NATS cluster, comma-separated; a token or user is before the @. Empty: none. */
export function readNatsUrls(text: string): readonly string[] {
  const urls = text.split(',').map((url) => url.trim());
  if (text.trim() === '') return [];
  for (const url of urls) {
    const isServer = URL.canParse(url) && /^(?:nats|tls):\/\/[^/]/i.test(url);
    if (!isServer || !/^\/?$/.test(new URL(url).pathname))
      throw new Error('is not a list of servers such as nats://10.0.0.1,nats://10.0.0.2,nats://10.0.0.3');
  }
  return urls;
}

/** An id that a vendor has given out, which goes into an address. Empty: none. */
export function readWord(text: string): string {
  if (!/^[\w-]*$/.test(text.trim())) throw new Error('is not an id of letters and digits, such as PX1AB2C');
  return text.trim();
}

/** Reads the name of a node or a cluster, which becomes a part of NATS subjects. */
export function readClusterWord(text: string): string {
  if (text !== '' && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text))
    throw new Error('is not a name of letters, digits and hyphens, such as knell-a');
  return text.toLowerCase();
}

/** Empty: none. Its query is kept. */
export function readPingUrl(text: string): string {
  if (text === '' || (URL.canParse(text) && /^https?:\/\/[^/]/i.test(text))) return text;
  throw new Error('is not an address such as https://hc-ping.com/8f7a3a4e-36be-4a5c-92ac-4a6f7d7d1e5c');
}

/** A part of a password that is not encoded would be taken for the host, and shown as one. */
export function readMailUrl(text: string): string {
  if (text === '') return text;
  if (URL.canParse(text) && /^smtps?:\/\/[^/]/i.test(text)) {
    const { hash, pathname } = new URL(text);
    if (hash === '' && (pathname === '' || pathname === '/')) return text;
  }
  throw new Error(
    'is not an address such as smtp://user:password@mail.example.org:587; in a password write # as %23, / as %2F, ? as %3F and @ as %40',
  );
}

export function readMailFrom(text: string): string {
  if (!/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(text))
    throw new Error('is not a sender such as Knell <knell@example.org>');
  return text;
}

export function readDomain(text: string): string {
  if (!/^[a-z0-9.-]+$/i.test(text) || text.length > 253) throw new Error('is not a domain name');
  return text.toLowerCase();
}

export function readLabel(text: string): string {
  if (text === '' || text.length > labelCharsMax || /\p{Cc}/u.test(text))
    throw new Error(`must have 1 to ${labelCharsMax} characters`);
  return text;
}

/** Empty: the zone of this machine. Any name that ICU knows, as it is used only to show times. */
export function readTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', text === '' ? {} : { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new Error('is not a time zone, such as Europe/Riga');
  }
}

export function readHeaderName(text: string): string | null {
  if (!/^[a-z0-9-]*$/i.test(text)) throw new Error('is not the name of a header, such as Remote-User');
  return text === '' ? null : text.toLowerCase();
}

export function readFile(text: string): string | null {
  return text === '' ? null : resolve(text);
}

export function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error('is not a whole number from 0');
  return Number(text);
}

export function readCidrs(text: string): CidrList {
  const list = parseCidrList(text);
  if (list === null) throw new Error('is not a list of addresses or networks such as 10.0.0.0/8,::1');
  return list;
}

export function readBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes === null) throw new Error('is not a size such as 10MB or 500kB');
  return bytes;
}

/** `60s`, `5m`. */
export function readHeartbeatEvery(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const everyMs = Number(count) * (spanUnits[unit] ?? 0);
  if (everyMs >= heartbeatMsMin && everyMs <= day) return everyMs;
  throw new Error('must be a time from 10s to 1d, such as 60s or 5m');
}

/** The interval at which snapshots are written, and how many of them are kept. */
export interface SnapshotPlan {
  readonly everyMs: number;
  readonly kept: number;
}

const spanUnits: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day };

/** `1d:7`; `off` is null. */
export function readSnapshotPlan(text: string): SnapshotPlan | null {
  if (text === 'off') return null;
  const [, count, unit = '', kept] = /^(\d{1,9})([smhd]):(\d{1,9})$/.exec(text) ?? [];
  const plan = { everyMs: Number(count) * (spanUnits[unit] ?? 0), kept: Number(kept) };
  const isInBounds = (value: number, max: number): boolean => value > 0 && value <= max;
  if (!isInBounds(plan.everyMs, snapshotEveryMsMax) || !isInBounds(plan.kept, snapshotsKeptMax)) {
    const bounds = `up to 366d, and 1 to ${snapshotsKeptMax}`;
    throw new Error(`must be off, or how often and how many are kept (${bounds}), such as 1d:7 or 6h:28`);
  }
  return plan;
}

/** Access to the metrics of Knell: for those who reach a listener of its own, or those who have a key. */
export type MetricsAccess = { readonly listen: ListenAddress } | { readonly key: string };

const metricsKeyPrefix = 'key:';

/** `off` is null. */
export function readMetricsAccess(text: string): MetricsAccess | null {
  if (text === 'off') return null;
  if (text.startsWith(metricsKeyPrefix)) {
    const key = text.slice(metricsKeyPrefix.length);
    if (/^[!-~]{16,}$/.test(key)) return { key };
    throw new Error('is too weak: a key needs at least 16 characters, of ASCII and without spaces');
  }
  try {
    return { listen: readListen(text) };
  } catch {
    throw new Error('must be off, host:port such as 127.0.0.1:9464, or key:SECRET');
  }
}

export function readSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error('must be on or off');
  return text === 'on';
}

export function readJournal(text: string): 'lmdb' | 'file' {
  if (text !== 'lmdb' && text !== 'file') throw new Error('must be lmdb or file');
  return text;
}

export function readDurability(text: string): 'fsync' | 'relaxed' {
  if (text !== 'fsync' && text !== 'relaxed') throw new Error('must be fsync or relaxed');
  return text;
}

export function readLogLevel(text: string): string {
  if (!['debug', 'info', 'warn', 'error'].includes(text))
    throw new Error('must be debug, info, warn or error');
  return text;
}
