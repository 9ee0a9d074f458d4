import { expect, test } from 'vitest';
import { PasskeyChallenges } from '../../../../src/http/web/calls/passkey-challenges.ts';
import { asUserId } from '../../../../src/lib/ids.ts';

const ada = asUserId('00000000-0000-4000-8000-000000000001');
const eve = asUserId('00000000-0000-4000-8000-000000000002');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

test('a challenge is good once, for whom it was made, for some minutes', () => {
  const challenges = new PasskeyChallenges();
  const [one, late] = [text(challenges.create(ada, 0)), text(challenges.create(ada, 0))];
  expect(challenges.take(one, eve, 1000)).toBe(false);
  expect(challenges.take(one, null, 1000)).toBe(false);
  expect(challenges.take(one, ada, 1000)).toBe(true);
  expect(challenges.take(one, ada, 1000)).toBe(false);
  expect(challenges.take(late, ada, 300_001)).toBe(false);
});

test('of too many the oldest are forgotten', () => {
  const challenges = new PasskeyChallenges();
  const all = Array.from({ length: 10_001 }, () => text(challenges.create(null, 0)));
  expect(challenges.take(all[0] ?? '', null, 0)).toBe(false);
  expect(challenges.take(all[1] ?? '', null, 0)).toBe(true);
  expect(challenges.take(all.at(-1) ?? '', null, 0)).toBe(true);
});
