/**
 * Serves public status pages: `/status/<slug>`, its feed and its logo. Readers have no account. `gather` and `render` make the
 * page; the owner's commands manage it.
 * Invariants: an address without a page costs one look-up in a map. Nobody learns anything of a page with a password without
 * that password, not even its title; tries are counted like those to sign in.
 */

import type { Passwords } from '../../commands/secrets/passwords.ts';
import type { Tokens } from '../../commands/secrets/tokens.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { statusPagePrefix } from '../../domain/accounts/status-page.ts';
import { passwordCharsMax } from '../../domain/limits.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { hour } from '../../lib/units.ts';
import { logoOf } from '../../spec/logo.ts';
import type { HttpReply, HttpRequest, Route } from '../wire/message.ts';
import { plainPage } from '../wire/plain-page.ts';
import { text } from '../wire/replies.ts';
import type { SignInLimits } from '../wire/sign-in-limits.ts';
import { type CacheOptions, type ReadyFile, StatusPageCache } from './cache.ts';
import { passwordForm } from './render.ts';
import { policy } from './style.ts';

export const statusPageReads: readonly string[] = [
  'accept-encoding',
  'if-none-match',
  'cookie',
  'content-type',
];

export interface StatusPageOptions {
  readonly read: EngineRead;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly tries: SignInLimits;
  readonly limits: CacheOptions['limits'];
  readonly baseUrl: () => string;
  /** Path of the base URL; empty if it has none. */
  readonly basePath: string;
}

interface Endpoint extends StatusPageOptions {
  readonly cache: StatusPageCache;
}

const pathPattern = /^\/status\/(?<slug>[a-z0-9-]{1,64})(?<part>\/feed\.rss|\/logo|\/)?$/;

/** Serves the paths that begin with `/status/`. */
export function createStatusPages(options: StatusPageOptions): Route {
  const { read, limits, tokens, baseUrl, basePath } = options;
  const feedOf = (page: StatusPage): string =>
    `${statusPagePrefix}${page.slug}/feed.rss${page.passwordHash === '' ? '' : `?key=${tokens.statusFeedKey(page)}`}`;
  const cache = new StatusPageCache({
    read,
    limits,
    addressesOf: (page) => ({
      feed: basePath + feedOf(page),
      logo: `${basePath}${statusPagePrefix}${page.slug}/logo`,
    }),
    urlsOf: (page) => ({ url: baseUrl() + statusPagePrefix + page.slug, feed: baseUrl() + feedOf(page) }),
  });
  const endpoint: Endpoint = { ...options, cache };
  return (request) => answer(endpoint, request);
}

const notFound = plainPage(404, {
  title: 'Page not found',
  text: 'There is no status page at this address.',
});

function answer(endpoint: Endpoint, request: HttpRequest): HttpReply | Promise<HttpReply> {
  const { slug = '', part } = pathPattern.exec(request.path)?.groups ?? {};
  const page = endpoint.read.statusPageBySlug(slug);
  if (page === null) return notFound;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (request.method === 'POST' && page.passwordHash !== '' && (part ?? '/') === '/')
    return enter(endpoint, page, request);
  if (!isRead) return text(405, 'method not allowed', [['Allow', 'GET, HEAD']]);
  const mayRead = page.passwordHash === '' || hasPass(endpoint, page, request);
  if (part === '/feed.rss')
    return mayRead || hasFeedKey(endpoint, page, request) ? feed(endpoint, page, request) : locked;
  if (!mayRead) return part === '/logo' ? locked : askPassword(401);
  return part === '/logo' ? logo(page, request) : html(endpoint, page, request);
}

const locked = text(401, 'this status page needs a password');

async function html({ cache, limits }: Endpoint, page: StatusPage, request: HttpRequest): Promise<HttpReply> {
  const { html, madeAtMs } = await cache.ready(page, request.receivedAtMs);
  return fileReply(html, request, [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
    ['Referrer-Policy', 'no-referrer'],
    caching(page, limits.freshMs),
    ageOf(madeAtMs, request),
  ]);
}

async function feed({ cache, limits }: Endpoint, page: StatusPage, request: HttpRequest): Promise<HttpReply> {
  const { feed, madeAtMs } = await cache.ready(page, request.receivedAtMs);
  return fileReply(feed, request, [
    ['Content-Type', 'application/rss+xml; charset=utf-8'],
    caching(page, limits.freshMs),
    ageOf(madeAtMs, request),
  ]);
}

type Header = readonly [name: string, value: string];

/** A page with a password may only be in the browser's own cache, and is requested each time. */
function caching({ passwordHash }: StatusPage, freshMs: number): Header {
  return [
    'Cache-Control',
    passwordHash === '' ? `public, max-age=${Math.floor(freshMs / 1000)}` : 'private, no-cache',
  ];
}

/** RFC 9111: a cache counts the age from when the page was made, not from when it was received. */
function ageOf(madeAtMs: number, { receivedAtMs }: HttpRequest): Header {
  return ['Age', String(Math.max(0, Math.ceil((receivedAtMs - madeAtMs) / 1000)))];
}

function fileReply(
  { plain, gzip, etag }: ReadyFile,
  { headers }: HttpRequest,
  own: readonly Header[],
): HttpReply {
  const all: readonly Header[] = [
    ...own,
    ['ETag', etag],
    ['Vary', 'Accept-Encoding, Cookie'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if ((headers['if-none-match'] ?? '').includes(etag)) return { status: 304, headers: all, body: '' };
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return { status: 200, headers: all, body: plain };
  return { status: 200, headers: [...all, ['Content-Encoding', 'gzip']], body: gzip };
}

function logo(page: StatusPage, { headers }: HttpRequest): HttpReply {
  const found = logoOf(page);
  if (found === null) return notFound;
  const own: readonly Header[] = [
    ['Content-Type', found.type],
    caching(page, hour),
    ['ETag', found.etag],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Security-Policy', "default-src 'none'"],
  ];
  const isKnown = (headers['if-none-match'] ?? '').includes(found.etag);
  return isKnown ? { status: 304, headers: own, body: '' } : { status: 200, headers: own, body: found.bytes };
}

function askPassword(status: number, said?: string, more: readonly Header[] = []): HttpReply {
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', policy],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
      ...more,
    ],
    body: passwordForm(said !== undefined, said),
  };
}

async function enter(endpoint: Endpoint, page: StatusPage, request: HttpRequest): Promise<HttpReply> {
  const { clientAddr, receivedAtMs, body } = request;
  const waitSeconds = endpoint.tries.take(clientAddr, page.slug, receivedAtMs);
  if (waitSeconds > 0)
    return askPassword(429, `Too many attempts. Try again in ${waitSeconds} s.`, [
      ['Retry-After', String(waitSeconds)],
    ]);
  const given = new URLSearchParams(Buffer.from(body).toString()).get('password') ?? '';
  const isRight = await endpoint.passwords.verify(given.slice(0, passwordCharsMax), page.passwordHash);
  if (isRight === null)
    return askPassword(503, 'Too many are signing in. Try again in a moment.', [['Retry-After', '2']]);
  if (!isRight) return askPassword(401, 'The password is wrong.');
  endpoint.tries.succeeded(clientAddr, page.slug);
  const path = endpoint.basePath + statusPagePrefix + page.slug;
  const secure = request.scheme === 'https' ? '; Secure' : '';
  const pass = endpoint.tokens.statusPass(page, receivedAtMs);
  return {
    status: 303,
    headers: [
      ['Location', path],
      ['Cache-Control', 'no-store'],
      ['Set-Cookie', `${cookieName}=${pass}; Path=${path}; Max-Age=2592000; HttpOnly; SameSite=Lax${secure}`],
    ],
    body: '',
  };
}

const cookieName = 'knell_status';

function hasPass({ tokens }: Endpoint, page: StatusPage, { headers, receivedAtMs }: HttpRequest): boolean {
  return (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .some(([name, value = '']) => name === cookieName && tokens.isStatusPass(page, value, receivedAtMs));
}

/** Feed readers have no cookies, so the address of the feed carries a key. */
function hasFeedKey({ tokens }: Endpoint, page: StatusPage, { query }: HttpRequest): boolean {
  const key = new URLSearchParams(query).get('key');
  return key !== null && tokens.isStatusFeedKey(page, key);
}
