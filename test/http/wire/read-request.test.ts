import { describe, expect, test } from 'vitest';
import { clientOf, OnlyPeer, originOf, Peers } from '../../../src/http/wire/read-request.ts';
import { parseCidrList } from '../../../src/lib/addresses.ts';

function peersTrusting(list: string): Peers {
  const trust = parseCidrList(list);
  if (!trust) throw new Error(`not a list: ${list}`);
  return new Peers(trust);
}

const proxy = Uint8Array.of(127, 0, 0, 1);
const stranger = Uint8Array.of(203, 0, 113, 9);

describe('where a request came from', () => {
  const peers = peersTrusting('127.0.0.0/8,10.0.0.0/8');
  const seen = (bytes: Uint8Array, forwardedFor = '', proto = '') => {
    const peer = peers.of(bytes);
    return { ...originOf(peer, forwardedFor, proto), clientAddr: clientOf(peers, peer, forwardedFor) };
  };

  test('is the peer itself when nothing is forwarded', () => {
    expect(seen(proxy)).toEqual({ remoteAddr: '127.0.0.1', clientAddr: '127.0.0.1', scheme: 'http' });
  });

  test('is for information the leftmost, for guarding the rightmost address that is not trusted', () => {
    expect(seen(proxy, '198.51.100.1, 203.0.113.7, 10.0.0.2', 'https')).toEqual({
      remoteAddr: '198.51.100.1',
      clientAddr: '203.0.113.7',
      scheme: 'https',
    });
  });

  test('cannot be made up by a client behind the proxy to escape its limit', () => {
    const made = ['1.1.1.1', '2.2.2.2', '3.3.3.3'].map(
      (fake) => seen(proxy, `${fake}, 203.0.113.7`).clientAddr,
    );
    expect(new Set(made)).toEqual(new Set(['203.0.113.7']));
  });

  test('is not believed of a stranger', () => {
    expect(seen(stranger, '198.51.100.1', 'https')).toEqual({
      remoteAddr: '203.0.113.9',
      clientAddr: '203.0.113.9',
      scheme: 'http',
    });
  });

  test.each(['unknown', '<b>', ' , ,', '999.1.1.1', '_hidden'])(
    'ignores %j, which is no address',
    (forwardedFor) => {
      expect(seen(proxy, forwardedFor)).toMatchObject({ remoteAddr: '127.0.0.1', clientAddr: '127.0.0.1' });
    },
  );

  test.each([
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['[::FFFF:c633:6401]:443', '198.51.100.1'],
  ])('loses the port of %s, and has one spelling', (forwardedFor, remoteAddr) => {
    expect(seen(proxy, forwardedFor).remoteAddr).toBe(remoteAddr);
  });

  test('trusts a proxy in whichever spelling another one names it', () => {
    expect(seen(proxy, '203.0.113.7, ::ffff:10.0.0.2, ::ffff:a00:3').clientAddr).toBe('203.0.113.7');
  });

  test('counts an IPv6 client by its network', () => {
    const own = ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '[2001:db8:0:1:0:0:0:7]:80'];
    expect(new Set(own.map((hop) => seen(proxy, hop).clientAddr))).toEqual(new Set(['2001:db8:0:1::/64']));
    expect(seen(proxy, '2001:db8:0:2::1').clientAddr).toBe('2001:db8:0:2::/64');
    const bytes = Uint8Array.of(0x20, 1, 0x0d, 0xb8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9);
    expect(seen(bytes)).toMatchObject({
      clientAddr: '2001:db8:0:1::/64',
      remoteAddr: expect.stringMatching(/9$/),
    });
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
