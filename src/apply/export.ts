/**
 * An installation's configuration as the file that describes it. Not here: YAML, and the comments at its head (`cli/configuration/export`).
 * Invariants: pure; the same configuration gives the same file, whatever the order in which it was created; read back, it
 * plans nothing; without `secrets` there is none in it.
 */

import { channelSettingFields, ownerSettingNames } from '../domain/accounts/channel-settings.ts';
import {
  type ConfiguredCheck,
  type ConfiguredIntegration,
  type ConfiguredKey,
  wholeValue,
} from '../domain/configuration/configuration.ts';
import { kinds } from '../integrations/all.ts';
import type { FormField } from '../integrations/contract/kind.ts';
import type { Actual, ActualProject } from './actual.ts';
import { maintenanceParts } from './export-maintenance.ts';
import { statusPageParts } from './export-status-pages.ts';
import { escapeReferences } from './secrets.ts';

interface ExportOptions {
  readonly secrets: boolean;
  /** The plan's fingerprint: shows whether a secret is empty. */
  readonly fingerprint: (text: string) => string;
}

type Plain = Readonly<Record<string, unknown>>;

export interface Exported {
  readonly document: Plain;
  /** Environment variables that stand for secrets in it, sorted. */
  readonly variables: readonly string[];
  /** Keys that have no name, and are not in it. */
  readonly unnamedKeys: number;
}

export function exportDocument({ projects, users }: Actual, options: ExportOptions): Exported {
  const variables = new Set<string>();
  const exporter = sorted(projects, ({ name }) => name).map((project) =>
    projectPart(project, options, variables),
  );
  const unnamed = projects.flatMap(({ keys }) => keys.filter(({ name }) => name === ''));
  return {
    document: {
      version: 1,
      projects: exporter,
      // Without one, the first is created by a link: an empty list would delete it again elsewhere.
      ...(users.length === 0 ? {} : { users: userParts(users) }),
    },
    variables: [...variables].sort(),
    unnamedKeys: options.secrets ? 0 : unnamed.length,
  };
}

function userParts(users: Actual['users']): readonly Plain[] {
  return sorted(users, ({ name }) => name.toLowerCase()).map(({ name, role, projects }) => ({
    name,
    role,
    // The roles from before a user became an owner have no effect.
    ...(projects.length === 0 || role === 'owner' ? {} : { projects }),
  }));
}

function projectPart(project: ActualProject, options: ExportOptions, variables: Set<string>): Plain {
  const { name, plan, retention } = project;
  const names = namesIn(project.integrations);
  const checkNames = namesOfChecks(project.checks);
  const keys = keyParts(project.keys, options);
  const integrations = sorted(project.integrations, (one) => `${one.name}\n${one.id}`).map((one) =>
    integrationPart(one, { ...options, names, project: name, variables }),
  );
  const checks = sorted(project.checks, ({ id, fields }) => `${fields.slug ?? ''}\n${id}`).map((check) =>
    checkPart(check, names, options.secrets || checkNames.get(check.id) === check.id),
  );
  const pages = statusPageParts(project.statusPages, {
    secrets: options.secrets,
    nameOfCheck: (id) => checkNames.get(id) ?? id,
    reference: (...parts) => reference(parts, variables),
  });
  const maintenance = maintenanceParts(project.maintenance, {
    nameOfCheck: (id) => checkNames.get(id) ?? id,
    nameOfIntegration: (id) => names.get(id) ?? null,
  });
  const rules = retention === undefined ? {} : { retention };
  return { name, plan, ...rules, keys, integrations, checks, status_pages: pages, maintenance };
}

/** Maps an id to the name if it is the only one of its kind, else to the id. */
function namesIn(integrations: readonly ConfiguredIntegration[]): ReadonlyMap<string, string> {
  return new Map(
    integrations.map(({ id, name }) => {
      const isUnique = integrations.filter((one) => one.name === name).length === 1;
      return [id, isUnique && name !== '' && name.trim() === name && name !== '*' ? name : id];
    }),
  );
}

/** Maps an id to the slug if it is the only one of its kind, else to the id. */
function namesOfChecks(checks: readonly ConfiguredCheck[]): ReadonlyMap<string, string> {
  const counts = new Map<unknown, number>();
  for (const { fields } of checks) counts.set(fields.slug, (counts.get(fields.slug) ?? 0) + 1);
  return new Map(
    checks.map(({ id, fields: { slug } }) => [id, slug && counts.get(slug) === 1 ? String(slug) : id]),
  );
}

/** A key is exported by its hash: that is enough to go on using it, and not enough to use it. */
function keyParts(keys: readonly ConfiguredKey[], { secrets }: ExportOptions): readonly Plain[] {
  const taken = new Set(keys.map(({ name }) => name));
  const nameFor = ({ name, scope }: ConfiguredKey): string => {
    if (name !== '') return name;
    for (let n = 1; ; n++) {
      const free = n === 1 ? scope : `${scope} ${n}`;
      if (taken.has(free)) continue;
      taken.add(free);
      return free;
    }
  };
  const parts = keys
    .filter(({ name }) => secrets || name !== '')
    .map((key) => {
      const { scope, hash, clear } = key;
      const existing = clear === undefined ? { hash } : { key: escapeReferences(clear) };
      return { name: nameFor(key), scope, ...(secrets ? existing : {}) };
    });
  return sorted(parts, ({ name }) => name);
}

interface IntegrationOptions extends ExportOptions {
  readonly names: ReadonlyMap<string, string>;
  readonly project: string;
  readonly variables: Set<string>;
}

function integrationPart(one: ConfiguredIntegration, options: IntegrationOptions): Plain {
  const { id, name, kind } = one;
  const hasOwnName = options.names.get(id) === name;
  const whole = one.shown[wholeValue] ?? one.hidden[wholeValue];
  const content =
    whole === undefined
      ? { fields: fieldParts(one, options) }
      : {
          value:
            one.shown[wholeValue] === undefined
              ? referenceOf(one, 'value', options)
              : escapeReferences(whole),
        };
  return {
    name,
    ...(hasOwnName ? {} : { id }),
    kind,
    ...content,
    ...settingParts(one),
  };
}

function settingParts(one: ConfiguredIntegration): Plain {
  const fields = ownerSettingNames.map((name) => channelSettingFields[name]);
  return Object.fromEntries(
    fields.filter(({ json, default: none }) => one[json] !== none).map(({ json }) => [json, one[json]]),
  );
}

function fieldParts(one: ConfiguredIntegration, options: IntegrationOptions): Plain {
  const empty = options.fingerprint('');
  const parts: Record<string, unknown> = {};
  for (const field of kinds[one.kind].form.fields) {
    const { name, first = '' } = field;
    const [text, hidden] = [one.shown[name], one.hidden[name]];
    if (hidden !== undefined) {
      if (hidden !== empty) parts[name] = referenceOf(one, name, options);
    } else if (text !== undefined && text !== first) parts[name] = valueOfText(field, text, options.names);
  }
  return parts;
}

function valueOfText({ input }: FormField, text: string, names: ReadonlyMap<string, string>): unknown {
  if (input === 'tick') return text !== '';
  if (input === 'integrations')
    return text
      .split(',')
      .map((id) => names.get(id) ?? id)
      .sort();
  return escapeReferences(text);
}

function referenceOf(
  { id, name }: ConfiguredIntegration,
  field: string,
  { project, variables }: IntegrationOptions,
): string {
  return reference(['secret', project, name === '' ? id.slice(0, 8) : name, field], variables);
}

/** Makes a name of a variable. If two would be the same, the second gets a number. */
function reference(parts: readonly string[], variables: Set<string>): string {
  const base = parts.map((part) => part.replace(/[^a-z0-9]+/gi, '_').toUpperCase()).join('_');
  let variable = base;
  for (let n = 2; variables.has(variable); n++) variable = `${base}_${n}`;
  variables.add(variable);
  return `\${env:${variable}}`;
}

function checkPart(
  { id, fields, integrations }: ConfiguredCheck,
  names: ReadonlyMap<string, string>,
  withId: boolean,
): Plain {
  const { slug, name, ...others } = fields;
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(withId ? { id } : {}),
    ...(name === undefined ? {} : { name }),
    ...others,
    ...(integrations.length === 0
      ? {}
      : { integrations: integrations.map((one) => names.get(one) ?? one).sort() }),
  };
}

/** Sorts by code units, so that no locale changes it. */
function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
