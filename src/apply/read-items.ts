/**
 * Keys, integrations, checks and users of a configuration file, one at a time, whose values have passed the format's table: the
 * rules about several values of one item, secrets put in, and the normal form.
 */

import { settingsGiven } from '../domain/accounts/channel-settings.ts';
import type { ChannelKind, KeyScope } from '../domain/accounts/project.ts';
import type { MemberRole } from '../domain/accounts/user.ts';
import { defaultConfig } from '../domain/check/check.ts';
import type { ConfiguredRole } from '../domain/configuration/configuration.ts';
import { type CheckSettings, contentOf, settingsOfCheck } from '../domain/configuration/configuration.ts';
import { kinds } from '../integrations/all.ts';
import { fieldError, valueOfFields } from '../integrations/channel-form-value.ts';
import { channelValueError } from '../integrations/channel-value.ts';
import type { FormField } from '../integrations/contract/kind.ts';
import { sha256Hex } from '../lib/ids.ts';
import { configAfter } from '../spec/apply-spec.ts';
import { parseSpec } from '../spec/check-spec.ts';
import type { DesiredCheck, DesiredIntegration, DesiredKey, DesiredUser } from './desired.ts';
import { textOfField } from './format.ts';
import { resolveSecrets, type SecretSource } from './secrets.ts';
import { entryOf, type Position, type Problem, plainOf, type YamlNode } from './yaml-node.ts';

export interface ItemContext {
  readonly secrets: SecretSource;
  readonly directory: string;
  readonly problems: Problem[];
  readonly pathOf: (path: string) => string;
}

type Plain = Readonly<Record<string, unknown>>;

function textIn(plain: Plain, name: string): string | null {
  const value = plain[name];
  return typeof value === 'string' ? value : null;
}

/** The text with its secrets put in; null, and a problem, if one is missing. */
export function withSecrets(
  text: string,
  at: Position,
  { secrets, directory, problems }: ItemContext,
): string | null {
  const resolved = resolveSecrets(text, directory, secrets);
  if ('text' in resolved) return resolved.text;
  problems.push({ at, text: resolved.error });
  return null;
}

export function readKey(node: YamlNode, context: ItemContext): DesiredKey | null {
  const { at } = node;
  const plain = plainOf(node) as Plain;
  const [name, scope] = [String(plain.name).trim(), plain.scope as KeyScope];
  const refuse = (text: string): null => {
    context.problems.push({ at, text });
    return null;
  };
  const given = textIn(plain, 'key');
  const clear = given === null ? null : withSecrets(given, at, context);
  const hash = textIn(plain, 'hash');
  if (given !== null && clear === null) return null;
  if (clear !== null && scope !== 'ping') return refuse('key is only for ping keys: other keys have hash');
  if (clear !== null && !/^[\w-]{8,64}$/.test(clear))
    return refuse('key must be a ping key: letters and digits');
  if (hash !== null && scope === 'ping') return refuse('hash is not for ping keys: they have key');
  if (hash !== null && !/^[0-9a-f]{64}$/.test(hash)) return refuse('hash must be 64 hex digits');
  const file = textIn(plain, 'file');
  return {
    at,
    name,
    scope,
    file: file === null ? null : context.pathOf(file),
    hash: clear === null ? hash : sha256Hex(clear),
    clear,
  };
}

export function readIntegration(node: YamlNode, context: ItemContext): DesiredIntegration | null {
  const { at } = node;
  const plain = plainOf(node) as Plain;
  const settings = settingsGiven(plain);
  const kind = plain.kind as ChannelKind;
  const [id, name] = [textIn(plain, 'id'), String(plain.name).trim()];
  const refuse = (text: string): null => {
    context.problems.push({ at, text });
    return null;
  };
  if (name === '' && id === null) return refuse('an integration needs a name, or an id');
  if ((plain.fields === undefined) === (plain.value === undefined))
    return refuse('set one of fields and value');
  if (kind === 'group') {
    const members = membersIn(plain);
    return members
      ? { at, id, name, kind, content: {}, members, settings }
      : refuse('fields: value must be a list of integrations');
  }
  const value =
    textIn(plain, 'value') === null
      ? valueFromFields(node, kind, context)
      : wholeValueIn(node, kind, context);
  return value === null
    ? null
    : { at, id, name, kind, content: contentOf(kind, value), members: null, settings };
}

function membersIn({ fields, value }: Plain): readonly string[] | null {
  const members = typeof fields === 'object' && fields !== null && 'value' in fields ? fields.value : value;
  if (typeof members === 'string') return members.split(',').map((one) => one.trim());
  return Array.isArray(members) && members.length > 0 && members.every((one) => typeof one === 'string')
    ? members
    : null;
}

function wholeValueIn(node: YamlNode, kind: ChannelKind, context: ItemContext): string | null {
  const part = node.kind === 'map' ? entryOf(node, 'value') : null;
  const at = part?.at ?? node.at;
  const value = withSecrets(String(part && plainOf(part)), at, context);
  const error = value === null ? null : channelValueError(kind, value);
  if (error === null) return value;
  context.problems.push({ at, text: error });
  return null;
}

/** A field that is left out has the value of an empty form. */
function valueFromFields(node: YamlNode, kind: ChannelKind, context: ItemContext): string | null {
  const form = kinds[kind].form.fields;
  const fields = node.kind === 'map' ? entryOf(node, 'fields') : null;
  if (fields?.kind !== 'map') return null;
  const texts: Record<string, string> = Object.fromEntries(form.map(({ name, first = '' }) => [name, first]));
  const before = context.problems.length;
  for (const { name, at, value } of fields.entries) {
    const field = form.find((one) => one.name === name);
    if (field) texts[name] = fieldTextIn(field, value, context) ?? '';
    else
      context.problems.push({
        at,
        text: `${kind} has no field ${JSON.stringify(name)}; its fields: ${form.map((one) => one.name).join(', ')}`,
      });
  }
  if (context.problems.length > before) return null;
  const error = fieldError(kind, texts);
  if (error === null) return valueOfFields(kind, texts);
  const at = entryOf(fields, error.field)?.at ?? fields.at;
  context.problems.push({ at, text: error.field === '' ? error.error : `${error.field}: ${error.error}` });
  return null;
}

function fieldTextIn(field: FormField, node: YamlNode, context: ItemContext): string | null {
  const text = textOfField(field, plainOf(node));
  if (text === null) {
    const must = field.input === 'tick' ? 'must be true or false' : 'must be a text';
    context.problems.push({ at: node.at, text: `${field.name} ${must}` });
    return null;
  }
  const resolved = withSecrets(text, node.at, context);
  return field.input === 'lines' ? resolved : (resolved?.trim() ?? null);
}

export function readUser(node: YamlNode, { problems }: ItemContext): DesiredUser | null {
  const { at } = node;
  const { name, role, projects } = plainOf(node) as {
    readonly name: string;
    readonly role: MemberRole;
    readonly projects?: readonly ConfiguredRole[];
  };
  const trimmed = name.trim();
  const refuse = (text: string): null => {
    problems.push({ at, text });
    return null;
  };
  if (trimmed === '') return refuse('name must not be empty');
  if (!projects) return { at, name: trimmed, role, projects: null };
  const names = projects.map(({ project }) => project);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) return refuse(`user ${trimmed} has two roles in project ${JSON.stringify(twice)}`);
  if (role === 'owner' && projects.length > 0)
    return refuse(`user ${trimmed} is an owner, and so of every project: leave projects out`);
  const sorted = [...projects].sort((a, b) => (a.project < b.project ? -1 : 1));
  return { at, name: trimmed, role, projects: sorted };
}

export function readCheck(node: YamlNode, context: ItemContext): DesiredCheck | null {
  const { at } = node;
  const { id, integrations, ...fields } = plainOf(node) as Plain;
  const refuse = (text: string): null => {
    context.problems.push({ at, text });
    return null;
  };
  if (id === undefined && (fields.slug ?? '') === '') return refuse('a check needs a slug, or an id');
  if (fields.timeout !== undefined && fields.schedule !== undefined)
    return refuse('a check has a timeout or a schedule, not both');
  return {
    at,
    id: typeof id === 'string' ? id : null,
    fields: normalFields(fields),
    integrations: integrations === '*' ? '*' : Array.isArray(integrations) ? integrations.map(String) : [],
  };
}

/** The fields in the server's form. */
export function normalFields(fields: Plain): CheckSettings {
  const parsed = parseSpec(fields);
  return settingsOfCheck(parsed.ok ? configAfter(defaultConfig, parsed.spec, 3, []) : defaultConfig);
}
