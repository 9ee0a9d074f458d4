import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputTail } from '../../src/client/output-tail.ts';

test('keeps, of a small limit, the last bytes of what is written, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 })),
      fc.nat(40),
      (parts, max) => {
        const tail = new OutputTail(max);
        for (const part of parts) tail.add(Buffer.from(part));
        const whole = parts.join('');
        expect(tail.bytes().toString()).toBe(max === 0 ? '' : whole.slice(-max));
        expect(tail.bytes(7).toString()).toBe(whole.slice(-Math.min(7, max) || whole.length));
      },
    ),
  );
});

test('begins with a whole character', () => {
  const tail = new OutputTail(10);
  tail.add(Buffer.from('äöüß€'.repeat(5)));
  expect(tail.bytes().toString()).toBe('öüß€');
  expect(tail.bytes().toString()).not.toContain('\ufffd');
});
