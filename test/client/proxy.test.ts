import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../src/client/proxy.ts';

const through = (url: string, env: Readonly<Record<string, string>>): string | null =>
  proxyFor(new URL(url), env)?.host ?? null;

const both = { HTTPS_PROXY: 'http://s.example:1', HTTP_PROXY: 'http://p.example:2' };

test('the scheme of the address chooses the variable, and small letters win', () => {
  expect(through('https://knell.example/', both)).toBe('s.example:1');
  expect(through('http://knell.example/', both)).toBe('p.example:2');
  expect(through('http://knell.example/', { HTTPS_PROXY: 'http://s.example:1' })).toBeNull();
  expect(through('https://knell.example/', { ...both, https_proxy: 'small.example:3' })).toBe(
    'small.example:3',
  );
  expect(through('https://knell.example/', { ...both, https_proxy: '' })).toBeNull();
  expect(through('http://knell.example/', {})).toBeNull();
});

test('a header of a request to a CGI program is no proxy', () => {
  expect(through('http://knell.example/', { ...both, REQUEST_METHOD: 'GET' })).toBeNull();
  expect(through('https://knell.example/', { ...both, REQUEST_METHOD: 'GET' })).toBe('s.example:1');
});

test.each([
  'http://localhost:8000/',
  'http://127.0.0.1/',
  'http://127.9.9.9/',
  'http://[::1]/',
  'https://a.localhost/',
])('%s is never asked for through a proxy', (url) => {
  expect(through(url, both)).toBeNull();
});

describe('NO_PROXY', () => {
  test.each([
    ['*', 'https://knell.example/', true],
    ['other.example, knell.example', 'https://knell.example/', true],
    ['example', 'https://knell.example/', true],
    ['.example', 'https://knell.example/', true],
    ['*.example', 'https://knell.example/', true],
    ['KNELL.example', 'https://knell.example/', true],
    ['nell.example', 'https://knell.example/', false],
    ['knell.example:443', 'https://knell.example/', true],
    ['knell.example:8443', 'https://knell.example/', false],
    ['10.1.2.3', 'http://10.1.2.3:8000/', true],
    ['10.0.0.0/8', 'http://10.1.2.3:8000/', true],
    ['10.0.0.0/8', 'http://11.1.2.3/', false],
    ['10.0.0.0/33', 'http://10.1.2.3/', false],
    ['10.0.0.0/8', 'http://ten.example/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['fd12::1', 'http://[fd12::1]/', true],
    ['[fd12::1]:80', 'http://[fd12::1]/', true],
    [' , ', 'https://knell.example/', false],
  ])('%s, for %s: %s', (list, url, isDirect) => {
    expect(through(url, { ...both, NO_PROXY: list }) === null).toBe(isDirect);
  });
});

test.each(['socks5://proxy.example:1080', 'http://', 'http://a b'])('%s is no proxy of ours', (text) => {
  expect(() => through('https://knell.example/', { HTTPS_PROXY: text })).toThrow(
    /^HTTPS_PROXY must be the URL/,
  );
});
