import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import { tracksRuns } from '../../../src/domain/check/run-state.ts';
import { KnellError } from '../../../src/lib/errors.ts';
import { checkRow } from '../../../src/store/codec/check.ts';
import { emptyFacts, readCheckFacts } from '../../../src/store/codec/check-facts.ts';
import { textOfWords } from '../../../src/store/codec/uuid.ts';
import { anyStoredCheck } from '../../support/engine/arbitraries.ts';
import { isLong } from '../../support/long.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true, int64AsType: 'number' });

/** What a newer version may have added. */
const additions = fc.dictionary(
  fc.stringMatching(/^new_[a-z]{1,8}$/),
  fc.oneof(
    fc.string(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.array(fc.anything({ maxDepth: 1 }), { maxLength: 20 }),
  ),
  { maxKeys: 20 },
);

test('says of a row what decoding it says, whatever a newer version has added', () => {
  fc.assert(
    fc.property(anyStoredCheck, additions, (check, more) => {
      const row = packr.pack({ ...packr.unpack(checkRow.write(check)), ...more });
      const { projectId, badgeId, createdAtMs, config, snooze, runs } = checkRow.read(row);
      const isTracked = tracksRuns(config) || runs !== undefined;
      const facts = emptyFacts();
      readCheckFacts(row, facts);
      expect({
        projectId: textOfWords(facts.projectId),
        badgeId: textOfWords(facts.badgeId),
        createdAtMs: facts.createdAtMs,
        slug: row.toString('utf8', facts.slugStart, facts.slugEnd),
        isSimple: facts.isSimple,
        timeoutS: facts.timeoutS,
        graceS: facts.graceS,
        schedule: facts.schedule,
        tz: facts.tz,
        isPlain: facts.isPlain,
        isTracked: facts.isTracked,
        snoozedUntilMs: facts.snoozedUntilMs,
      }).toEqual({
        projectId,
        badgeId,
        createdAtMs,
        slug: config.slug,
        isSimple: config.kind === 'simple',
        timeoutS: config.timeoutS,
        graceS: config.graceS,
        schedule: config.schedule,
        tz: config.tz,
        isPlain:
          config.methods === '' &&
          !config.filterSubject &&
          !config.filterBody &&
          !config.filterHttpBody &&
          config.exitCodes === '' &&
          !isTracked,
        isTracked,
        snoozedUntilMs: snooze?.untilMs ?? 0,
      });
    }),
  );
});

test('damaged rows are named as such, or say something: nothing else comes of them', () => {
  fc.assert(
    fc.property(anyStoredCheck, fc.nat(), fc.nat(255), fc.nat(), (check, at, byte, cut) => {
      const row = Buffer.from(checkRow.write(check));
      row[at % row.length] = byte;
      const part = row.subarray(0, cut % 3 === 0 ? cut % row.length : row.length);
      try {
        readCheckFacts(part, emptyFacts());
      } catch (error) {
        expect(error).toBeInstanceOf(KnellError);
        expect((error as KnellError).code).toBe('store-broken');
      }
    }),
    { numRuns: isLong ? 2000 : 300 },
  );
});

test.each([
  ['no map', packr.pack('text'), 'no map'],
  ['an empty map', packr.pack({}), 'lacks its project'],
  ['a name that is a number', packr.pack({ name: 7 }), 'name holds something else'],
  ['a negative timeout', packr.pack({ timeout: -7 }), 'something else than a number'],
  ['a short id', packr.pack({ project: Buffer.alloc(3) }), 'lacks its project'],
])('%s is refused', (_what, row, words) => {
  expect(() => readCheckFacts(row, emptyFacts())).toThrow(words);
});
