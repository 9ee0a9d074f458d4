/** Users in a plan: by the model of an installation, which refuses what the engine refuses. */
import { describe, expect, test } from 'vitest';
import { planLines } from '../../src/apply/plan-text.ts';
import { modelOf, planFor } from '../support/store/configuration-model.ts';

describe('users', () => {
  const team = {
    users: [
      { name: 'ann', role: 'owner' },
      { name: 'bob', role: 'viewer' },
    ],
  };

  test('are left alone where the file has no list of them, and so are projects', () => {
    const model = modelOf({ projects: [{ name: 'web' }], ...team });
    expect(planFor({ projects: [{ name: 'web' }] }, model, true).steps).toEqual([]);
    expect(planFor(team, model, true).steps).toEqual([]);
  });

  test('change places without a moment in which there is no owner', () => {
    const model = modelOf(team);
    const swapped = {
      users: [
        { name: 'Ann', role: 'viewer' },
        { name: 'Bob', role: 'owner' },
      ],
    };
    const plan = planFor(swapped, model, true);
    expect(planLines(plan.steps, { colour: false })).toEqual([
      'users',
      '  ~ user "bob"',
      '      role: "viewer" → "owner"',
      '  ~ user "ann"',
      '      role: "owner" → "viewer"',
      '',
    ]);
    model.run(plan);
    expect(planFor({ users: [{ name: 'bob', role: 'owner' }] }, model).steps).toEqual([]);
    const pruned = planFor({ users: [{ name: 'bob', role: 'owner' }] }, model, true);
    expect(pruned.steps.map(({ symbol, name: one }) => symbol + one)).toEqual(['-ann']);
  });
});

test.each([
  ['a file without an owner', [{ name: 'bob', role: 'editor' }], true],
  ['an empty list', [], true],
  ['the only owner with another role', [{ name: 'ANN', role: 'viewer' }], false],
])('no owner would be left, by %s', (_what, users, prune) => {
  const model = modelOf({
    users: [
      { name: 'ann', role: 'owner' },
      { name: 'bob', role: 'viewer' },
    ],
  });
  const plan = planFor({ users }, model, prune);
  expect(plan.problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^users: no owner would be left/),
  ]);
});
