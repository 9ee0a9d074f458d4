/** The table beside a map of plain objects, over random histories: what comes out is what went in. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Check, type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import { withDeadlines } from '../../../src/domain/check/deadline.ts';
import { CheckTable } from '../../../src/engine/registry/check-table.ts';
import { slugHash } from '../../../src/engine/registry/slug-index.ts';
import { asBadgeId, asChannelId, asCheckId, asProjectId } from '../../../src/lib/ids.ts';
import { checkRow } from '../../../src/store/codec/check.ts';
import { textOfWords } from '../../../src/store/codec/uuid.ts';
import { anyCheck, checkWith } from '../../support/engine/checks.ts';
import { isLong } from '../../support/long.ts';
import { words } from '../../support/words.ts';

const uuid = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-00000000000f`;

const owners = fc.record({
  name: fc.string({ unit: 'binary', maxLength: 100 }),
  slug: fc.stringMatching(/^[a-z0-9_-]{0,100}$/),
  tags: fc.string({ maxLength: 20 }),
  desc: fc.oneof(
    { weight: 5, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constant('x'.repeat(90_000)) },
  ),
  methods: fc.constantFrom('' as const, 'POST' as const),
  filterSubject: fc.boolean(),
  filterHttpBody: fc.boolean(),
  channels: fc.uniqueArray(fc.integer({ min: 1, max: 4 }).map((number) => asChannelId(uuid(number)))),
});

const anyOwned: fc.Arbitrary<Check> = fc
  .tuple(anyCheck, owners, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9 }))
  .map(([check, more, project, badge]) => {
    const config: CheckConfig = { ...defaultConfig, ...check.config, ...more };
    return {
      ...check,
      config,
      projectId: asProjectId(uuid(1000 + project)),
      badgeId: asBadgeId(uuid(2000 + badge)),
      state: withDeadlines(config, check.state),
    };
  });

const step = fc.record({
  number: fc.integer({ min: 0, max: 12 }),
  action: fc.constantFrom('put' as const, 'put' as const, 'state' as const, 'free' as const, 'look' as const),
  check: anyOwned,
});

test('agrees with plain objects, whatever is put, replaced and freed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const table = new CheckTable();
      const handles = new Map<number, number>();
      const model = new Map<number, Check>();
      for (const { number, action, check: other } of steps) {
        const check: Check = { ...other, id: asCheckId(uuid(number)) };
        const handle = handles.get(number);
        if (handle === undefined) {
          const added = table.add(words(check.id), checkRow.write(check));
          table.putState(added, check.state);
          handles.set(number, added);
          model.set(number, check);
        } else if (action === 'put') {
          table.put(handle, check);
          model.set(number, check);
        } else if (action === 'state') {
          const before = model.get(number) as Check;
          const state = withDeadlines(before.config, check.state);
          table.putState(handle, state);
          model.set(number, { ...before, state });
        } else if (action === 'free') {
          table.free(handle);
          handles.delete(number);
          model.delete(number);
        } else expect(table.check(handle)).toEqual(model.get(number));
      }
      expect([...table.handles()].sort()).toEqual([...handles.values()].sort());
      for (const [number, handle] of handles) agrees(table, handle, model.get(number) as Check);
    }),
    { numRuns: isLong ? 300 : 60 },
  );
});

function agrees(table: CheckTable, handle: number, check: Check): void {
  const { config, state } = check;
  expect(table.check(handle)).toEqual(check);
  expect(table.check(handle)).toBe(table.check(handle));
  expect(textOfWords(table.badgeWords(handle))).toBe(check.badgeId);
  expect([table.id(handle), table.projectId(handle), table.slug(handle)]).toEqual([
    check.id,
    check.projectId,
    config.slug,
  ]);
  expect(table.slugHash(handle)).toBe(config.slug === '' ? null : slugHash(config.slug));
  expect(table.slugIs(handle, config.slug)).toBe(true);
  expect(table.slugIs(handle, `${config.slug}x`)).toBe(false);
  expect(table.rowIncludes(handle, Buffer.from(config.name))).toBe(true);
  table.derive(handle);
  expect(table.check(handle).state).toEqual(state);
}

test('a check that nobody has asked for lately is decoded anew, and the same', () => {
  const table = new CheckTable();
  const checks = Array.from({ length: 20_000 }, (_, number): Check => {
    const config = { ...defaultConfig, name: `job ${number}`, slug: `job-${number}` };
    return { ...checkWith({}), id: asCheckId(uuid(number)), config };
  });
  const handles = checks.map((check) => table.add(words(check.id), checkRow.write(check)));
  for (const [at, handle] of handles.entries()) expect(table.check(handle).config.name).toBe(`job ${at}`);
  const [first = 0] = handles;
  expect(table.check(first)).toEqual(checks[0]);
});
