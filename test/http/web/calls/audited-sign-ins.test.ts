/** Failed sign-ins cannot push what owners have done out of the audit log. */
import { expect, test } from 'vitest';
import type { AuditFact, Origin } from '../../../../src/domain/accounts/audit.ts';
import type { EngineChange } from '../../../../src/engine/contract/engine.ts';
import { createAuditedSignIns } from '../../../../src/http/web/calls/audited-sign-ins.ts';
import type { HttpRequest } from '../../../../src/http/wire/message.ts';
import { day, minute } from '../../../../src/lib/units.ts';
import { limits } from '../../../../src/limits.ts';
import { auditEntriesMax } from '../../../../src/store/disk/limits.ts';

const requestAt = (receivedAtMs: number) => ({ clientAddr: '192.0.2.1', receivedAtMs }) as HttpRequest;

function signIns() {
  const noted: (AuditFact & Origin)[] = [];
  const changeBy = (origin: Origin) =>
    ({ noteAudit: (fact: AuditFact) => noted.push({ ...fact, ...origin }) }) as unknown as EngineChange;
  return { noted, signIns: createAuditedSignIns({ changeBy }, limits.signIn.noted) };
}

test('those that come too often are counted in the next entry', () => {
  const { noted, signIns: audited } = signIns();
  for (let at = 0; at < 130; at++) audited.failed(undefined, requestAt(0), 'unknown name');
  expect(noted).toHaveLength(limits.signIn.noted.burst);
  audited.failed(undefined, requestAt(minute), 'unknown name');
  audited.failed(undefined, requestAt(2 * minute), 'unknown name');
  expect(noted.slice(-2).map(({ detail }) => detail)).toEqual([
    'unknown name; 30 more before it',
    'unknown name',
  ]);
  expect(noted.at(-1)?.actor).toMatchObject({ kind: 'member', name: '', address: '192.0.2.1' });
});

test('a try every second for 90 days takes up less than half of the log', () => {
  const { perMinute, burst } = limits.signIn.noted;
  expect(burst + (perMinute * 90 * day) / minute).toBeLessThan(auditEntriesMax / 2);
});
