import { describe, expect, test } from 'vitest';
import { BodyReader, OnlyPeer, originOf, Peers } from '../../src/http/read-request.ts';
import { parseCidrList } from '../../src/lib/addresses.ts';

function peersTrusting(list: string): Peers {
  const trust = parseCidrList(list);
  if (!trust) throw new Error(`not a list: ${list}`);
  return new Peers(trust);
}

const proxy = Uint8Array.of(127, 0, 0, 1);
const stranger = Uint8Array.of(203, 0, 113, 9);

describe('where a request came from', () => {
  const peers = peersTrusting('127.0.0.0/8,10.0.0.0/8');
  const origin = (bytes: Uint8Array, forwardedFor = '', proto = '') =>
    originOf(peers, peers.of(bytes), forwardedFor, proto);

  test('is the peer itself when nothing is forwarded', () => {
    expect(origin(proxy)).toEqual({ remoteAddr: '127.0.0.1', clientAddr: '127.0.0.1', scheme: 'http' });
  });

  test('is for information the leftmost, for guarding the rightmost address that is not trusted', () => {
    expect(origin(proxy, '198.51.100.1, 203.0.113.7, 10.0.0.2', 'https')).toEqual({
      remoteAddr: '198.51.100.1',
      clientAddr: '203.0.113.7',
      scheme: 'https',
    });
  });

  test('cannot be made up by a client behind the proxy to escape its limit', () => {
    const made = ['1.1.1.1', '2.2.2.2', '3.3.3.3'].map(
      (fake) => origin(proxy, `${fake}, 203.0.113.7`).clientAddr,
    );
    expect(new Set(made)).toEqual(new Set(['203.0.113.7']));
  });

  test('is not believed of a stranger', () => {
    expect(origin(stranger, '198.51.100.1', 'https')).toEqual({
      remoteAddr: '203.0.113.9',
      clientAddr: '203.0.113.9',
      scheme: 'http',
    });
  });

  test.each(['unknown', '<b>', ' , ,', '999.1.1.1', '_hidden'])(
    'ignores %j, which is no address',
    (forwardedFor) => {
      expect(origin(proxy, forwardedFor)).toMatchObject({ remoteAddr: '127.0.0.1', clientAddr: '127.0.0.1' });
    },
  );

  test.each([
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('loses the port of %s', (forwardedFor, remoteAddr) => {
    expect(origin(proxy, forwardedFor).remoteAddr).toBe(remoteAddr);
  });
});

test('the only peer is known while all connections have it, and not before none of another is left', () => {
  const only = new OnlyPeer();
  const peers = peersTrusting('10.0.0.1');
  const [a, b] = [peers.of(Uint8Array.of(10, 0, 0, 1)), peers.of(Uint8Array.of(10, 0, 0, 2))];
  only.opened(a);
  only.opened({ ...a });
  expect(only.peer).toEqual(a);
  only.opened(b);
  expect(only.peer).toBeNull();
  only.closed();
  only.opened(a);
  expect(only.peer).toBeNull();
  for (let open = 3; open > 0; open--) only.closed();
  only.opened(b);
  expect(only.peer).toBe(b);
});

test('more peers than are remembered are still distinguished', () => {
  const peers = peersTrusting('');
  for (let at = 0; at < 25_000; at++) {
    const bytes = Uint8Array.of(10, at >> 16, (at >> 8) & 255, at & 255);
    expect(peers.of(bytes).text).toBe(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
  }
});

test('a body is kept up to its limit, in its own memory, and what was cut is reported', () => {
  const reader = new BodyReader(5);
  const chunk = new TextEncoder().encode('abc').buffer;
  reader.take(chunk);
  new Uint8Array(chunk).fill(0);
  reader.take(new TextEncoder().encode('defg').buffer);
  expect(Buffer.from(reader.body()).toString()).toBe('abcde');
  expect(reader.cut).toBe(true);
});
