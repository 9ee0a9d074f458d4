/** The planner against a small model of an installation: what it plans leads there, and then there is nothing more to plan. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ActualProject } from '../../src/apply/actual.ts';
import { exportDocument } from '../../src/apply/export.ts';
import { type Plan, planChanges } from '../../src/apply/plan.ts';
import { planLines } from '../../src/apply/plan-text.ts';
import { readDesired } from '../../src/apply/read-desired.ts';
import { withIds } from '../../src/apply/references.ts';
import { yamlText } from '../../src/apply/yaml-node.ts';
import { contentOf, isOpen } from '../../src/domain/configuration.ts';
import type { ConfigurationStep } from '../../src/domain/configuration-step.ts';

const fingerprint = (text: string): string => `#${text}`;
const noSecrets = { env: () => undefined, file: () => '' };

function desiredOf(document: unknown) {
  const files = [{ name: 'k.yaml', text: yamlText(document), directory: '/' }];
  return readDesired(files, noSecrets);
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] extends readonly (infer Item)[] ? Item[] : T[Name] };
type Step<Name extends ConfigurationStep['do']> = Extract<ConfigurationStep, { do: Name }>;

/** What a server has, as `config show` shows it. */
class Model {
  readonly projects: Mutable<ActualProject>[] = [];
  #ids = 0;

  #newId(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  #in(id: string): Mutable<ActualProject> {
    const project = this.projects.find((one) => one.id === id);
    if (!project) throw new Error(`no project ${id}`);
    return project;
  }

  run(plan: Plan): void {
    const ids = new Map<string, string>();
    for (const { step, members, reference } of plan.steps) {
      const id = this.#do(withIds(step, members, ids));
      if (reference !== null) ids.set(reference, id);
    }
  }

  #do(step: ConfigurationStep): string {
    switch (step.do) {
      case 'create-project': {
        const id = this.#newId();
        const empty = { keys: [], integrations: [], checks: [], checkCount: 0 };
        this.projects.push({ id, name: step.name, plan: step.plan, ...empty });
        return id;
      }
      case 'change-plan':
        this.#in(step.project).plan = step.plan;
        return step.project;
      case 'delete-project':
        this.projects.splice(this.projects.indexOf(this.#in(step.project)), 1);
        return step.project;
      case 'create-key': {
        const { name, scope, hash } = step;
        this.#in(step.project).keys.push({ id: this.#newId(), name, scope, hash: fingerprint(hash ?? name) });
        return '';
      }
      case 'delete-key': {
        const project = this.#in(step.project);
        project.keys = project.keys.filter(({ id }) => id !== step.id);
        return step.id;
      }
      case 'create-integration':
      case 'edit-integration':
      case 'delete-integration':
        return this.#doIntegration(step);
      default:
        return this.#doCheck(step);
    }
  }

  #doIntegration(step: Step<'create-integration' | 'edit-integration' | 'delete-integration'>): string {
    const project = this.#in(step.project);
    const before = project.integrations.find(({ id }) => id === step.id);
    project.integrations = project.integrations.filter(({ id }) => id !== step.id);
    if (step.do === 'delete-integration') return step.id;
    const kind = step.do === 'create-integration' ? step.kind : before?.kind;
    const id = step.id ?? this.#newId();
    if (!kind || (step.do === 'edit-integration' && step.expect !== before?.etag)) throw new Error('stale');
    const content = step.value === null ? null : Object.entries(contentOf(kind, step.value));
    const part = (open: boolean) => content?.filter(([field]) => isOpen(kind, field) === open) ?? [];
    const hidden = part(false).map(([field, text]) => [field, fingerprint(text)]);
    const { disabled, ...settings } = step.settings;
    project.integrations.push({
      id,
      etag: this.#newId(),
      name: step.name,
      kind,
      shown: content ? Object.fromEntries(part(true)) : (before?.shown ?? {}),
      hidden: content ? Object.fromEntries(hidden) : (before?.hidden ?? {}),
      ...settings,
      disabled: disabled ?? before?.disabled ?? false,
    });
    return id;
  }

  #doCheck(step: Step<'create-check' | 'edit-check' | 'delete-check'>): string {
    const project = this.#in(step.project);
    const before = project.checks.find(({ id }) => id === step.id);
    if (step.do !== 'create-check' && step.expect !== before?.etag) throw new Error('stale');
    const id = step.id ?? this.#newId();
    const others = project.checks.filter((check) => check.id !== id);
    const known = new Set(project.integrations.map((one) => one.id));
    if (step.do !== 'delete-check') {
      const { fields, integrations } = step;
      if (!integrations.every((one) => known.has(one))) throw new Error('no such integration');
      others.push({ id, etag: this.#newId(), fields, integrations });
    }
    project.checks = others;
    project.checkCount = others.length;
    return id;
  }

  exported(): unknown {
    return exportDocument(this.projects, { secrets: false, fingerprint }).document;
  }
}

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
      keys: uniqueBy(fc.record({ name, scope: fc.constant('ping') }), (key) => key.name),
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
    })
    .map(({ integrations, checks, ...rest }) => ({
      ...rest,
      integrations: integrations.map(({ what, ...one }) => ({ ...one, ...what })),
      checks: checks.map(({ when, assigned, ...check }) => ({
        ...check,
        ...when,
        integrations:
          assigned === '*' ? '*' : [...new Set(assigned.flatMap((at) => integrations[at]?.name ?? []))],
      })),
    }));

/** A kind cannot be changed, so each name has one. */
const fixedKinds = (document: { projects: { integrations: { name: string; kind: string }[] }[] }) => {
  const kinds = new Map<string, string>();
  return document.projects.every(({ integrations }) =>
    integrations.every(({ name: one, kind }) => (kinds.get(one) ?? kinds.set(one, kind).get(one)) === kind),
  );
};

const documents = (kinds: typeof kindAndFields) =>
  fc.record({ projects: uniqueBy(project(kinds), (one) => one.name) });

describe('any configuration', () => {
  test('is reached from any other, and then planned as nothing', () => {
    const kinds = fc.oneof(kindAndFields, secretKinds) as typeof kindAndFields;
    fc.assert(
      fc.property(documents(kinds), documents(kinds), fc.boolean(), (first, second, prune) => {
        fc.pre(fixedKinds({ projects: [...first.projects, ...second.projects] }));
        const model = new Model();
        for (const document of [first, second]) {
          const { desired, problems } = desiredOf(document);
          expect(problems).toEqual([]);
          const plan = planChanges(desired, model.projects, { prune, fingerprint });
          expect(plan.problems).toEqual([]);
          if (!prune) expect(plan.steps.filter(({ symbol }) => symbol === '-')).toEqual([]);
          model.run(plan);
          expect(planChanges(desired, model.projects, { prune, fingerprint })).toEqual({
            steps: [],
            problems: [],
          });
        }
        if (!prune) return;
        const names = (list: readonly { name: string }[]) => list.map((one) => one.name).sort();
        expect(names(model.projects)).toEqual(names(second.projects));
        for (const { name: of, keys, checks, integrations } of second.projects) {
          const there = model.projects.find((one) => one.name === of);
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
        one.run(planChanges(desiredOf(document).desired, [], { prune: false, fingerprint }));
        const exported = one.exported();
        const { desired, problems } = desiredOf(exported);
        expect(problems).toEqual([]);
        expect(planChanges(desired, one.projects, { prune: true, fingerprint }).steps).toEqual([]);
        const reversed = { projects: [...document.projects].reverse() };
        other.run(planChanges(desiredOf(reversed).desired, [], { prune: false, fingerprint }));
        expect(yamlText(other.exported())).toBe(yamlText(exported));
      }),
      { numRuns: 40 },
    );
  });
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

function modelOf(document: unknown): Model {
  const model = new Model();
  model.run(planChanges(desiredOf(document).desired, [], { prune: false, fingerprint }));
  return model;
}

function planFor(document: unknown, model: Model, prune = false): Plan {
  return planChanges(desiredOf(document).desired, model.projects, { prune, fingerprint });
}

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

  test('a kind would change, or a scope', () => {
    const other = {
      projects: [
        { name: 'web', integrations: [{ name: 'mail', kind: 'sms', fields: { value: '+4912345678' } }] },
      ],
    };
    expect(refusal(other, modelOf(base))).toEqual([expect.stringContaining('is of kind email')]);
    const keys = (scope: string) => ({ projects: [{ name: 'web', keys: [{ name: 'k', scope }] }] });
    expect(refusal(keys('ping'), modelOf(keys('read-only')))).toEqual([
      expect.stringContaining('has the scope read-only'),
    ]);
  });

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
