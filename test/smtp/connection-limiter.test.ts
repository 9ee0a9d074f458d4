/** Which connection gives way to a new one. */
import { describe, expect, test } from 'vitest';
import { ConnectionLimiter, type LimitedConnection } from '../../src/smtp/connection-limiter.ts';

function opened(
  limiter: ConnectionLimiter,
  remoteAddress: string,
  evicted: string[],
  isBusy = false,
): boolean {
  const connection: LimitedConnection = { remoteAddress, isBusy, evict: () => evicted.push(remoteAddress) };
  return limiter.add(connection);
}

describe('a connection beyond the limit of its client', () => {
  test.each([
    ['of one IPv6 network', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3'], ['2001:db8::1']],
    ['of one IPv4 address in two spellings', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], ['192.0.2.1']],
    ['is not counted with another network', ['2001:db8::1', '2001:db8:0:1::2', '2001:db8:0:2::3'], []],
    ['is not counted with another address', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], []],
  ])('%s takes the place of the oldest idle one', (_what, addresses, gone) => {
    const limiter = new ConnectionLimiter({ connectionsMax: 10, connectionsPerPeerMax: 2 });
    const evicted: string[] = [];
    expect(addresses.map((address) => opened(limiter, address, evicted))).toEqual([true, true, true]);
    expect(evicted).toEqual(gone);
  });

  test('is refused while the others are in the middle of a mail', () => {
    const limiter = new ConnectionLimiter({ connectionsMax: 10, connectionsPerPeerMax: 1 });
    const evicted: string[] = [];
    expect(opened(limiter, '2001:db8::1', evicted, true)).toBe(true);
    expect(opened(limiter, '2001:db8::2', evicted)).toBe(false);
    expect(evicted).toEqual([]);
  });
});
