/** The store's contract, held over every log: the audit log. */
import { describe, expect } from 'vitest';
import type { AuditEntry, AuditPlace } from '../../src/domain/accounts/audit.ts';
import { asAuditId } from '../../src/lib/ids.ts';
import { day } from '../../src/lib/units.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import { appendAll, checkOf, projectOf, uuidOf } from '../support/store/store-facts.ts';
import { storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { testNowMs } from '../support/store/stores.ts';

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { create, holdsThroughout, longTest, started } = storeSuite(kind);

  const auditOf = (number: number, atMs: number): AuditEntry => ({
    id: asAuditId(uuidOf(0xad, number)),
    atMs,
    actor: { kind: 'member', id: 'u1', name: 'Ärne', address: '192.0.2.1' },
    action: 'changed',
    subject: 'check',
    subjectId: checkOf(1).id,
    name: `check ${number}`,
    projectId: projectOf(1).id,
    projectName: 'pröject',
    fields: ['name', 'grace'],
    changes: [{ field: 'grace', before: '60', after: '' }],
    detail: '',
  });

  const auditIn = (store: Store, before: AuditPlace | null = null, limit = 100) =>
    store.audit(before, limit).map(({ name }) => Number(name.split(' ')[1]));

  longTest(
    'the audit log is read newest first, in the tail, folded, across openings and snapshots',
    async () => {
      const place = create();
      const store = await started(place);
      const entries = Array.from({ length: 7 }, (_, at) => auditOf(at, testNowMs - 10 + Math.floor(at / 2)));
      const record = (entry: AuditEntry): JournalRecord => ({ type: 'audit', entry });
      await appendAll(store, entries.slice(0, 4).map(record));
      expect(auditIn(store)).toEqual([3, 2, 1, 0]);
      await store.folded();
      await appendAll(store, entries.slice(4).map(record));
      const holdsAll = (one: Store): void => {
        expect(one.audit(null, 100)).toEqual([...entries].reverse());
        expect(auditIn(one, null, 3)).toEqual([6, 5, 4]);
        expect(auditIn(one, entries[4], 3)).toEqual([3, 2, 1]);
        expect(auditIn(one, entries[2], 2)).toEqual([1, 0]);
        expect(auditIn(one, entries[0])).toEqual([]);
        // Before all entries of an instant: no entry has that place.
        const firstOf = (atMs: number) => ({ atMs, id: asAuditId('00000000-0000-0000-0000-000000000000') });
        expect(auditIn(one, firstOf(testNowMs - 7), 3)).toEqual([5, 4, 3]);
        expect(auditIn(one, firstOf(testNowMs - 9))).toEqual([1, 0]);
        expect(auditIn(one, firstOf(testNowMs - 10))).toEqual([]);
      };
      await holdsThroughout(store, place, holdsAll);
    },
  );

  longTest(
    'of the audit log, the steps of snoozing a check are found by check, in the tail, folded, across openings and snapshots',
    async () => {
      const place = create();
      const store = await started(place);
      const [mine, other] = [checkOf(1).id, checkOf(2).id];
      const steps = (['acknowledged', 'unacknowledged', 'snoozed', 'unsnoozed'] as const).map(
        (action, at) => ({
          ...auditOf(at, testNowMs - 100 + at),
          action,
        }),
      );
      const others = [
        auditOf(10, testNowMs - 99),
        { ...auditOf(11, testNowMs - 98), action: 'snoozed' as const, subjectId: other },
        { ...auditOf(12, testNowMs - 97), subject: 'integration' as const, name: 'snoozed' },
        { ...auditOf(13, testNowMs - 91 * day), action: 'snoozed' as const },
      ];
      const record = (entry: AuditEntry): JournalRecord => ({ type: 'audit', entry });
      const whole = { fromMs: 0, untilMs: testNowMs };
      await appendAll(store, [...others, ...steps.slice(0, 2)].map(record));
      expect(store.snoozeAudit(mine, whole, 10)).toHaveLength(3);
      await store.folded();
      await appendAll(store, steps.slice(2).map(record));
      const holdsAll = (one: Store): void => {
        expect(one.snoozeAudit(mine, whole, 10)).toEqual([...steps].reverse());
        expect(one.snoozeAudit(mine, whole, 3)).toEqual([...steps].reverse().slice(0, 3));
        const range = { fromMs: testNowMs - 99, untilMs: testNowMs - 97 };
        expect(one.snoozeAudit(mine, range, 10)).toEqual([steps[2], steps[1]]);
        expect(one.snoozeAudit(other, whole, 10)).toEqual([others[1]]);
        expect(one.snoozeAudit(checkOf(3).id, whole, 10)).toEqual([]);
      };
      await holdsThroughout(store, place, holdsAll);
    },
  );

  longTest(
    'more entries than a slice of the fold takes, and those that are over 90 days old go',
    async () => {
      const place = create();
      const store = await started(place);
      const count = 2300;
      const old = Array.from({ length: 3 }, (_, at) => auditOf(9000 + at, testNowMs - 91 * day));
      const young = Array.from({ length: count }, (_, at) => auditOf(at, testNowMs - count + at));
      await appendAll(
        store,
        [...old, ...young].map((entry): JournalRecord => ({ type: 'audit', entry })),
      );
      expect(auditIn(store, null, 3000)).toHaveLength(count + 3);
      await store.folded();
      expect(auditIn(store, null, 3000)).toEqual(young.map((_, at) => count - 1 - at));
    },
  );
});
