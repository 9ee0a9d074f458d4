/**
 * Plans the changes after which an installation is as a configuration asks: a list of steps in the order in which they can be
 * done. Not here: doing them (`cli/configuration/apply`), how they are shown (`plan-text`).
 * Invariants: pure; nothing is deleted unless `prune` says so, or another takes its place; once all steps are done, a new plan
 * is empty.
 */

import { settingsGiven } from '../domain/accounts/channel-settings.ts';
import { type ConfiguredIntegration, isOpen, valueOfContent } from '../domain/configuration/configuration.ts';
import type { Actual, ActualProject, PlanOptions } from './actual.ts';
import type { Desired, DesiredCheck, DesiredIntegration, DesiredKey, DesiredProject } from './desired.ts';
import { planMaintenance } from './plan-maintenance.ts';
import { planStatusPages, prunedStatusPages } from './plan-status-pages.ts';
import { planUsers } from './plan-users.ts';
import { bare, type Change, type PlannedStep } from './planned-step.ts';
import { createReferences, type References } from './references.ts';
import type { Problem } from './yaml-node.ts';

export interface Plan {
  readonly steps: readonly PlannedStep[];
  /** Problems; if there is one, nothing is done. */
  readonly problems: readonly Problem[];
}

/** Steps come in this order: each finds what it needs, and nothing is deleted before it is no longer needed. */
const order = [
  ...['create-project', 'change-plan', 'change-retention', 'create-key', 'replace-key'],
  ...['create-integration', 'replace-integration', 'edit-integration', 'create-check', 'edit-check'],
  ...['delete-status-page', 'create-status-page', 'edit-status-page'],
  ...['delete-maintenance', 'create-maintenance', 'edit-maintenance'],
  ...['delete-check', 'delete-integration', 'delete-key', 'delete-project'],
  ...['create-user', 'change-role', 'delete-user'],
];

export function planChanges({ projects, users }: Desired, actual: Actual, options: PlanOptions): Plan {
  const problems: Problem[] = [];
  const steps = (projects ?? []).flatMap((project) => {
    const known = actual.projects.find(({ name }) => name === project.name) ?? null;
    const planner = new ProjectPlanner(project, known, options, problems);
    return [
      ...planner.steps(),
      ...planner.statusPages(slugsOfOthers(project, actual.projects, options)),
      ...planner.maintenance(),
    ];
  });
  if (options.prune && projects) steps.push(...prunedProjects(projects, actual.projects));
  if (users) steps.push(...planUsers(users, actual.users, options.prune, problems));
  const rank = ({ step, members }: PlannedStep): number => order.indexOf(step.do) * 2 + (members ? 1 : 0);
  return { steps: steps.sort((a, b) => rank(a) - rank(b)), problems };
}

function prunedProjects(
  desired: readonly DesiredProject[],
  actual: readonly ActualProject[],
): readonly PlannedStep[] {
  const gone = actual.filter(({ name }) => !desired.some((project) => project.name === name));
  return gone.map(({ id, name, checkCount }) => ({
    ...bare({ symbol: '-', what: 'project', project: name, name }),
    changes: [{ field: 'checks', before: checkCount }],
    step: { do: 'delete-project', project: id, checks: checkCount },
  }));
}

/** Slugs of status pages that stay, whose projects the file does not mention or does not prune. */
function slugsOfOthers(
  { name }: DesiredProject,
  actual: readonly ActualProject[],
  { prune }: PlanOptions,
): ReadonlySet<string> {
  const others = prune ? [] : actual.filter((project) => project.name !== name);
  return new Set(others.flatMap(({ statusPages }) => statusPages.map(({ slug }) => slug)));
}

class ProjectPlanner {
  readonly #desired: DesiredProject;
  readonly #actual: ActualProject | null;
  readonly #options: PlanOptions;
  readonly #problems: Problem[];
  readonly #references: References;
  /** Id or reference of the project. */
  readonly #id: string;

  constructor(
    desired: DesiredProject,
    actual: ActualProject | null,
    options: PlanOptions,
    problems: Problem[],
  ) {
    this.#desired = desired;
    this.#actual = actual;
    this.#options = options;
    this.#problems = problems;
    this.#references = createReferences(desired, actual, options);
    this.#id = actual?.id ?? this.#references.project;
  }

  steps(): PlannedStep[] {
    const { keys, integrations, checks } = this.#desired;
    return [
      ...this.#ofProject(),
      ...this.#each(keys, (key) => this.#key(key)),
      ...this.#each(integrations, (integration) => this.#integration(integration)),
      ...this.#each(checks, (check) => this.#check(check)),
      ...(this.#options.prune ? this.#pruned() : []),
    ];
  }

  /** `taken`: slugs that pages of other projects have. */
  statusPages(taken: ReadonlySet<string>): readonly PlannedStep[] {
    const { prune, passwords } = this.#options;
    const project = { name: this.#desired.name, id: this.#id };
    const { checks } = this.#references;
    const options = { project, checks, passwords, problems: this.#problems, taken };
    const gone = prune ? this.#references.unwanted().statusPages : [];
    return [
      ...planStatusPages(this.#desired.statusPages ?? [], this.#actual?.statusPages ?? [], options),
      ...prunedStatusPages(gone, options),
    ];
  }

  maintenance(): readonly PlannedStep[] {
    const project = { name: this.#desired.name, id: this.#id };
    const { prune } = this.#options;
    return planMaintenance(this.#desired.maintenance, this.#actual?.maintenance ?? [], {
      ...{ project, references: this.#references, prune, problems: this.#problems },
    });
  }

  #each<Item>(items: readonly Item[] | null, plan: (item: Item) => PlannedStep | null): PlannedStep[] {
    return (items ?? []).flatMap((item) => plan(item) ?? []);
  }

  #heading(
    symbol: PlannedStep['symbol'],
    what: PlannedStep['what'],
    name: string,
  ): Omit<PlannedStep, 'step'> {
    return bare({ symbol, what, project: this.#desired.name, name });
  }

  #refuse({ at }: Pick<Problem, 'at'>, text: string): null {
    this.#problems.push({ at, text });
    return null;
  }

  #ofProject(): PlannedStep[] {
    const { name, plan } = this.#desired;
    if (!this.#actual) {
      const step = { do: 'create-project', name, plan: plan ?? 'paid' } as const;
      const changes = [{ field: 'plan', after: step.plan }];
      const created = { ...this.#heading('+', 'project', name), changes, step, reference: this.#id };
      return [created, ...this.#retention('')];
    }
    const { plan: before, retention = '' } = this.#actual;
    if (plan === null || plan === before) return this.#retention(retention);
    const changes = [{ field: 'plan', before, after: plan }];
    const step = { do: 'change-plan', project: this.#id, plan, expect: before } as const;
    return [{ ...this.#heading('~', 'project', name), changes, step }, ...this.#retention(retention)];
  }

  /** `before`: the rules that there are; empty for none. */
  #retention(before: string): PlannedStep[] {
    const { name, retention } = this.#desired;
    if (retention === null || retention === before) return [];
    const changes = [{ field: 'retention', before, after: retention }];
    const step = { do: 'change-retention', project: this.#id, retention, expect: before } as const;
    return [{ ...this.#heading('~', 'project', name), changes, step }];
  }

  #key(key: DesiredKey): PlannedStep | null {
    const { name, scope, file } = key;
    const existing = this.#references.actualKey(key);
    if (existing?.scope === scope) return null;
    const [hash, clear] = [key.clear === null ? key.hash : null, key.clear];
    const common = { project: this.#id, name, scope, hash, key: clear } as const;
    if (!existing) {
      const changes = [{ field: 'scope', after: scope }];
      return { ...this.#heading('+', 'key', name), changes, step: { do: 'create-key', ...common }, file };
    }
    return {
      ...this.#heading('-/+', 'key', name),
      changes: [{ field: 'scope', before: existing.scope, after: scope }],
      step: { do: 'replace-key', id: existing.id, ...common },
      file,
      replaced: existing.hash,
    };
  }

  #integration(wanted: DesiredIntegration): PlannedStep | null {
    const found = this.#references.actualIntegration(wanted);
    const name = wanted.name === '' ? (wanted.id ?? '') : wanted.name;
    if (found === 'several')
      return this.#refuse(
        wanted,
        `several integrations are named ${name}: give the id of the one that is meant`,
      );
    const members = wanted.members && this.#membersOf(wanted, wanted.members);
    if (wanted.members && !members) return null;
    if (!found) return this.#newIntegration(wanted, members);
    if (found.kind !== wanted.kind) return this.#replacedIntegration(wanted, found, members);
    return this.#editedIntegration(wanted, found, members);
  }

  #membersOf(wanted: DesiredIntegration, names: readonly string[]): readonly string[] | null {
    const found = names.map((name) => this.#references.integration(name));
    const missing = names.find((_, at) => found[at] === null);
    if (missing !== undefined)
      return this.#refuse(wanted, `there is no integration ${missing} in this project`);
    return found.filter((one) => one !== null).sort();
  }

  #newIntegration(wanted: DesiredIntegration, members: readonly string[] | null): PlannedStep {
    const { id, name, kind, content, settings } = wanted;
    const value = members ? '' : valueOfContent(kind, content);
    return {
      ...this.#heading('+', 'integration', name === '' ? (id ?? '') : name),
      changes: [{ field: 'kind', after: kind }, ...this.#contentOfNew(wanted, members)],
      step: { do: 'create-integration', project: this.#id, id, name, kind, value, settings },
      reference: this.#references.ofNew(wanted),
      members,
    };
  }

  #contentOfNew(
    { kind, content, settings }: DesiredIntegration,
    members: readonly string[] | null,
  ): readonly Change[] {
    const filled = Object.entries(content).filter(([, after]) => after !== '');
    return [
      ...filled.map(
        ([field, after]): Change => (isOpen(kind, field) ? { field, after } : { field, secret: true }),
      ),
      ...(members ? [{ field: 'integrations', after: this.#references.namesOf(members) }] : []),
      ...changesBetween(noSettings, settings),
    ];
  }

  /** Replaces an integration under its id, so that the checks and groups that have it keep it. */
  #replacedIntegration(
    wanted: DesiredIntegration,
    { id, etag: expect, kind: before }: ConfiguredIntegration,
    members: readonly string[] | null,
  ): PlannedStep {
    const { name, kind, content, settings } = wanted;
    const value = members ? '' : valueOfContent(kind, content);
    return {
      ...this.#heading('-/+', 'integration', name === '' ? id : name),
      changes: [{ field: 'kind', before, after: kind }, ...this.#contentOfNew(wanted, members)],
      step: { do: 'replace-integration', project: this.#id, id, expect, name, kind, value, settings },
      members,
    };
  }

  #editedIntegration(
    wanted: DesiredIntegration,
    found: ConfiguredIntegration,
    members: readonly string[] | null,
  ): PlannedStep | null {
    const { name, kind, settings } = wanted;
    const ofContent = members ? this.#memberChanges(found, members) : this.#contentChanges(wanted, found);
    const changes = [
      ...(name === found.name ? [] : [{ field: 'name', before: found.name, after: name }]),
      ...ofContent,
      ...changesBetween(settingsGiven({ ...found }), settings),
    ];
    if (changes.length === 0) return null;
    const value = ofContent.length === 0 ? null : members ? '' : valueOfContent(kind, wanted.content);
    // An integration that Knell disabled stays disabled unless the file says otherwise.
    const kept = settings.disabled === found.disabled ? { ...settings, disabled: null } : settings;
    return {
      ...this.#heading('~', 'integration', name === '' ? found.id : name),
      changes,
      step: {
        do: 'edit-integration',
        project: this.#id,
        id: found.id,
        expect: found.etag,
        name,
        value,
        settings: kept,
      },
      members: ofContent.length === 0 ? null : members,
    };
  }

  #memberChanges(found: ConfiguredIntegration, members: readonly string[]): Change[] {
    const before = (found.shown.value ?? '').split(',').sort();
    if (before.join() === members.join()) return [];
    const { namesOf } = this.#references;
    return [{ field: 'integrations', before: namesOf(before), after: namesOf(members) }];
  }

  #contentChanges({ kind, content }: DesiredIntegration, { shown, hidden }: ConfiguredIntegration): Change[] {
    const { fingerprint } = this.#options;
    const fields = [...new Set([...Object.keys({ ...shown, ...hidden }), ...Object.keys(content)])];
    return fields.flatMap((field): Change[] => {
      const after = content[field] ?? '';
      const isSame = field in hidden ? hidden[field] === fingerprint(after) : (shown[field] ?? '') === after;
      if (isSame) return [];
      return isOpen(kind, field) ? [{ field, before: shown[field] ?? '', after }] : [{ field, secret: true }];
    });
  }

  #check(wanted: DesiredCheck): PlannedStep | null {
    const found = this.#references.actualCheck(wanted);
    const name = String(wanted.fields.slug ?? wanted.id ?? '');
    if (found === 'several')
      return this.#refuse(
        wanted,
        `several checks have the slug ${name}: give the id of the one that is meant`,
      );
    const integrations = this.#integrationsOf(wanted);
    if (!integrations) return null;
    const { id, fields } = wanted;
    const { namesOf } = this.#references;
    const assigned = (ids: readonly string[]) => ({ integrations: namesOf(ids) });
    const after = { ...fields, ...assigned(integrations) };
    const common = { project: this.#id, fields, integrations } as const;
    if (!found) {
      const changes = changesBetween({ integrations: [] }, after);
      const reference = this.#references.checks.ofNew(wanted);
      const step = { do: 'create-check', id, ...common } as const;
      return { ...this.#heading('+', 'check', name), changes, step, reference };
    }
    const isSame = [...found.integrations].sort().join() === integrations.join();
    const changes = [
      ...changesBetween(found.fields, fields),
      ...(isSame ? [] : changesBetween(assigned(found.integrations), assigned(integrations))),
    ];
    if (changes.length === 0) return null;
    const step = { do: 'edit-check', id: found.id, expect: found.etag, ...common } as const;
    return { ...this.#heading('~', 'check', name), changes, step };
  }

  #integrationsOf(wanted: DesiredCheck): readonly string[] | null {
    if (wanted.integrations === '*') return [...this.#references.all()].sort();
    const found = new Set<string>();
    for (const name of wanted.integrations) {
      const id = this.#references.integration(name);
      if (id === null) return this.#refuse(wanted, `there is no integration ${name} in this project`);
      found.add(id);
    }
    return [...found].sort();
  }

  #pruned(): PlannedStep[] {
    const { keys, integrations, checks } = this.#references.unwanted();
    const project = this.#id;
    return [
      ...checks.map((check): PlannedStep => {
        const { id, etag: expect, fields } = check;
        const heading = this.#heading('-', 'check', String(fields.slug || fields.name || id));
        return { ...heading, step: { do: 'delete-check', project, id, expect } };
      }),
      ...integrations.map((one): PlannedStep => {
        const { id, etag: expect, name } = one;
        const heading = this.#heading('-', 'integration', name === '' ? id : name);
        return { ...heading, step: { do: 'delete-integration', project, id, expect } };
      }),
      ...keys.map(({ id, name }): PlannedStep => {
        return { ...this.#heading('-', 'key', name), step: { do: 'delete-key', project, id } };
      }),
    ];
  }
}

const noSettings = settingsGiven({});

function changesBetween(before: object, after: object): Change[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field): Change[] => {
    const values = { before: old.get(field), after: now.get(field) };
    return JSON.stringify(values.before) === JSON.stringify(values.after) ? [] : [{ field, ...values }];
  });
}
