/** The header of the PROXY protocol, byte by byte. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseProxyHeader } from '../../src/smtp/proxy-header.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n');

test('is incomplete until its last byte, and takes nothing of what follows', () => {
  const addresses = [203, 0, 113, 9, 192, 0, 2, 1, 0, 1, 0, 25];
  const rest = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(rest, rest, (more, after) => {
      const length = addresses.length + more.length;
      const header = Buffer.from([...signature, 0x21, 0x11, 0, length, ...addresses, ...more]);
      for (let bytes = 0; bytes < header.length; bytes++) {
        expect(parseProxyHeader(header.subarray(0, bytes))).toEqual({ kind: 'incomplete' });
      }
      const whole = { kind: 'whole', bytes: header.length, remoteAddr: '203.0.113.9' };
      expect(parseProxyHeader(Buffer.concat([header, after]))).toEqual(whole);
    }),
  );
});

test('of any other bytes is malformed, or waits for more: it never throws', () => {
  const behindSignature = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([signature, bytes]));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), behindSignature), (bytes) => {
      expect(['whole', 'incomplete', 'malformed']).toContain(parseProxyHeader(Buffer.from(bytes)).kind);
    }),
  );
});
