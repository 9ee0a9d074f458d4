/** The format of maintenance windows in a configuration file: a part of the table in `format`. */
import type { JsonSchema } from '../domain/check/field-schema.ts';
import { nameCharsMax } from '../domain/limits.ts';
import { maintenanceSchema } from '../spec/maintenance-schema.ts';
import { type MaintenanceFieldName, readMaintenance } from '../spec/maintenance-spec.ts';
import { checkNames } from './format-status-page.ts';
import { type Leaf, listOfNames, type Shape, text, uuidPattern } from './shape.ts';

/** The API's rules for one field by itself; others that it needs are given with it. */
function fieldLeaf(name: MaintenanceFieldName, schema: JsonSchema = maintenanceSchema[name]): Leaf {
  return {
    schema,
    error(value) {
      const read = readMaintenance({ dates: anyDates, [name]: value }, null, 0);
      return read.ok || read.field !== name ? null : read.error.replace(`${name} `, '');
    },
  };
}

const anyDates = [{ from: 0, until: 1 }];

/** Where several values have to be there to judge one, `read-maintenance` does. */
const anyText: Leaf['error'] = (value) => (typeof value === 'string' ? null : 'must be a text');
const anyMoment: Leaf['error'] = (value) =>
  typeof value === 'string' || typeof value === 'number' ? null : 'must be a time';

export const maintenance: Shape = {
  help: 'A maintenance window, known by its id if it has one here, otherwise by its name. What is left out has its default.',
  required: ['name'],
  rules: [
    {
      anyOf: [
        { required: ['from', 'until'] },
        { required: ['schedule', 'duration'] },
        ...['dates', 'ics'].map((name) => ({ required: [name] })),
      ],
    },
    { not: { required: ['dates', 'ics'] } },
  ],
  object: {
    name: text('What it is called.', { charsMin: 1, charsMax: nameCharsMax }),
    id: text('Needed only where names repeat.', { pattern: uuidPattern }),
    checks: checkNames,
    tags: fieldLeaf('tags'),
    integrations: listOfNames(
      'Names or ids of integrations, not of groups: it is no maintenance, but their quiet hours.',
      'names or ids of integrations',
    ),
    from: { schema: maintenanceSchema.from, error: anyMoment },
    until: { schema: maintenanceSchema.until, error: anyMoment },
    schedule: { schema: maintenanceSchema.schedule, error: anyText },
    tz: fieldLeaf('tz'),
    duration: fieldLeaf('duration'),
    dates: fieldLeaf('dates'),
    ics: {
      schema: {
        ...maintenanceSchema.ics,
        description: 'Or the text of an iCalendar file, mostly a reference to one.',
      },
      error: anyText,
    },
    counts_as_downtime: fieldLeaf('counts_as_downtime'),
  },
};
