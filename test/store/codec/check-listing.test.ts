import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import { freshState } from '../../../src/domain/check/check.ts';
import { listedOf } from '../../../src/domain/check/listed-check.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { checkRow } from '../../../src/store/codec/check.ts';
import { readListing } from '../../../src/store/codec/check-listing.ts';
import { createIntern } from '../../../src/store/codec/intern.ts';
import { anyStoredCheck } from '../../support/engine/arbitraries.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true, int64AsType: 'number' });
const id = asCheckId('00000001-0000-4000-8000-000000000000');

/** What a newer version may have added. */
const additions = fc.dictionary(
  fc.stringMatching(/^new_[a-z]{1,8}$/),
  fc.oneof(fc.string(), fc.boolean(), fc.array(fc.anything({ maxDepth: 1 }), { maxLength: 20 })),
  { maxKeys: 20 },
);

test('a list shows of a row what the decoded check says, whatever a newer version has added', () => {
  const intern = createIntern();
  fc.assert(
    fc.property(anyStoredCheck, additions, (check, more) => {
      const row = packr.pack({ ...packr.unpack(checkRow.write(check)), ...more });
      const decoded = listedOf({ id, ...checkRow.read(row), state: freshState });
      expect({ id, ...readListing(row, intern), state: freshState }).toEqual(decoded);
    }),
  );
});
