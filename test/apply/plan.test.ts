/** The planner against a small model of an installation: what it plans leads there, and then there is nothing more to plan. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planLines, planSummary } from '../../src/apply/plan-text.ts';
import { yamlText } from '../../src/apply/yaml-node.ts';
import { desiredOf, Model, modelOf, nothing, planFor, planOf } from '../support/store/configuration-model.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd e', 'f#"');
const uniqueBy = <Item>(items: fc.Arbitrary<Item>, keyOf: (item: Item) => string) =>
  fc.uniqueArray(items, { selector: keyOf, maxLength: 4 });

const kindAndFields = fc.oneof(
  fc
    .record({ value: fc.constantFrom('a@example.org', 'b@example.org'), up: fc.boolean() })
    .map((fields) => ({ kind: 'email', fields: { ...fields, down: true } })),
  fc
    .record({ value: fc.constantFrom('+4912345678', '+4987654321') })
    .map((fields) => ({ kind: 'sms', fields })),
);
const secretKinds = fc
  .constantFrom('https://example.org/1', 'https://example.org/2')
  .map((value) => ({ kind: 'mattermost', fields: { value } }));

const project = (kinds: typeof kindAndFields) =>
  fc
    .record({
      name: fc.constantFrom('p', 'q', 'r'),
      plan: fc.constantFrom('free', 'paid'),
      retention: fc.constantFrom('', 'pings 9 days', 'failures 1 year\nbodies 3 days'),
      keys: uniqueBy(fc.record({ name, scope: fc.constantFrom('ping', 'read-only') }), (key) => key.name),
      integrations: uniqueBy(
        fc.record({ name, what: kinds, delay: fc.constantFrom(0, 60), late: fc.boolean() }),
        (one) => one.name,
      ),
      checks: uniqueBy(
        fc.record({
          slug: fc.constantFrom('x', 'y', 'z'),
          desc: fc.constantFrom('', 'A text'),
          when: fc.constantFrom({ timeout: 60 }, { timeout: 86_400 }, { schedule: '* * * * *' }, {}),
          manual_resume: fc.boolean(),
          assigned: fc.oneof(fc.constant('*' as const), fc.array(fc.nat(3), { maxLength: 3 })),
        }),
        (check) => check.slug,
      ),
      pages: uniqueBy(
        fc.record({
          slug: fc.constantFrom('a', 'b'),
          title: fc.constantFrom('Northwind', 'ö: #'),
          time_zone: fc.constantFrom('UTC', 'Europe/Riga'),
          services: fc.array(
            fc.record({
              name,
              shows: fc.oneof(fc.constantFrom('prod', 'web'), fc.array(fc.nat(2), { maxLength: 3 })),
            }),
            { maxLength: 3 },
          ),
        }),
        (page) => page.slug,
      ),
    })
    .map(({ integrations, checks, pages, ...rest }) => ({
      ...rest,
      status_pages: pages.map(({ slug, services, ...page }) => ({
        ...page,
        // No two projects have the same.
        slug: `${rest.name}-${slug}`,
        services: services.flatMap(({ name: one, shows }): readonly object[] => {
          if (typeof shows === 'string') return [{ name: one, tag: shows }];
          const slugs = [...new Set(shows.flatMap((at) => checks[at]?.slug ?? []))];
          return slugs.length === 0 ? [] : [{ name: one, checks: slugs }];
        }),
      })),
      integrations: integrations.map(({ what, ...one }) => ({ ...one, ...what })),
      checks: checks.map(({ when, assigned, ...check }) => ({
        ...check,
        ...when,
        integrations:
          assigned === '*' ? '*' : [...new Set(assigned.flatMap((at) => integrations[at]?.name ?? []))],
      })),
    }));

/** The first is an owner: each configuration can follow any other. */
const users = uniqueBy(
  fc.record({
    name: fc.constantFrom('ann', 'Ann', 'bob', 'eve@example.org'),
    role: fc.constantFrom('owner', 'editor', 'viewer'),
  }),
  (user) => user.name.toLowerCase(),
).map(([first, ...others]) => (first ? [{ ...first, role: 'owner' }, ...others] : undefined));

const documents = (kinds: typeof kindAndFields) =>
  fc
    .record({ projects: uniqueBy(project(kinds), (one) => one.name), users })
    .map(({ projects, users: wanted }) => ({ projects, ...(wanted ? { users: wanted } : {}) }));

describe('any configuration', () => {
  test('is reached from any other, and then planned as nothing', () => {
    const kinds = fc.oneof(kindAndFields, secretKinds) as typeof kindAndFields;
    fc.assert(
      fc.property(documents(kinds), documents(kinds), fc.boolean(), (first, second, prune) => {
        const model = new Model();
        for (const document of [first, second]) {
          const { desired, problems } = desiredOf(document);
          expect(problems).toEqual([]);
          const plan = planOf(desired, model, prune);
          expect(plan.problems).toEqual([]);
          if (!prune) expect(plan.steps.filter(({ symbol }) => symbol === '-')).toEqual([]);
          model.run(plan);
          expect(planOf(desired, model, prune)).toEqual({
            steps: [],
            problems: [],
          });
        }
        if (!prune) return;
        const names = (list: readonly { name: string }[]) => list.map((one) => one.name).sort();
        expect(names(model.projects)).toEqual(names(second.projects));
        if (second.users)
          expect(model.users.map(({ name: one, role }) => `${one.toLowerCase()} ${role}`).sort()).toEqual(
            second.users.map(({ name: one, role }) => `${one.toLowerCase()} ${role}`).sort(),
          );
        for (const { name: of, keys, checks, integrations, status_pages } of second.projects) {
          const there = model.projects.find((one) => one.name === of);
          expect(there?.statusPages.map(({ slug }) => slug).sort()).toEqual(
            status_pages.map(({ slug }) => slug).sort(),
          );
          expect(names(there?.keys ?? [])).toEqual(names(keys));
          expect(names(there?.integrations ?? [])).toEqual(names(integrations));
          expect(there?.checks.map(({ fields }) => fields.slug).sort()).toEqual(
            checks.map(({ slug }) => slug).sort(),
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  test('comes back from its export as it is, in an order of its own', () => {
    fc.assert(
      fc.property(documents(kindAndFields), (document) => {
        const [one, other] = [new Model(), new Model()];
        one.run(planOf(desiredOf(document).desired, nothing));
        const exported = one.exported();
        const { desired, problems } = desiredOf(exported);
        expect(problems).toEqual([]);
        expect(planOf(desired, one, true).steps).toEqual([]);
        const reversed = {
          projects: [...document.projects].reverse(),
          users: [...(document.users ?? [])].reverse(),
        };
        other.run(planOf(desiredOf(reversed).desired, nothing));
        expect(yamlText(other.exported())).toBe(yamlText(exported));
      }),
      { numRuns: 40 },
    );
  });
});

test('a check without a slug is exported with its id, the only one too', () => {
  const id = '00000000-0000-4000-8000-00000000000a';
  const services = [{ name: 'Job', checks: [id] }];
  const status_pages = [{ slug: 'shop', title: 'Shop', services }];
  const model = modelOf({ projects: [{ name: 'web', checks: [{ id, name: 'job' }], status_pages }] });
  expect(planFor(model.exported(), model, true)).toEqual({ steps: [], problems: [] });
});

const base = {
  projects: [
    {
      name: 'web',
      integrations: [
        { name: 'mail', kind: 'email', fields: { value: 'a@example.org' } },
        { name: 'chat', kind: 'mattermost', fields: { value: 'https://example.org/s3cret' } },
        { name: 'all', kind: 'group', fields: { value: ['mail', 'chat'] } },
      ],
      checks: [{ slug: 'job', integrations: ['all'] }],
    },
  ],
};

test('a group names integrations that the same file creates, and is created after them', () => {
  const model = modelOf(base);
  const [web] = model.projects;
  const idOf = (wanted: string) => web?.integrations.find((one) => one.name === wanted)?.id;
  const group = web?.integrations.find(({ kind }) => kind === 'group');
  expect(group?.shown.value?.split(',').sort()).toEqual([idOf('mail'), idOf('chat')].sort());
  expect(planFor(base, model).steps).toEqual([]);
});

test('a plan shows what was and what will be, and no secret', () => {
  const changed = JSON.parse(
    JSON.stringify(base).replace('s3cret', 'other').replace('"job"', '"job","grace":60'),
  );
  const lines = planLines(planFor(changed, modelOf(base)).steps, { colour: false });
  expect(lines).toEqual([
    'project "web"',
    '  ~ integration "chat"',
    '      value: (secret)',
    '  ~ check "job"',
    '      grace: 60',
    '',
  ]);
  expect(planLines(planFor(changed, new Model()).steps, { colour: true }).join()).not.toMatch(/s3cret|other/);
});

describe('what cannot be changed is replaced', () => {
  const keys = (scope: string) => ({ projects: [{ name: 'web', keys: [{ name: 'k', scope }] }] });

  test('an integration of another kind, with its id, and so with its checks and groups', () => {
    const other = JSON.parse(JSON.stringify(base));
    const at = other.projects[0].integrations.findIndex(({ name: one }: { name: string }) => one === 'mail');
    other.projects[0].integrations[at] = { name: 'mail', kind: 'sms', fields: { value: '+4912345678' } };
    const model = modelOf(base);
    const plan = planFor(other, model);
    expect(planLines(plan.steps, { colour: false })).toEqual([
      'project "web"',
      '  -/+ integration "mail" must be replaced',
      '      kind: "email" → "sms"',
      '      value: "+4912345678"',
      '      down: "yes"',
      '      up: "yes"',
      '',
    ]);
    expect(planSummary(plan.steps)).toBe('0 to create, 0 to change, 1 to replace, 0 to delete');
    model.run(plan);
    expect(planFor(other, model).steps).toEqual([]);
  });

  test('a key of another scope', () => {
    const [model] = [modelOf(keys('read-only'))];
    const plan = planFor(keys('ping'), model);
    expect(planLines(plan.steps, { colour: false })).toEqual([
      'project "web"',
      '  -/+ key "k" must be replaced',
      '      scope: "read-only" → "ping"',
      '',
    ]);
    model.run(plan);
    expect(planFor(keys('ping'), model).steps).toEqual([]);
  });
});

describe('pruning', () => {
  const without = (part: string, value: unknown) => ({ projects: [{ name: 'web', [part]: value }] });

  test('deletes what a list does not have, and leaves a list alone that is not there', () => {
    const model = modelOf(base);
    expect(
      planFor(without('checks', []), model, true).steps.map(({ symbol, name: one }) => symbol + one),
    ).toEqual(['-job']);
    expect(planFor({ projects: [{ name: 'web' }] }, model, true).steps).toEqual([]);
    expect(planFor(without('checks', []), model).steps).toEqual([]);
  });

  test('deletes integrations after the checks that use them were changed', () => {
    const fewer = {
      projects: [
        {
          ...base.projects[0],
          integrations: base.projects[0]?.integrations.slice(0, 1),
          checks: [{ slug: 'job', integrations: '*' }],
        },
      ],
    };
    const { steps } = planFor(fewer, modelOf(base), true);
    expect(steps.map(({ step }) => step.do)).toEqual([
      'edit-check',
      'delete-integration',
      'delete-integration',
    ]);
  });

  test('never revokes a key without a name', () => {
    const model = modelOf(base);
    model.projects[0]?.keys.push({ id: 'k', name: '', scope: 'ping', hash: 'h' });
    expect(planFor(without('keys', []), model, true).steps).toEqual([]);
  });
});

describe('it is a problem, and nothing is planned, that', () => {
  const refusal = (document: unknown, model: Model): readonly string[] =>
    planFor(document, model).problems.map(({ text }) => text);

  test('an integration is not there, or a name means several', () => {
    const unknown = { projects: [{ name: 'web', checks: [{ slug: 'job', integrations: ['none'] }] }] };
    expect(refusal(unknown, modelOf(base))).toEqual(['there is no integration none in this project']);
    const model = modelOf(base);
    const [web] = model.projects;
    const [job] = web?.checks ?? [];
    if (job) web?.checks.push({ ...job, id: 'other' });
    expect(refusal(base, model)).toEqual([expect.stringContaining('several checks have the slug job')]);
  });
});
