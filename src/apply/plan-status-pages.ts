/**
 * Plans the changes after which a project has the status pages that a configuration asks for.
 * Invariants: pure; a service keeps its id, which notices mention, as long as it keeps its name.
 */
import {
  type GivenPageField,
  givenPageFields,
  statusPageFields,
  type ValuesByJson,
} from '../domain/accounts/status-page-fields.ts';
import type { ConfiguredService, ConfiguredStatusPage } from '../domain/configuration/configuration.ts';
import type { PagePasswords } from './actual.ts';
import type { CheckReferences } from './check-references.ts';
import type { DesiredService, DesiredStatusPage } from './desired.ts';
import { bare, type Change, type PlannedStep, type PlanSymbol } from './planned-step.ts';
import type { Problem } from './yaml-node.ts';

export interface StatusPagePlanOptions {
  /** Its name, and its id or reference. */
  readonly project: { readonly name: string; readonly id: string };
  readonly checks: CheckReferences;
  readonly passwords: PagePasswords;
  readonly problems: Problem[];
  /** Slugs that pages of other projects will have. */
  readonly taken: ReadonlySet<string>;
}

export function planStatusPages(
  wanted: readonly DesiredStatusPage[],
  there: readonly ConfiguredStatusPage[],
  options: StatusPagePlanOptions,
): readonly PlannedStep[] {
  return wanted.flatMap(
    (page) => planned(page, there.find(({ slug }) => slug === page.slug) ?? null, options) ?? [],
  );
}

export function prunedStatusPages(
  pages: readonly ConfiguredStatusPage[],
  { project }: Pick<StatusPagePlanOptions, 'project'>,
): readonly PlannedStep[] {
  return pages.map(({ id, etag: expect, slug }) => ({
    ...heading('-', project.name, slug),
    step: { do: 'delete-status-page', project: project.id, id, expect },
  }));
}

function heading(symbol: PlanSymbol, project: string, name: string): Omit<PlannedStep, 'step'> {
  return bare({ symbol, what: 'status page', project, name });
}

function planned(
  wanted: DesiredStatusPage,
  found: ConfiguredStatusPage | null,
  { project, checks, passwords, problems, taken }: StatusPagePlanOptions,
): PlannedStep | null {
  const refuse = (text: string): null => {
    problems.push({ at: wanted.at, text });
    return null;
  };
  const { slug } = wanted;
  if (!found && taken.has(slug)) return refuse(`a status page of another project has the slug ${slug}`);
  const services = withIds(wanted.services, found?.services ?? [], checks);
  if (typeof services === 'string') return refuse(services);
  const password_hash = passwordHashOf(wanted.password, found?.password_hash ?? '', passwords);
  const changes = [
    ...changesBetween(found, wanted),
    ...passwordChange(password_hash),
    ...servicesChange(found?.services ?? [], services, checks),
  ];
  const content = { ...valuesOf(wanted), password_hash, services };
  if (!found) {
    const step = { do: 'create-status-page', project: project.id, ...content } as const;
    return { ...heading('+', project.name, slug), changes, step };
  }
  if (changes.length === 0) return null;
  const { id, etag: expect } = found;
  const step = { do: 'edit-status-page', project: project.id, id, expect, ...content } as const;
  return { ...heading('~', project.name, slug), changes, step };
}

type PlannedService = DesiredService & { readonly id: string | null };

/** A sentence where a check is not there. */
function withIds(
  wanted: readonly DesiredService[],
  there: readonly ConfiguredService[],
  references: CheckReferences,
): readonly PlannedService[] | string {
  const left = [...there];
  const services: PlannedService[] = [];
  for (const { name, tag, checks } of wanted) {
    const ids: string[] = [];
    for (const check of checks) {
      const id = references.find(check);
      if (id === null) return `service ${name}: there is no check ${check} in this project`;
      if (id === 'several')
        return `service ${name}: several checks have the slug ${check}: give the id of the one that is meant`;
      ids.push(id);
    }
    const at = left.findIndex((one) => one.name === name);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    services.push({ id: same?.id ?? null, name, tag, checks: [...new Set(ids)].sort() });
  }
  return services;
}

/** Null: as it is. */
function passwordHashOf(
  wanted: DesiredStatusPage['password'],
  before: string,
  passwords: PagePasswords,
): string | null {
  if (wanted === null) return null;
  if ('hash' in wanted) return wanted.hash === before ? null : wanted.hash;
  if (wanted.clear === '') return before === '' ? null : '';
  return before !== '' && passwords.verify(wanted.clear, before) ? null : passwords.hash(wanted.clear);
}

function passwordChange(after: string | null): readonly Change[] {
  if (after === null) return [];
  return [
    after === '' ? { field: 'password', before: '(secret)', after } : { field: 'password', secret: true },
  ];
}

/** Nobody reads base64. */
function logoChange(before: string, after: string): readonly Change[] {
  if (before === after) return [];
  return [
    before === ''
      ? { field: 'logo', after: bytesOf(after) }
      : { field: 'logo', before: bytesOf(before), after: bytesOf(after) },
  ];
}

function bytesOf(base64: string): string {
  return `${Buffer.byteLength(base64, 'base64')} bytes`;
}

const fields = givenPageFields.map((name) => statusPageFields[name]);

function valuesOf(wanted: DesiredStatusPage): ValuesByJson<GivenPageField> {
  return Object.fromEntries(fields.map(({ json }) => [json, wanted[json]])) as ValuesByJson<GivenPageField>;
}

/** A page is identified by its slug. */
function changesBetween(
  before: ConfiguredStatusPage | null,
  after: ValuesByJson<GivenPageField>,
): readonly Change[] {
  return fields.flatMap(({ json: field, kind }): readonly Change[] => {
    if (kind === 'slug') return [];
    if (kind === 'logo') return logoChange(before?.logo ?? '', after.logo);
    if ((before?.[field] ?? '') === after[field]) return [];
    return [before ? { field, before: before[field], after: after[field] } : { field, after: after[field] }];
  });
}

function servicesChange(
  before: readonly ConfiguredService[],
  after: readonly PlannedService[],
  checks: CheckReferences,
): readonly Change[] {
  const line = ({ name, tag, checks: ids }: ConfiguredService | PlannedService): string =>
    tag === '' ? `${name}: ${checks.namesOf(ids).join(', ')}` : `${name}: tag ${tag}`;
  const key = (services: readonly (ConfiguredService | PlannedService)[]): string =>
    JSON.stringify(services.map(({ name, tag, checks: ids }) => [name, tag, ids]));
  if (key(before) === key(after)) return [];
  const lines = after.map(line);
  return [
    before.length === 0
      ? { field: 'services', after: lines }
      : { field: 'services', before: before.map(line), after: lines },
  ];
}
