import { isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, addressText, parseCidrList } from '../../src/lib/addresses.ts';

describe('a list of networks', () => {
  test.each([
    ['127.0.0.0/8,::1', '127.9.9.9', true],
    ['127.0.0.0/8,::1', '::1', true],
    ['127.0.0.0/8,::1', '128.0.0.1', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    [' 10.0.0.0/8 , 192.168.0.0/16 ', '192.168.7.7', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['', '127.0.0.1', false],
    ['127.0.0.0/8', 'not an address', false],
  ])('%j and %s: %s', (list, address, contained) => {
    expect(parseCidrList(list)?.contains(address)).toBe(contained);
  });

  test.each(['10.0.0.0/33', '10.0.0/8', 'localhost', '::1/129', '10.0.0.1/8/8', '10.0.0.1/x', '10.0.0.1/-1'])(
    'is refused when it holds %j',
    (list) => {
      expect(parseCidrList(`127.0.0.1,${list}`)).toBeNull();
    },
  );
});

describe('an address', () => {
  test.each([
    [[127, 0, 0, 1], '127.0.0.1'],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 1, 2, 3], '10.1.2.3'],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], '::1'],
    [[0x20, 1, 0x0d, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1], '2001:db8:0:1::1'],
    [[], ''],
  ])('of the bytes %j is %j', (bytes, text) => {
    expect(addressText(Uint8Array.from(bytes))).toBe(text);
  });

  test('of any 16 bytes is one that the platform reads back to the same canonical form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const text = addressText(bytes);
        expect(isIP(text)).not.toBe(0);
        if (isIPv6(text)) expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
      }),
    );
  });

  test('of any 4 or 16 bytes is read back to these bytes, in whatever form it is written', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
    );
    fc.assert(
      fc.property(bytes, (some) => {
        const shown = addressText(some);
        expect(addressText(addressBytes(shown))).toBe(shown);
        if (some.length === 16 && isIPv6(shown)) expect(addressBytes(shown)).toEqual(some);
      }),
    );
  });

  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:DB8::', '2001:db8::'],
    ['::', '::'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1.2.3', ''],
    ['', ''],
  ])('%j is %j', (text, shown) => {
    expect(addressText(addressBytes(text))).toBe(shown);
  });
});
