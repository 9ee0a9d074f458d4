/**
 * The format of a configuration file, as one table: what `read-desired` validates by and the published JSON Schema is made
 * of. The fields of checks and integrations come from their own tables (`domain/check/check-fields`, `integrations`).
 * Not here: rules about more than one value (`read-desired`).
 */

import {
  channelSettingFields,
  type OwnerSettingField,
  ownerSettingNames,
} from '../domain/accounts/channel-settings.ts';
import { channelKinds, keyScopes } from '../domain/accounts/project.ts';
import {
  type ProjectFieldName,
  projectFieldNames,
  projectFields,
} from '../domain/accounts/project-fields.ts';
import { memberRoles } from '../domain/accounts/user.ts';
import {
  type CheckField,
  checkFieldNames,
  checkFields,
  retentionForm,
} from '../domain/check/check-fields.ts';
import { fieldSchema, type JsonSchema } from '../domain/check/field-schema.ts';
import { nameCharsMax } from '../domain/limits.ts';
import { kinds } from '../integrations/all.ts';
import type { FormField } from '../integrations/contract/kind.ts';
import { parseSpec } from '../spec/check-spec.ts';
import { maintenance } from './format-maintenance.ts';
import { statusPage } from './format-status-page.ts';
import { flag, type Leaf, type Shape, schemaOf, seconds, text, timeZone, uuidPattern } from './shape.ts';

/** The API's rules for one field of a check; its own words, without what they all begin with. */
function checkField(field: CheckField): Leaf {
  return {
    schema: fieldSchema(field),
    error(value) {
      const parsed = parseSpec({ [field.json]: value });
      return parsed.ok
        ? null
        : parsed.error.replace(/^json validation error: /, '').replace(`${field.json} `, '');
    },
  };
}

const settable = checkFieldNames.filter((name) => name !== 'kind' && name !== 'channels');
const ofCheck = Object.fromEntries(
  settable.map((name): [string, Shape] => [checkFields[name].json, checkField(checkFields[name])]),
);

const references: Leaf = {
  schema: {
    description: 'Names of integrations of the project, or "*" for all of them.',
    anyOf: [{ const: '*' }, { type: 'array', items: { type: 'string' }, uniqueItems: true }],
  },
  error(value) {
    const isList = Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');
    return value === '*' || isList ? null : 'must be a list of names of integrations, or "*"';
  },
};

/** Schema in the file for a field of an integration's form. Secrets are references, so each may be a text. */
function schemaOfForm({ label, help, input, choices, open }: FormField): JsonSchema {
  const description = help === undefined ? label : `${label}. ${help}`;
  if (input === 'tick') return { description, type: 'boolean' };
  if (input === 'integrations') return { description, type: 'array', items: { type: 'string' } };
  if (input === 'headers')
    return {
      description,
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
    };
  if (choices) {
    const values = choices.map(([value]) => value);
    const numbers = values.filter((value) => /^-?\d+$/.test(value)).map(Number);
    return { description, enum: [...values, ...numbers] };
  }
  return { description, type: input === 'number' || open !== true ? ['string', 'number'] : 'string' };
}

const isFieldValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const fields: Leaf = {
  schema: { description: 'The fields of its form, which depend on its kind.', type: 'object' },
  error: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be a map of fields',
};

const byKind = channelKinds.map(
  (kind): JsonSchema => ({
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      properties: {
        fields: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(
            kinds[kind].form.fields.map((field) => [field.name, schemaOfForm(field)]),
          ),
        },
      },
    },
  }),
);

const key: Shape = {
  help: 'A key of the project. It is created once, and known by its name. With another scope, it is replaced by a new key.',
  required: ['name', 'scope'],
  object: {
    name: text('Unique in the project.', { charsMin: 1, charsMax: nameCharsMax }),
    scope: text('What the key may do.', { choices: keyScopes }),
    file: text('Where a key that is created is written, with mode 0600; otherwise it is printed.', {
      charsMin: 1,
    }),
    hash: text('SHA-256 of a key that another installation had; not for ping keys.', { charsMin: 1 }),
    key: text('A ping key that another installation had.', { charsMin: 1 }),
  },
};

function settingLeaf(field: OwnerSettingField): Leaf {
  switch (field.kind) {
    case 'seconds':
      return seconds(field.help, field);
    case 'flag':
      return flag(field.help);
    case 'words':
      return text(field.help, { charsMax: field.charsMax });
    case 'zone':
      return timeZone(field.help);
  }
}

const integration: Shape = {
  help: 'An integration, known by its id if it has one here, otherwise by its name.',
  required: ['name', 'kind'],
  rules: [{ oneOf: [{ required: ['fields'] }, { required: ['value'] }] }, ...byKind],
  object: {
    name: text('Unique in the project, unless it has an id.', { charsMax: nameCharsMax }),
    id: text('Needed only where names repeat.', { pattern: uuidPattern }),
    kind: text('With another kind, it is replaced.', { choices: channelKinds }),
    fields,
    value: text('In place of fields: the whole value, as the API of the admin has it.', { charsMin: 1 }),
    ...Object.fromEntries(
      ownerSettingNames.map((name): [string, Shape] => {
        const field = channelSettingFields[name];
        return [field.json, settingLeaf(field)];
      }),
    ),
  },
};

const check: Shape = {
  help: 'A check, known by its id if it has one here, otherwise by its slug. What is left out has its default.',
  required: [],
  rules: [
    { anyOf: [{ required: ['slug'], properties: { slug: { minLength: 1 } } }, { required: ['id'] }] },
    { not: { required: ['timeout', 'schedule'] } },
  ],
  object: {
    id: text('Its UUID, which is its ping address: needed only without a slug of its own.', {
      pattern: uuidPattern,
    }),
    ...ofCheck,
    integrations: references,
  },
};

function projectField(name: ProjectFieldName): Leaf {
  const field = projectFields[name];
  if (field.kind === 'choice') return text(field.help, { choices: field.choices });
  if (!('wrong' in field)) return text(field.help, { charsMin: 1, charsMax: field.charsMax });
  const { wrong, help, charsMax } = field;
  const leaf = text(`${help} ${retentionForm}`, { charsMax });
  return {
    ...leaf,
    error(value) {
      const problem = leaf.error(value) ?? wrong(String(value));
      return problem === '' ? null : problem;
    },
  };
}

const project: Shape = {
  help: 'A project, known by its name. A list that is left out is left alone.',
  required: ['name'],
  object: {
    ...Object.fromEntries(projectFieldNames.map((name): [string, Shape] => [name, projectField(name)])),
    keys: { list: key, help: 'Keys.' },
    integrations: { list: integration, help: 'Integrations.' },
    checks: { list: check, help: 'Checks.' },
    status_pages: { list: statusPage, help: 'Public status pages.' },
    maintenance: { list: maintenance, help: 'Maintenance windows.' },
  },
};

const projectRole: Shape = {
  help: 'A role in one project.',
  required: ['project', 'role'],
  object: {
    project: text('Its name.', { charsMin: 1, charsMax: nameCharsMax }),
    role: text('What the user may do there, whatever the role of the installation is.', {
      choices: memberRoles,
    }),
  },
};

const user: Shape = {
  help: 'A user of the page, known by the name, whatever the case of its letters. A new one sets a password by a link.',
  required: ['name', 'role'],
  object: {
    name: text('What the user signs in with: an email address, for example.', {
      charsMin: 1,
      charsMax: nameCharsMax,
    }),
    role: text('What the user may do in all projects that are not listed here; none: not even see them.', {
      choices: memberRoles,
    }),
    projects: { list: projectRole, help: 'Roles in single projects.' },
  },
};

export const documentShape: Shape = {
  help: 'Configuration of Knell, for "knell apply". A list that is left out is left alone.',
  required: [],
  requiredOne: ['projects', 'users'],
  object: {
    version: {
      schema: { description: 'Of this format.', const: 1 },
      error: (value) => (value === 1 ? null : 'must be 1: is this file for a newer Knell?'),
    },
    projects: { list: project, help: 'Projects.' },
    users: { list: user, help: 'Users.' },
  },
};

export function jsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Knell configuration',
    ...schemaOf(documentShape),
  };
}

/** A field's value in the file as its form has it: a text. Null for what is none. */
export function textOfField({ input }: FormField, value: unknown): string | null {
  if (input === 'tick') return typeof value === 'boolean' ? (value ? 'yes' : '') : null;
  if (input === 'headers' && typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value)
      .map(([name, content]) => `${name}: ${String(content)}`)
      .join('\n');
  return isFieldValue(value) ? String(value) : null;
}
