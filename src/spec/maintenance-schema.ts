/**
 * The fields of a maintenance window in a request, as JSON Schema.
 * Invariant: `maintenance-spec` takes what it allows, but for times that are in the wrong order.
 */
import type { JsonSchema } from '../domain/check/field-schema.ts';
import {
  icsCharsMax,
  maintenanceChecksMax,
  maintenanceDatesMax,
  maintenanceSecondsMax,
  maintenanceSecondsMin,
  maintenanceTagsMax,
  nameCharsMax,
} from '../domain/limits.ts';
import { uuidSource } from '../lib/ids.ts';
import { expressionLengthMax } from '../schedule/schedule.ts';
import type { MaintenanceFieldName } from './maintenance-spec.ts';

const printable = '[^\\u0000-\\u001f\\u007f-\\u009f]';

const moment = (description: string): JsonSchema => ({
  description: `${description} Epoch seconds, or ISO 8601 with an offset.`,
  oneOf: [
    { type: 'string', format: 'date-time' },
    { type: 'integer', minimum: 0 },
  ],
});

export const maintenanceSchema: Readonly<Record<MaintenanceFieldName, JsonSchema>> = {
  name: {
    type: 'string',
    minLength: 1,
    maxLength: nameCharsMax,
    // No control characters, and not only blanks.
    pattern: `^${printable}*[^\\s\\u0000-\\u001f\\u007f-\\u009f]${printable}*$`,
    description: 'What it is called.',
  },
  checks: {
    type: 'array',
    items: { type: 'string', pattern: `^${uuidSource}$` },
    maxItems: maintenanceChecksMax,
    description: 'UUIDs of the checks that it is about. With neither checks nor tags: the whole project.',
  },
  tags: {
    type: 'array',
    items: { type: 'string', pattern: '^\\S*$' },
    maxItems: maintenanceTagsMax,
    description: 'It is about every check that has one of these tags.',
  },
  integrations: {
    type: 'array',
    items: { type: 'string', pattern: `^${uuidSource}$` },
    maxItems: maintenanceChecksMax,
    description:
      'UUIDs of integrations: the window is their quiet hours and no maintenance. Nothing is sent to them meanwhile; at its end they are notified of what is still down.',
  },
  from: moment('When it begins; now, if omitted.'),
  until: moment('When it ends.'),
  schedule: {
    type: 'string',
    maxLength: expressionLengthMax,
    description: 'Or a cron or OnCalendar expression: when it begins, again and again. It needs a duration.',
  },
  tz: { type: 'string', description: 'The time zone of the schedule, and of whole days of a file.' },
  duration: {
    description: 'How long it takes: seconds, or a text such as 90m, 2h or 1d.',
    oneOf: [
      { type: 'integer', minimum: maintenanceSecondsMin, maximum: maintenanceSecondsMax },
      { type: 'string', pattern: '^[0-9]{1,6}[smhd]$' },
    ],
  },
  dates: {
    type: 'array',
    maxItems: maintenanceDatesMax,
    items: {
      type: 'object',
      properties: { from: moment('When it begins.'), until: moment('When it ends.') },
      required: ['from', 'until'],
    },
    description: 'Or dates, each from then until then.',
  },
  ics: {
    type: 'string',
    maxLength: icsCharsMax,
    description:
      'Or the text of an iCalendar file, whose events are the dates. Events that repeat are refused; whole days are those of tz.',
  },
  counts_as_downtime: {
    type: 'boolean',
    default: false,
    description: 'Whether status pages count what is down meanwhile.',
  },
};
