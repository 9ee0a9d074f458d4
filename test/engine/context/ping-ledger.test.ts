import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signals } from '../../../src/domain/check/ping.ts';
import { PingLedger } from '../../../src/engine/context/ping-ledger.ts';
import { CheckTable } from '../../../src/engine/registry/check-table.ts';
import { fastStep } from '../../../src/engine/registry/fast-ping.ts';
import { asCheckId, asRunId } from '../../../src/lib/ids.ts';
import { checkRow } from '../../../src/store/codec/check.ts';
import { anyCheck, t0 } from '../../support/engine/checks.ts';
import { words } from '../../support/words.ts';

const uuid = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-00000000000f`;

const ping = fc.record({
  check: fc.integer({ min: 0, max: 3 }),
  signal: fc.constantFrom(...signals),
  rid: fc.constantFrom(null, asRunId(uuid(1)), asRunId(uuid(2))),
});

test('pings that are rolled back, newest first, leave every check as it was; those that are durable are answered in order', () => {
  fc.assert(
    fc.property(
      fc.array(anyCheck, { minLength: 4, maxLength: 4 }),
      fc.array(ping, { maxLength: 40 }),
      fc.nat(40),
      (checks, pings, durable) => {
        const table = new CheckTable();
        const answered: string[] = [];
        const ledger = new PingLedger<string>(table.rows, {
          durable: (_handle, answer, who) => answer('ok', who),
          rolledBack: (_handle, answer, who) => answer('undone', who),
        });
        const handles = checks.map((check, number) => {
          const handle = table.add(words(asCheckId(uuid(number))), checkRow.write(check));
          table.putState(handle, check.state);
          return handle;
        });
        const befores: unknown[][] = [];
        const answer = (outcome: string, who: number): void => void answered.push(`${outcome} ${who}`);
        for (const { check, signal, rid } of pings) {
          const handle = handles[check] ?? 0;
          const before = handles.map((one) => table.check(one));
          ledger.note(handle, answer, befores.length);
          if (fastStep(table.rows, table.timings, handle, signal, t0 + befores.length, rid))
            befores.push(before);
          else ledger.cancel();
        }
        const kept = Math.min(durable, befores.length);
        expect(ledger.size).toBe(befores.length);
        for (let number = 0; number < kept; number++) ledger.durable();
        for (let number = befores.length - 1; number >= kept; number--) {
          ledger.rolledBack();
          expect(handles.map((one) => table.check(one))).toEqual(befores[number]);
        }
        const numbers = befores.map((_, number) => number);
        expect(answered).toEqual([
          ...numbers.slice(0, kept).map((number) => `ok ${number}`),
          ...numbers
            .slice(kept)
            .reverse()
            .map((number) => `undone ${number}`),
        ]);
      },
    ),
  );
});

test('holds many thousands at once', () => {
  const table = new CheckTable();
  const [check] = fc.sample(anyCheck, { numRuns: 1, seed: 1 });
  const handle = check ? table.add(words(check.id), checkRow.write(check)) : -1;
  const answered: number[] = [];
  const ledger = new PingLedger<string>(table.rows, {
    durable: (_handle, answer, who) => answer('ok', who),
    rolledBack: () => {},
  });
  const answer = (_outcome: string, who: number): void => void answered.push(who);
  for (let turn = 0; turn < 3; turn++) {
    for (let number = 0; number < 5000; number++) ledger.note(handle, answer, number);
    for (let number = 0; number < 5000; number++) ledger.durable();
  }
  const each = Array.from({ length: 5000 }, (_, number) => number);
  expect(answered).toEqual([...each, ...each, ...each]);
});
