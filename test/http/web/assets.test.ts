/** The page's files: only what was there at the start is served, compressed as the browser likes, with a strict policy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Assets, readAssets } from '../../../src/http/web/assets.ts';
import type { HttpReply, HttpRequest } from '../../../src/http/wire/message.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let dir: string;
let assets: Assets;

beforeEach(() => {
  dir = join(tempDir(), 'web');
  mkdirSync(join(dir, 'assets'), { recursive: true });
  for (const [name, text] of [
    ['index.html', '<p>page'],
    ['assets/index-1.js', 'plain'],
    ['assets/index-1.js.br', 'brotli'],
    ['assets/index-1.js.gz', 'gzip'],
    ['assets/index-1.css', 'p {}'],
    ['assets/notes.txt', 'of no known type'],
    ['secret.js', 'outside of assets/'],
    ['sw.js', 'the service worker'],
    ['manifest.webmanifest', '{}'],
    ['icon-192.png', 'an icon'],
    ['photo.png', 'no icon'],
  ] as const)
    writeFileSync(join(dir, name), text);
  const read = readAssets(pathToFileURL(`${dir}/`));
  if (!read) throw new Error('the page is there');
  assets = read;
});

function requestOf(path: string, encoding = ''): HttpRequest {
  const plain = {
    method: 'GET',
    query: '',
    apiKey: null,
    trusted: false,
    userAgent: '',
    scheme: 'http',
  } as const;
  const from = { remoteAddr: '', clientAddr: '', body: new Uint8Array(), bodyCut: false, receivedAtMs: 0 };
  return { ...plain, ...from, path, headers: { 'accept-encoding': encoding } };
}

function fileAt(path: string, encoding?: string): HttpReply | null {
  return assets.file(path, requestOf(path, encoding));
}

const header = (reply: HttpReply | null, name: string): string | undefined =>
  reply?.headers.find(([one]) => one === name)?.[1];

test.each([
  ['br, gzip', 'brotli', 'br'],
  ['gzip', 'gzip', 'gzip'],
  ['', 'plain', undefined],
  ['brotli, xgzipx', 'plain', undefined],
])('a browser that accepts "%s" gets the file as %s', (accepted, body, encoding) => {
  const reply = fileAt('/assets/index-1.js', accepted);
  expect([String(reply?.body), header(reply, 'Content-Encoding')]).toEqual([body, encoding]);
  expect(header(reply, 'Vary')).toBe('Accept-Encoding');
});

test('a file without a compressed form is served as it is', () => {
  const reply = fileAt('/assets/index-1.css', 'br, gzip');
  expect([String(reply?.body), header(reply, 'Content-Encoding')]).toEqual(['p {}', undefined]);
});

test.each([
  ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache'],
  ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
  ['/icon-192.png', 'image/png', 'public, max-age=86400'],
])('%s is a %s, and cached as %s, since its name stays', (path, type, caching) => {
  const reply = fileAt(path);
  expect([header(reply, 'Content-Type'), header(reply, 'Cache-Control')]).toEqual([type, caching]);
  expect(header(reply, 'Content-Security-Policy')).toContain("script-src 'self'");
});

describe('nothing is served', () => {
  test.each([
    '/photo.png',
    '/index.html',
    '/secret.js',
    '/assets/../secret.js',
    '/assets/%2e%2e/secret.js',
    '/assets/notes.txt',
    '/assets/index-1.js.br',
    '/assets/',
    '/assets/none.js',
    '/index.html',
  ])('at %s', (path) => expect(fileAt(path)).toBeNull());

  test('that came after the start', () => {
    writeFileSync(join(dir, 'assets', 'later.js'), 'later');
    expect(fileAt('/assets/later.js')).toBeNull();
  });
});

test('files may be cached without end, the page is asked for each time', () => {
  expect(header(fileAt('/assets/index-1.js'), 'Cache-Control')).toContain('immutable');
  expect(header(assets.page(requestOf('/'), null), 'Cache-Control')).toBe('no-cache');
});

test('every answer forbids what is of another origin, and frames', () => {
  for (const reply of [fileAt('/assets/index-1.js'), assets.page(requestOf('/'), null)]) {
    const policy = header(reply, 'Content-Security-Policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(header(reply, 'X-Content-Type-Options')).toBe('nosniff');
  }
});

test('the page names what it asks for first, of a project that is an id and nothing else', () => {
  const links = (path: string, query = '', lone: string | null = null): readonly string[] =>
    assets
      .page({ ...requestOf(path), query }, lone)
      .headers.flatMap(([name, value]) => (name === 'Link' ? [value] : []));
  expect(links('/')).toEqual(['</web/state>; rel=preload; as=fetch; crossorigin']);
  expect(links('/', '', 'ab-2')[1]).toContain('</web/in/ab-2/list>');
  expect(links('/account', '', 'ab-2')).toHaveLength(1);
  expect(links('/project/ab-1/checks', '', 'ab-2')[1]).toContain('</web/in/ab-1/list>');
  expect(links('/project/ab-1/checks')[1]).toContain('</web/in/ab-1/list>');
  expect(links('/project/ab-1/checks', 'status=down&tag=a%20b')[1]).toContain(
    '</web/in/ab-1/list?status=down&tag=a%20b>',
  );
  expect(links('/project/ab-1/checks', 'q=>;rel=x')).toHaveLength(1);
  expect(links('/project/ab-1/settings')).toHaveLength(1);
  expect(links('/project/a"b>/checks')).toHaveLength(1);
});

test('where no page was built there is none', () => {
  expect(readAssets(pathToFileURL(`${join(dir, 'none')}/`))).toBeNull();
});
