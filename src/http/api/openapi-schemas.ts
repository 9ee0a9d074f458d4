/**
 * The components of the OpenAPI document: requests and answers of the management API as JSON Schema. Bodies of requests are
 * built here from the rules that validate them (`spec/check-spec`); answers are declared in `domain/views/api-answers`.
 */

import type { JsonSchema } from '../../domain/check/field-schema.ts';
import { incidentNoteCharsMax } from '../../domain/limits.ts';
import { answerComponents } from '../../domain/views/api-answers.ts';
import { event, eventGap, eventList } from '../../domain/views/event-answers.ts';
import { maintenance, maintenanceList } from '../../domain/views/maintenance-view.ts';
import { searchAnswer } from '../../domain/views/search-view.ts';
import { uniqueKeySource, uuidSource } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import { parameterSchemas } from '../../spec/check-spec.ts';
import { maintenanceSchema } from '../../spec/maintenance-schema.ts';
import { previewedTimes, replayedDays, snoozeMsMax } from '../limits.ts';

const createExample = {
  name: 'Backup',
  slug: 'backup',
  tags: 'prod db',
  schedule: '30 3 * * *',
  tz: 'Europe/Riga',
  grace: 1800,
  unique: ['slug'],
};

const parameters: Readonly<Record<string, JsonSchema>> = {
  ...parameterSchemas,
  // It may be of any type: where the header is sent, this is ignored.
  api_key: { description: 'The key, for clients that cannot send the header X-Api-Key.' },
};

/** A default is what a new check gets; an update keeps what it does not name. */
const withoutDefaults = Object.fromEntries(
  Object.entries(parameters).map(([name, { default: _, ...schema }]) => [name, schema]),
);

const requestSchemas = {
  CreateCheck: { type: 'object', properties: parameters, examples: [createExample] },
  UpdateCheck: { type: 'object', properties: withoutDefaults, examples: [{ grace: 7200 }] },
  KeyOnly: { type: 'object', properties: { api_key: parameters.api_key }, examples: [{}] },
  PreviewRetention: {
    type: 'object',
    properties: { retention: parameters.retention },
    required: ['retention'],
    examples: [{ retention: 'pings 90 days\nfailures 1 year' }],
  },
  PreviewSchedule: {
    type: 'object',
    properties: {
      ...withoutDefaults,
      count: {
        type: 'integer',
        minimum: 1,
        maximum: previewedTimes.max,
        default: previewedTimes.default,
        description: 'How many of the next times.',
      },
      check: {
        type: 'string',
        pattern: `^(?:${uuidSource}|${uniqueKeySource})$`,
        description:
          'UUID or unique key of a check whose pings are replayed. Fields that are not sent are as it has them.',
      },
      days: {
        type: 'integer',
        minimum: 1,
        maximum: replayedDays.max,
        default: replayedDays.default,
        description: 'How many days of its pings.',
      },
    },
    anyOf: [{ required: ['schedule'] }, { required: ['timeout'] }, { required: ['check'] }],
    examples: [{ schedule: '30 3 * * *', tz: 'Europe/Riga', count: 5 }, { timeout: 3600 }],
  },
  CreateMaintenance: {
    ...{ type: 'object', properties: { api_key: parameters.api_key, ...maintenanceSchema } },
    anyOf: ['until', 'duration', 'dates', 'ics'].map((name) => ({ required: [name] })),
    examples: [
      { name: 'DB move', tags: ['db'], from: '2030-05-04T22:00:00Z', until: '2030-05-05T02:00:00Z' },
      { name: 'Sundays', schedule: '0 2 * * 0', tz: 'Europe/Riga', duration: 7200 },
    ],
  },
  UpdateMaintenance: {
    ...{ type: 'object', properties: { api_key: parameters.api_key, ...maintenanceSchema } },
    examples: [{ until: '2030-05-05T04:00:00Z' }],
  },
  AcknowledgeIncident: {
    type: 'object',
    properties: {
      api_key: parameters.api_key,
      note: {
        type: 'string',
        maxLength: incidentNoteCharsMax,
        description: 'A note that is left with it; empty for none.',
      },
    },
    examples: [{}, { note: 'Replacing the disk' }],
  },
  NoteIncident: {
    type: 'object',
    properties: {
      api_key: parameters.api_key,
      note: { type: 'string', minLength: 1, maxLength: incidentNoteCharsMax, description: 'The note.' },
    },
    required: ['note'],
    examples: [{ note: 'The disk is replaced, the restore takes an hour' }],
  },
  SnoozeCheck: {
    type: 'object',
    properties: {
      api_key: parameters.api_key,
      until: {
        description: 'When the snooze ends: epoch seconds, or ISO 8601 with an offset; at most a year ahead.',
        oneOf: [
          { type: 'string', format: 'date-time' },
          { type: 'integer', minimum: 0 },
        ],
      },
      for: {
        type: 'integer',
        minimum: 1,
        maximum: snoozeMsMax / second,
        description: 'Or after how many seconds it ends.',
      },
    },
    oneOf: [{ required: ['until'] }, { required: ['for'] }],
    examples: [{ for: 3600 }, { until: '2030-05-04T09:00:00Z' }],
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type RequestName = keyof typeof requestSchemas;

export const componentSchemas: Readonly<Record<string, JsonSchema>> = {
  ...requestSchemas,
  ...Object.fromEntries(
    [...answerComponents, event, eventGap, eventList, maintenance, maintenanceList, searchAnswer].map(
      ({ name, definition }) => [name, definition],
    ),
  ),
};

/** Reference to the body of a request in the document. */
export function requestRef(name: RequestName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
