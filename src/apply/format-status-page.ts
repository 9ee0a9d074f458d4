/** The format of status pages in a configuration file: a part of the table in `format`. */

import {
  type GivenPageField,
  givenPageFields,
  statusPageFields,
  statusPageSlugPattern,
} from '../domain/accounts/status-page-fields.ts';
import { statusPageBounds as bounds } from '../domain/accounts/status-page-limits.ts';
import { logoBytesMax, passwordCharsMax, passwordCharsMin } from '../domain/limits.ts';
import { type Leaf, listOfNames, type Shape, text, timeZone } from './shape.ts';

/** Also of a maintenance window. */
export const checkNames = listOfNames('Slugs or ids of checks of the project.', 'slugs or ids of checks');

const service: Shape = {
  help: 'A line of the page: chosen checks, or those that have a tag.',
  required: ['name'],
  rules: [{ oneOf: [{ required: ['checks'] }, { required: ['tag'] }] }],
  object: {
    name: text('What readers see.', { charsMin: 1, charsMax: bounds.serviceNameCharsMax }),
    checks: checkNames,
    tag: text('In place of checks: all that have it.', { pattern: /^\S+$/, charsMax: bounds.tagCharsMax }),
  },
};

function leafOf(name: GivenPageField): Leaf {
  const field = statusPageFields[name];
  const { help, default: whenAbsent } = field;
  switch (field.kind) {
    case 'slug':
      return text(help, { pattern: statusPageSlugPattern });
    case 'text':
      return text(help, { charsMin: whenAbsent === null ? 1 : 0, charsMax: field.charsMax });
    case 'zone':
      return timeZone(help);
    case 'choice':
      return text(help, { pattern: new RegExp(`^(?:${field.choices.map(([value]) => value).join('|')})$`) });
    case 'logo':
      return text(help, { charsMax: Math.ceil(logoBytesMax / 3) * 4 });
  }
}

export const statusPage: Shape = {
  help: 'A public status page, known by its slug. What is left out has its default; a password stays.',
  required: givenPageFields
    .filter((name) => statusPageFields[name].default === null)
    .map((name) => statusPageFields[name].json),
  rules: [{ not: { required: ['password', 'password_hash'] } }],
  object: {
    ...Object.fromEntries(givenPageFields.map((name) => [statusPageFields[name].json, leafOf(name)])),
    password: text(
      `Readers are asked for it: ${passwordCharsMin} to ${passwordCharsMax} characters. Empty to open the page to everybody.`,
    ),
    password_hash: text(statusPageFields.passwordHash.help, { charsMin: 1 }),
    services: { list: service, help: 'In the order of the page.' },
  },
};
