/** The format of status pages in a configuration file: a part of the table in `format`. */

import { passwordCharsMax, passwordCharsMin } from '../domain/accounts/password-hash.ts';
import { statusPageBounds as bounds, statusPageSlugPattern } from '../domain/accounts/status-page.ts';
import { type Leaf, type Shape, text, timeZone } from './shape.ts';

const checks: Leaf = {
  schema: {
    description: 'Slugs or ids of checks of the project.',
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    uniqueItems: true,
  },
  error: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one: unknown) => typeof one === 'string')
      ? null
      : 'must be a list of slugs or ids of checks',
};

const service: Shape = {
  help: 'A line of the page: chosen checks, or those that have a tag.',
  required: ['name'],
  rules: [{ oneOf: [{ required: ['checks'] }, { required: ['tag'] }] }],
  object: {
    name: text('What readers see.', { charsMin: 1, charsMax: bounds.serviceNameCharsMax }),
    checks,
    tag: text('In place of checks: all that have it.', { pattern: /^\S+$/, charsMax: bounds.tagCharsMax }),
  },
};

export const statusPage: Shape = {
  help: 'A public status page, known by its slug. What is left out has its default; a password stays.',
  required: ['slug', 'title'],
  rules: [{ not: { required: ['password', 'password_hash'] } }],
  object: {
    slug: text('In its address. Unique in the installation.', { pattern: statusPageSlugPattern }),
    title: text('What readers see.', { charsMin: 1, charsMax: bounds.titleCharsMax }),
    description: text('What readers see below the title.', { charsMax: bounds.descriptionCharsMax }),
    time_zone: timeZone('In its clock the days of the page begin'),
    logo: text('A PNG or JPEG file in base64.', { charsMax: Math.ceil(bounds.logoBytesMax / 3) * 4 }),
    password: text(
      `Readers are asked for it: ${passwordCharsMin} to ${passwordCharsMax} characters. Empty to open the page to everybody.`,
    ),
    password_hash: text('In place of password: as another installation has kept it.', { charsMin: 1 }),
    services: { list: service, help: 'In the order of the page.' },
  },
};
