/**
 * Configuration files into what they ask for. First each value by the format's table, then what several values say
 * together, over all files. Not here: what there is already (`plan`).
 * Invariants: whatever is wrong is a problem with file, line and column; with a problem there is no result; no problem
 * repeats a secret.
 */
import { resolve } from 'node:path';
import type {
  Desired,
  DesiredCheck,
  DesiredIntegration,
  DesiredKey,
  DesiredProject,
  DesiredUsers,
} from './desired.ts';
import { documentShape } from './format.ts';
import { type ItemContext, readCheck, readIntegration, readKey, readUser } from './read-items.ts';
import { readMaintenanceItem } from './read-maintenance.ts';
import { readStatusPage } from './read-status-page.ts';
import type { SecretSource } from './secrets.ts';
import type { Shape } from './shape.ts';
import { entryOf, type Problem, parseYaml, plainOf, type YamlNode } from './yaml-node.ts';

export interface ConfigurationFile {
  /** Name as the user gave it; `-` for stdin. */
  readonly name: string;
  readonly text: string;
  /** Directory that relative paths in it start from. */
  readonly directory: string;
}

interface ReadDesired {
  readonly desired: Desired;
  /** Problems in the order of files and lines. */
  readonly problems: readonly Problem[];
}

export function readDesired(files: readonly ConfigurationFile[], secrets: SecretSource): ReadDesired {
  const problems: Problem[] = [];
  const parts = files.flatMap((file) =>
    parseYaml(file.name, file.text, problems).flatMap((node) => {
      const context = {
        secrets,
        directory: file.directory,
        problems,
        pathOf: (path: string) => resolve(file.directory, path),
      };
      return documentIn(node, context) ?? [];
    }),
  );
  const listed = parts.flatMap(({ projects }) => (projects === null ? [] : [projects]));
  const projects = listed.length === 0 ? null : merged(listed.flat(), problems);
  for (const project of projects ?? []) checkNames(project, problems);
  const pages = (projects ?? []).flatMap(({ statusPages }) => statusPages ?? []);
  mustBeUnique(pages, 'status page', ({ slug }) => slug, problems);
  const users = allUsers(parts);
  mustBeUnique(users?.list ?? [], 'user', ({ name }) => name.toLowerCase(), problems);
  return { desired: { projects, users }, problems };
}

/** Null where its shape is wrong. */
function documentIn(node: YamlNode, context: ItemContext): Desired | null {
  const before = context.problems.length;
  checkShape(node, documentShape, context.problems);
  if (context.problems.length > before || node.kind !== 'map') return null;
  const users = entryOf(node, 'users');
  return {
    projects: entryOf(node, 'projects') && projectsIn(node, context),
    users: users && {
      at: users.at,
      list: itemsOf(node, 'users').flatMap((user) => readUser(user, context) ?? []),
    },
  };
}

function allUsers(parts: readonly Desired[]): DesiredUsers | null {
  const [first, ...others] = parts.flatMap(({ users }) => users ?? []);
  return first ? { at: first.at, list: [first, ...others].flatMap(({ list }) => list) } : null;
}

function projectsIn(node: YamlNode, context: ItemContext): readonly DesiredProject[] {
  return itemsOf(node, 'projects').map((project): DesiredProject => {
    const plain = plainOf(project) as Pick<DesiredProject, 'name'> &
      Partial<Pick<DesiredProject, 'plan' | 'retention'>>;
    const list = <Item>(name: string, read: (item: YamlNode) => Item | null): readonly Item[] | null =>
      project.kind === 'map' && entryOf(project, name)
        ? itemsOf(project, name).flatMap((item) => read(item) ?? [])
        : null;
    return {
      at: project.at,
      name: plain.name.trim(),
      plan: plain.plan ?? null,
      retention: plain.retention?.trim() ?? null,
      keys: list('keys', (item) => readKey(item, context)),
      integrations: list('integrations', (item) => readIntegration(item, context)),
      checks: list('checks', (item) => readCheck(item, context)),
      statusPages: list('status_pages', (item) => readStatusPage(item, context)),
      maintenance: list('maintenance', (item) => readMaintenanceItem(item, context)),
    };
  });
}

function itemsOf(node: YamlNode, name: string): readonly YamlNode[] {
  const list = node.kind === 'map' ? entryOf(node, name) : null;
  return list?.kind === 'list' ? list.items : [];
}

/** An empty list may be written as nothing. */
function checkShape(node: YamlNode, shape: Shape, problems: Problem[]): void {
  if ('schema' in shape) {
    const error = shape.error(plainOf(node));
    if (error !== null) problems.push({ at: node.at, text: error });
  } else if ('list' in shape) {
    if (node.kind === 'list') for (const item of node.items) checkShape(item, shape.list, problems);
    else if (node.kind !== 'scalar' || node.value !== null)
      problems.push({ at: node.at, text: 'must be a list' });
  } else checkObject(node, shape, problems);
}

function checkObject(node: YamlNode, shape: Extract<Shape, { object: object }>, problems: Problem[]): void {
  const { object, required, requiredOne = [] } = shape;
  const wanted = required.join(' and ') || requiredOne.join(' or ');
  if (node.kind !== 'map') {
    problems.push({ at: node.at, text: `must be a map with ${wanted || 'fields'}` });
    return;
  }
  for (const { name, at, value } of node.entries) {
    const part = Object.hasOwn(object, name) ? object[name] : undefined;
    if (part) checkNamed(name, value, part, problems);
    else
      problems.push({
        at,
        text: `unknown field ${JSON.stringify(name)}; known: ${Object.keys(object).join(', ')}`,
      });
  }
  for (const name of required)
    if (!entryOf(node, name)) problems.push({ at: node.at, text: `${name} is missing` });
  if (requiredOne.length > 0 && !requiredOne.some((name) => entryOf(node, name)))
    problems.push({ at: node.at, text: `${wanted} is missing` });
}

/** Errors of a value begin with its name. */
function checkNamed(name: string, value: YamlNode, part: Shape, problems: Problem[]): void {
  const own: Problem[] = [];
  checkShape(value, part, own);
  for (const problem of own)
    problems.push('schema' in part ? { ...problem, text: `${name} ${problem.text}` } : problem);
}

/** Several files may each have a part of a project. */
function merged(projects: readonly DesiredProject[], problems: Problem[]): readonly DesiredProject[] {
  const byName = new Map<string, DesiredProject>();
  for (const project of projects) {
    const known = byName.get(project.name);
    if (known?.plan && project.plan && known.plan !== project.plan)
      problems.push({
        at: project.at,
        text: `project ${project.name} has another plan at ${placeText(known)}`,
      });
    if (known?.retention && project.retention && known.retention !== project.retention)
      problems.push({
        at: project.at,
        text: `project ${project.name} has other rules of retention at ${placeText(known)}`,
      });
    byName.set(project.name, known ? bothOf(known, project) : project);
  }
  return [...byName.values()];
}

function bothOf(first: DesiredProject, second: DesiredProject): DesiredProject {
  const both = <Item>(a: readonly Item[] | null, b: readonly Item[] | null): readonly Item[] | null =>
    a && b ? [...a, ...b] : (a ?? b);
  return {
    ...first,
    plan: first.plan ?? second.plan,
    retention: first.retention ?? second.retention,
    keys: both(first.keys, second.keys),
    integrations: both(first.integrations, second.integrations),
    checks: both(first.checks, second.checks),
    statusPages: both(first.statusPages, second.statusPages),
    maintenance: both(first.maintenance, second.maintenance),
  };
}

function checkNames({ keys, integrations, checks, maintenance }: DesiredProject, problems: Problem[]): void {
  mustBeUnique(keys ?? [], 'key', (key: DesiredKey) => key.name, problems);
  mustBeUnique(integrations ?? [], 'integration', nameOrId, problems);
  mustBeUnique(maintenance ?? [], 'maintenance window', ({ id, settings }) => id ?? settings.name, problems);
  mustBeUnique(checks ?? [], 'check', (one: DesiredCheck) => one.id ?? String(one.fields.slug), problems);
}

function nameOrId({ id, name }: DesiredIntegration): string {
  return id ?? name;
}

function mustBeUnique<Item extends { readonly at: Problem['at'] }>(
  items: readonly Item[],
  what: string,
  nameOf: (item: Item) => string,
  problems: Problem[],
): void {
  const seen = new Map<string, Item>();
  for (const item of items) {
    const name = nameOf(item);
    const other = seen.get(name);
    if (other)
      problems.push({ at: item.at, text: `${what} ${name} is there already, at ${placeText(other)}` });
    else seen.set(name, item);
  }
}

function placeText({ at: { file, line, column } }: { readonly at: Problem['at'] }): string {
  return `${file}:${line}:${column}`;
}

export function problemText({ at, text }: Problem): string {
  return `${placeText({ at })}: ${text}`;
}
