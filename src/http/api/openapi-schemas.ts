/**
 * What the management API takes and answers with, as JSON Schema: the components of the OpenAPI document. Here are the bodies of
 * requests, out of the rules that they are validated by (`spec/check-spec`); answers are declared in `domain/views/api-answers`.
 */

import type { JsonSchema } from '../../domain/check/field-schema.ts';
import { answerComponents } from '../../domain/views/api-answers.ts';
import { second } from '../../lib/units.ts';
import { parameterSchemas } from '../../spec/check-spec.ts';
import { snoozeMsMax } from './snooze.ts';

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
  // Of any type: beside the header it counts for nothing.
  api_key: { description: 'The key, for clients that cannot send the header X-Api-Key.' },
};

/** A default means what a new check gets; what an update leaves out stays. */
const withoutDefaults = Object.fromEntries(
  Object.entries(parameters).map(([name, { default: _, ...schema }]) => [name, schema]),
);

const requestSchemas = {
  CreateCheck: { type: 'object', properties: parameters, examples: [createExample] },
  UpdateCheck: { type: 'object', properties: withoutDefaults, examples: [{ grace: 7200 }] },
  KeyOnly: { type: 'object', properties: { api_key: parameters.api_key }, examples: [{}] },
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
  ...Object.fromEntries(answerComponents.map(({ name, definition }) => [name, definition])),
};

/** Where the document has the body of a request. */
export function requestRef(name: RequestName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
