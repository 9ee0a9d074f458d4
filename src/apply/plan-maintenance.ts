/** Plans the changes after which a project has the maintenance windows that a configuration asks for. Invariant: pure. */
import {
  type ConfiguredMaintenance,
  type MaintenanceSettings,
  maintenanceSettingNames,
} from '../domain/configuration/maintenance-settings.ts';
import type { CheckReferences } from './check-references.ts';
import type { DesiredMaintenance } from './desired.ts';
import { bare, type Change, type PlannedStep, type PlanSymbol } from './planned-step.ts';
import type { Problem } from './yaml-node.ts';

interface MaintenancePlanOptions {
  /** Its name, and its id or reference. */
  readonly project: { readonly name: string; readonly id: string };
  readonly checks: CheckReferences;
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
  { at, id, settings, checks: wanted }: DesiredMaintenance,
  [found, other]: readonly ConfiguredMaintenance[],
  { project, checks: references, problems }: MaintenancePlanOptions,
): PlannedStep | null {
  const refuse = (text: string): null => {
    problems.push({ at, text });
    return null;
  };
  const { name } = settings;
  if (other)
    return refuse(`several maintenance windows are named ${name}: give the id of the one that is meant`);
  const ids: string[] = [];
  for (const check of wanted) {
    const one = references.find(check);
    if (one === null) return refuse(`maintenance ${name}: there is no check ${check} in this project`);
    if (one === 'several')
      return refuse(
        `maintenance ${name}: several checks have the slug ${check}: give the id of the one that is meant`,
      );
    ids.push(one);
  }
  const checks = [...new Set(ids)].sort();
  const changes = [
    ...changesBetween(found ?? null, settings),
    ...checksChange(found?.checks ?? [], checks, references),
  ];
  const content = { ...settings, checks };
  if (!found) {
    const step = { do: 'create-maintenance', project: project.id, id, ...content } as const;
    return { ...heading('+', project.name, name), changes, step };
  }
  if (changes.length === 0) return null;
  const { id: own, etag: expect } = found;
  const step = { do: 'edit-maintenance', project: project.id, id: own, expect, ...content } as const;
  return { ...heading('~', project.name, name), changes, step };
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

function checksChange(
  before: readonly string[],
  after: readonly string[],
  references: CheckReferences,
): readonly Change[] {
  if (before.join() === after.join()) return [];
  const now = references.namesOf(after);
  return [
    before.length === 0
      ? { field: 'checks', after: now }
      : { field: 'checks', before: references.namesOf(before), after: now },
  ];
}
