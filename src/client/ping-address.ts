/**
 * Which URL a ping goes to: out of the options and variables of a job.
 * Not here: how it gets there (`deliver`).
 * Invariant: pure; what is wrong is a KnellError `usage` that says what to set.
 */
import { KnellError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';

export interface AddressParts {
  /** A UUID or a slug. */
  readonly check: string | undefined;
  /** Knell's own URL, with or without `/ping`, or the whole ping URL of a check. */
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** The URL of one check's success pings, without a slash at its end. */
export function pingAddress({ check, url, key }: AddressParts): URL {
  if (url === undefined || url === '')
    throw new KnellError('usage', 'set KNELL_PING_URL, such as https://knell.example.org, or use --url');
  const base = parsed(url);
  const path = base.pathname.replace(/\/+$/, '');
  const isWhole = isCheckPath(path);
  if (check === undefined || check === '') {
    if (isWhole) return withPath(base, path);
    throw new KnellError('usage', 'name the check: --check SLUG or --check UUID');
  }
  const root = isWhole ? path.replace(/\/ping\/.*$/, '') : path.replace(/\/ping$/, '');
  const uuid = check.toLowerCase();
  if (isUuid(uuid)) return withPath(base, `${root}/ping/${uuid}`);
  return withPath(base, `${root}/ping/${keyFor(check, key)}/${check}`);
}

function keyFor(check: string, key: string | undefined): string {
  if (!/^[a-z0-9_-]+$/.test(check)) {
    throw new KnellError(
      'usage',
      `${JSON.stringify(check)} is neither a UUID nor a slug: a slug has only a-z, 0-9, - and _`,
    );
  }
  if (key === undefined || key === '')
    throw new KnellError(
      'usage',
      'a slug needs the ping key of its project: set KNELL_PING_KEY or use --key',
    );
  return encodeURIComponent(key);
}

function parsed(text: string): URL {
  const url = tryParse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new KnellError('usage', 'KNELL_PING_URL must begin with http:// or https://');
}

function tryParse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** `/ping/<uuid>` or `/ping/<key>/<slug>`, below any path of a proxy. */
function isCheckPath(path: string): boolean {
  const [, target = ''] = /\/ping\/(.+)$/.exec(path) ?? [];
  return isUuid(target.toLowerCase()) || /^[^/]+\/[a-z0-9_-]+$/.test(target);
}

function withPath(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = path;
  url.search = '';
  url.hash = '';
  return url;
}

export interface PingQuery {
  /** `start`, `fail`, `log`, `warn`, `alive`, an exit status; empty for success. */
  readonly action: string;
  readonly rid: string | null;
  /** Parameters of the check if it is created; null: it is not. */
  readonly create: Readonly<Record<string, string>> | null;
  /** Name of the machine; null for none. */
  readonly host: string | null;
  /** Numbers that the job reports, as `files:142`. */
  readonly results: readonly string[];
}

export function pingUrl(address: URL, { action, rid, create, host, results }: PingQuery): URL {
  const url = new URL(address);
  if (action !== '') url.pathname += `/${action}`;
  if (rid !== null) url.searchParams.set('rid', rid);
  for (const [name, text] of Object.entries(create === null ? {} : { create: '1', ...create }))
    url.searchParams.set(name, text);
  if (host !== null) url.searchParams.set('host', host);
  for (const result of results) url.searchParams.append('m', result);
  return url;
}
