/**
 * Resolves the names in a project's configuration: to something that exists, by its id, or to something that the plan creates, by
 * a reference that is replaced by the id once there is one.
 * Invariant: a name that several have means none of them.
 */

import { type ChannelKind, getsAlerts } from '../domain/accounts/project.ts';
import type {
  ConfiguredCheck,
  ConfiguredIntegration,
  ConfiguredKey,
} from '../domain/configuration/configuration.ts';
import type { ConfigurationStep } from '../domain/configuration/configuration-step.ts';
import type { ActualProject, PlanOptions } from './actual.ts';
import { type CheckReferences, createCheckReferences } from './check-references.ts';
import type { DesiredCheck, DesiredIntegration, DesiredKey, DesiredProject } from './desired.ts';

/** No id and no name begins so. */
const newPrefix = '\0new:';

export interface References {
  /** Reference to the project while it does not exist. */
  readonly project: string;
  actualKey(key: DesiredKey): ConfiguredKey | null;
  actualIntegration(integration: DesiredIntegration): ConfiguredIntegration | 'several' | null;
  actualCheck(check: DesiredCheck): ConfiguredCheck | 'several' | null;
  /** Integration by name or id; null for none. */
  integration(name: string): string | null;
  /** Whether what has this id or reference will be a group. */
  isGroup(id: string): boolean;
  ofNew(integration: DesiredIntegration): string;
  readonly checks: CheckReferences;
  /** That there will be, as far as checks can be assigned to them. */
  all(): readonly string[];
  /** Sorted names, for people. */
  namesOf(ids: readonly string[]): readonly string[];
  /** Things that exist and are managed by the file, but are not in it. Keys without a name are nobody's to manage. */
  unwanted(): Pick<ActualProject, 'keys' | 'integrations' | 'checks' | 'statusPages'>;
}

export function createReferences(
  desired: DesiredProject,
  actual: ActualProject | null,
  { prune, fingerprint }: PlanOptions,
): References {
  const wanted = desired.integrations ?? [];
  const there = actual?.integrations ?? [];
  const checksBySlug = grouped(actual?.checks ?? [], ({ fields }) => String(fields.slug ?? ''));
  const checksById = new Map((actual?.checks ?? []).map((check) => [check.id, check]));
  const project = `${newPrefix}${desired.name}`;
  const ofNew = ({ id, name }: DesiredIntegration): string => id ?? `${project}/${name}`;

  function actualIntegration({ id, name }: DesiredIntegration): ConfiguredIntegration | 'several' | null {
    if (id !== null) return there.find((one) => one.id === id) ?? null;
    return onlyOne(there.filter((one) => one.name === name));
  }

  function actualCheck({ id, fields }: DesiredCheck): ConfiguredCheck | 'several' | null {
    if (id !== null) return checksById.get(id) ?? null;
    return onlyOne(checksBySlug.get(String(fields.slug)) ?? []);
  }

  function actualKey({ hash: wantedHash, name }: DesiredKey): ConfiguredKey | null {
    const keys = actual?.keys ?? [];
    const hash = wantedHash === null ? null : fingerprint(wantedHash);
    return keys.find((one) => one.hash === hash) ?? keys.find((one) => one.name === name) ?? null;
  }

  function idOf(integration: DesiredIntegration): string {
    const found = actualIntegration(integration);
    return found === null || found === 'several' ? ofNew(integration) : found.id;
  }

  const wantedIds = new Set(wanted.map(idOf));
  const unwantedIntegrations = desired.integrations ? there.filter(({ id }) => !wantedIds.has(id)) : [];
  const staying = prune ? there.filter((one) => !unwantedIntegrations.includes(one)) : there;
  const names = new Map([
    ...there.map(({ id, name }) => [id, name === '' ? id : name] as const),
    ...wanted.map((one) => [idOf(one), one.name === '' ? (one.id ?? '') : one.name] as const),
  ]);
  const kinds = new Map([
    ...there.map(({ id, kind }) => [id, kind] as const),
    ...wanted.map((one) => [idOf(one), one.kind] as const),
  ]);
  const byName = new Map<string, string | null>();
  for (const [id, name] of names) {
    if (!wantedIds.has(id) && !staying.some((one) => one.id === id)) continue;
    byName.set(name, byName.has(name) ? null : id);
    byName.set(id, id);
  }

  return {
    project,
    actualIntegration,
    actualCheck,
    ofNew,
    checks: createCheckReferences({
      project,
      wanted: desired.checks,
      there: actual?.checks ?? [],
      prune,
      actualCheck,
    }),
    actualKey,
    integration: (name) => byName.get(name) ?? null,
    isGroup: (id) => kinds.get(id) === 'group',
    // What gets no alerts is assigned to no check.
    all: () =>
      [...new Set([...staying.map(({ id }) => id), ...wantedIds])].filter((id) => isAssigned(kinds.get(id))),
    namesOf: (ids) => ids.map((id) => names.get(id) ?? id).sort(),
    unwanted() {
      const checks = new Set((desired.checks ?? []).map(actualCheck));
      const keys = new Set((desired.keys ?? []).map(actualKey));
      const pages = new Set((desired.statusPages ?? []).map(({ slug }) => slug));
      return {
        integrations: unwantedIntegrations,
        checks: desired.checks ? (actual?.checks ?? []).filter((check) => !checks.has(check)) : [],
        statusPages: desired.statusPages
          ? (actual?.statusPages ?? []).filter(({ slug }) => !pages.has(slug))
          : [],
        keys: desired.keys ? (actual?.keys ?? []).filter((key) => key.name !== '' && !keys.has(key)) : [],
      };
    },
  };
}

function isAssigned(kind: ChannelKind | undefined): boolean {
  return kind !== undefined && getsAlerts({ kind });
}

function onlyOne<Item>(items: readonly Item[]): Item | 'several' | null {
  const [found = null, other] = items;
  return other === undefined ? found : 'several';
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The step with ids in place of references; `ids` has those of what was created. */
export function withIds(
  step: ConfigurationStep,
  members: readonly string[] | null,
  ids: ReadonlyMap<string, string>,
): ConfigurationStep {
  const idOf = (reference: string): string => ids.get(reference) ?? reference;
  const inProject = 'project' in step ? { ...step, project: idOf(step.project) } : step;
  if ('services' in inProject) {
    const services = inProject.services.map((one) => ({ ...one, checks: one.checks.map(idOf) }));
    return { ...inProject, services };
  }
  if (inProject.do === 'create-maintenance' || inProject.do === 'edit-maintenance')
    return {
      ...inProject,
      checks: inProject.checks.map(idOf),
      integrations: inProject.integrations.map(idOf),
    };
  if ('integrations' in inProject) return { ...inProject, integrations: inProject.integrations.map(idOf) };
  if (members && 'value' in inProject) return { ...inProject, value: members.map(idOf).sort().join(',') };
  return inProject;
}
