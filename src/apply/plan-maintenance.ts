/** Plans the changes after which a project has the maintenance windows that a configuration asks for. Invariant: pure. */
import {
  type ConfiguredMaintenance,
  type MaintenanceSettings,
  maintenanceSettingNames,
} from '../domain/configuration/maintenance-settings.ts';
import type { DesiredMaintenance } from './desired.ts';
import { bare, type Change, type PlannedStep, type PlanSymbol } from './planned-step.ts';
import type { References } from './references.ts';
import type { Problem } from './yaml-node.ts';

interface MaintenancePlanOptions {
  /** Its name, and its id or reference. */
  readonly project: { readonly name: string; readonly id: string };
  readonly references: Pick<References, 'checks' | 'integration' | 'isGroup' | 'namesOf'>;
  readonly problems: Problem[];
  readonly prune: boolean;
}

/** `wanted`: null if the file does not manage them. */
export function planMaintenance(
  wanted: readonly DesiredMaintenance[] | null,
  there: readonly ConfiguredMaintenance[],
  options: MaintenancePlanOptions,
): readonly PlannedStep[] {
  if (wanted === null) return [];
  const { project, prune } = options;
  const kept = new Set<ConfiguredMaintenance>();
  const steps = wanted.flatMap((one) => {
    const found = there.filter(({ id, name }) =>
      one.id === null ? name === one.settings.name : id === one.id,
    );
    for (const window of found) kept.add(window);
    return planned(one, found, options) ?? [];
  });
  const gone = prune ? there.filter((window) => !kept.has(window)) : [];
  return [
    ...steps,
    ...gone.map(({ id, etag: expect, name }): PlannedStep => {
      const step = { do: 'delete-maintenance', project: project.id, id, expect } as const;
      return { ...heading('-', project.name, name), step };
    }),
  ];
}

function heading(symbol: PlanSymbol, project: string, name: string): Omit<PlannedStep, 'step'> {
  return bare({ symbol, what: 'maintenance window', project, name });
}

function planned(
  wanted: DesiredMaintenance,
  [found, other]: readonly ConfiguredMaintenance[],
  { project, references, problems }: MaintenancePlanOptions,
): PlannedStep | null {
  const { at, id, settings } = wanted;
  const { name } = settings;
  const refuse = (text: string): null => {
    problems.push({ at, text });
    return null;
  };
  if (other)
    return refuse(`several maintenance windows are named ${name}: give the id of the one that is meant`);
  const refuseIn = (text: string): null => refuse(`maintenance ${name}: ${text}`);
  const checks = idsOf(wanted.checks, (one) => checkNamed(references, one), refuseIn);
  const integrations =
    checks && idsOf(wanted.integrations, (one) => integrationNamed(references, one), refuseIn);
  if (!checks || !integrations) return null;
  const changes = [
    ...changesBetween(found ?? null, settings),
    ...idsChange('checks', found?.checks ?? [], checks, references.checks),
    ...idsChange('integrations', found?.integrations ?? [], integrations, references),
  ];
  const content = { ...settings, checks, integrations };
  if (!found) {
    const step = { do: 'create-maintenance', project: project.id, id, ...content } as const;
    return { ...heading('+', project.name, name), changes, step };
  }
  if (changes.length === 0) return null;
  const { id: own, etag: expect } = found;
  const step = { do: 'edit-maintenance', project: project.id, id: own, expect, ...content } as const;
  return { ...heading('~', project.name, name), changes, step };
}

type Refuse = (text: string) => null;
/** Its id or reference, or what is wrong with the name. */
type Named = { readonly id: string } | { readonly problem: string };

/** Ids or references, sorted; null where one was refused. */
function idsOf(
  names: readonly string[],
  find: (name: string) => Named,
  refuse: Refuse,
): readonly string[] | null {
  const ids: string[] = [];
  for (const name of names) {
    const found = find(name);
    if ('problem' in found) return refuse(found.problem);
    ids.push(found.id);
  }
  return [...new Set(ids)].sort();
}

function checkNamed({ checks }: Pick<References, 'checks'>, name: string): Named {
  const id = checks.find(name);
  if (id === null) return { problem: `there is no check ${name} in this project` };
  if (id !== 'several') return { id };
  return { problem: `several checks have the slug ${name}: give the id of the one that is meant` };
}

/** What is sent to a group is sent to its integrations, which have the quiet hours. */
function integrationNamed(references: Pick<References, 'integration' | 'isGroup'>, name: string): Named {
  const id = references.integration(name);
  if (id === null) return { problem: `there is no integration ${name} in this project` };
  return references.isGroup(id)
    ? { problem: `${name} is a group: give the integrations that are in it` }
    : { id };
}

const defaults: Omit<MaintenanceSettings, 'name'> = {
  ...{ tags: [], from: null, until: null, schedule: '', tz: 'UTC', duration: 0, dates: [] },
  counts_as_downtime: false,
};

function changesBetween(before: ConfiguredMaintenance | null, after: MaintenanceSettings): readonly Change[] {
  const changes = maintenanceSettingNames.flatMap((field): readonly Change[] => {
    const [old, now] = [(before ?? defaults)[field], after[field]].map(shown);
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [before ? { field, before: old, after: now } : { field, after: now }];
  });
  if (before === null || before.name === after.name) return changes;
  return [{ field: 'name', before: before.name, after: after.name }, ...changes];
}

/** Dates as people read them, each in a line. */
function shown(value: MaintenanceSettings[(typeof maintenanceSettingNames)[number]]): unknown {
  if (!Array.isArray(value)) return value ?? '';
  return value.map((one: string | { from: string; until: string }) =>
    typeof one === 'string' ? one : `${one.from} until ${one.until}`,
  );
}

function idsChange(
  field: 'checks' | 'integrations',
  before: readonly string[],
  after: readonly string[],
  { namesOf }: Pick<References, 'namesOf'>,
): readonly Change[] {
  if (before.join() === after.join()) return [];
  const now = namesOf(after);
  return [before.length === 0 ? { field, after: now } : { field, before: namesOf(before), after: now }];
}
