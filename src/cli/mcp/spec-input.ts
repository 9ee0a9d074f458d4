/** The fields of a check as arguments of a tool, out of the table that the API reads them by. */
import { type JsonSchema, shownFieldSchemas } from '../../domain/check/field-schema.ts';

type FieldName = keyof typeof shownFieldSchemas;

export function checkInput(...names: readonly FieldName[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
}

/** What the schema does not say. */
const words: Partial<Record<FieldName, string>> = {
  timeout: 'Seconds between two pings that are expected; not together with a schedule.',
  grace: 'Seconds after the expected time until the check is down.',
  tags: 'Tags, separated by blanks.',
  channels: 'Integrations to notify: "*" for all, otherwise their UUIDs with commas between.',
  depends_on: 'Slugs of checks that this one depends on, separated by blanks.',
};

function schemaOf(name: FieldName): JsonSchema {
  const description = words[name];
  return { ...shownFieldSchemas[name], ...(description === undefined ? {} : { description }) };
}

/** All that an owner may set; the kind of schedule follows from its fields. */
export function allCheckInput(): Readonly<Record<string, JsonSchema>> {
  const names = Object.keys(shownFieldSchemas) as FieldName[];
  return checkInput(...names.filter((name) => name !== 'kind'));
}
