import { expect, test } from 'vitest';
import { natsAddresses } from '../../../src/store/replicated/nats-addresses.ts';

test('servers have a port, and the first credentials count', () => {
  expect(natsAddresses(['nats://a', 'nats://tok%40en@b:4333', 'nats://[::1]'])).toEqual({
    servers: ['a:4222', 'b:4333', '[::1]:4222'],
    hosts: ['a', 'b', '[::1]'],
    monitors: ['http://a:8222', 'http://b:8222', 'http://[::1]:8222'],
    isTls: false,
    token: 'tok@en',
    user: null,
    password: null,
  });
  expect(natsAddresses(['tls://user:pass@a?monitor=8333'])).toEqual({
    servers: ['a:4222'],
    hosts: ['a'],
    monitors: ['http://a:8333'],
    isTls: true,
    token: null,
    user: 'user',
    password: 'pass',
  });
});

test.each(['a', 'http://a', 'nats://', ''])('%j is refused', (url) => {
  expect(() => natsAddresses(['nats://a', url])).toThrow('server 2 of the cluster is no NATS address');
});

test.each(['nats://a?monitor=', 'nats://a?monitor=70000', 'nats://a?monitor=1&other=2', 'nats://a?token=x'])(
  '%j is refused for what is behind the address',
  (url) => {
    expect(() => natsAddresses([url])).toThrow('?monitor=PORT, and nothing else');
  },
);

test('a refusal does not say the token', () => {
  expect(() => natsAddresses(['http://secret@a'])).not.toThrow('secret');
  expect(() => natsAddresses(['http://secret@a'])).toThrow('no NATS address');
});
