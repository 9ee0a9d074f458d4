/** What is kept of mails in flight, and what it costs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bothEnds } from '../../src/lib/both-ends.ts';
import { KeptBytes, MailBudget } from '../../src/smtp/kept-bytes.ts';

test('keeps both ends of what came, however it was cut into pieces, and gives the budget back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 400 })),
      fc.integer({ min: 0, max: 2000 }),
      (pieces, max) => {
        const budget = new MailBudget(2000);
        const kept = new KeptBytes(budget, max);
        for (const piece of pieces) kept.add(piece);
        const whole = Buffer.concat(pieces);
        expect(Buffer.from(kept.bytes())).toEqual(Buffer.from(bothEnds(whole, max)));
        expect([kept.total, kept.cut, kept.overBudget]).toEqual([whole.length, whole.length > max, false]);
        kept.release();
        kept.release();
        expect([budget.take(2000), budget.take(1)]).toEqual([true, false]);
      },
    ),
  );
});

test('counts a mail out that does not fit into the budget, and everything that follows of it', () => {
  const budget = new MailBudget(100);
  const first = new KeptBytes(budget, 90);
  first.add(Buffer.alloc(90));
  const second = new KeptBytes(budget, 90);
  second.add(Buffer.alloc(5));
  second.add(Buffer.alloc(20));
  first.release();
  second.add(Buffer.alloc(1));
  expect([first.overBudget, second.overBudget, second.total, second.cut]).toEqual([false, true, 26, true]);
  second.release();
  expect(budget.take(100)).toBe(true);
});

test('takes nothing more once it was released', () => {
  const budget = new MailBudget(100);
  const kept = new KeptBytes(budget, 100);
  kept.release();
  kept.add(Buffer.alloc(50));
  expect(budget.take(100)).toBe(true);
});
