import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UuidWords } from '../../../src/lib/uuid-words.ts';
import { ByteReader } from '../../../src/store/codec/byte-reader.ts';
import { checkRow, readState } from '../../../src/store/codec/check.ts';
import { emptyFacts, readCheckFacts } from '../../../src/store/codec/check-facts.ts';
import { CheckPart, CheckPartWriter, partBytes } from '../../../src/store/codec/check-part.ts';
import { bytesOfUuid, textOfWords } from '../../../src/store/codec/uuid.ts';
import { anyStoredCheck } from '../../support/engine/arbitraries.ts';
import { partOf, stateBytes } from '../../support/engine/check-parts.ts';

const memory = new SharedArrayBuffer(partBytes);

test('says of each check what its row and its state say', () => {
  fc.assert(
    fc.property(fc.array(anyStoredCheck, { minLength: 1, maxLength: 40 }), (checks) => {
      const part = partOf(memory, checks);
      expect(part.count).toBe(checks.length);
      for (const [place, check] of checks.entries()) {
        part.seek(place);
        const row = checkRow.write(check);
        const facts = emptyFacts();
        readCheckFacts(row, facts);
        expect(textOfWords(part.id)).toBe(check.id);
        expect(part.row.equals(row)).toBe(true);
        expect(part.state).toEqual(readState(new ByteReader(stateBytes(check.state))));
        const { isSimple, isPlain, timeoutS, graceS, createdAtMs, snoozedUntilMs } = facts;
        expect(part.facts).toMatchObject({
          isSimple,
          isPlain,
          timeoutS,
          graceS,
          createdAtMs,
          snoozedUntilMs,
        });
        expect(part.facts.projectId.equals(facts.projectId)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('takes no more than it has space for, and is none the worse for it', () => {
  const [check] = fc.sample(anyStoredCheck, { numRuns: 1, seed: 7 });
  if (!check) throw new Error('no check');
  const id = bytesOfUuid(check.id);
  const state = stateBytes(check.state);
  const long = checkRow.write({ ...check, config: { ...check.config, desc: 'x'.repeat(300_000) } });
  const writer = new CheckPartWriter(memory);
  expect(writer.isEmpty).toBe(true);
  for (let n = 0; n < 3; n++) expect(writer.put(id, state, long)).toBe(true);
  expect(writer.put(id, state, long)).toBe(false);
  const row = checkRow.write({ ...check, config: { ...check.config, desc: '' } });
  let short = 0;
  while (short < 10_000 && writer.put(id, state, row)) short++;
  writer.close();
  const part = new CheckPart(memory);
  expect(part.count).toBe(3 + short);
  part.seek(2);
  expect(part.row.equals(long)).toBe(true);
  part.seek(part.count - 1);
  expect(part.row.equals(row)).toBe(true);
  expect(part.id.equals(new UuidWords().read(id))).toBe(true);
  // A state that is none of ours, or a row that is none.
  expect(new CheckPartWriter(memory).put(id, new Uint8Array(200), row)).toBe(false);
  expect(() => new CheckPartWriter(memory).put(id, state, row.subarray(0, 20))).toThrow('damaged');
});
