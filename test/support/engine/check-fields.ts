/** Values for the fields of a check, out of the table of fields: a new field is tested without being named here. */
import fc from 'fast-check';
import type { CheckConfig } from '../../../src/domain/check/check.ts';
import {
  type CheckField,
  type CheckFieldName,
  checkFieldNames,
  checkFields,
  checkKinds,
} from '../../../src/domain/check/check-fields.ts';
import { asChannelId } from '../../../src/lib/ids.ts';

/** A value that a request may give the field, and not its default. */
export function otherValueOf(name: CheckFieldName): string | number | boolean | readonly string[] {
  const field: CheckField = checkFields[name];
  switch (field.kind) {
    case 'text':
      if (name === 'retention') return 'pings 9 days';
      return name === 'exitCodes' ? '24=warning,*=failure' : 'other';
    case 'integer':
      return field.min + 1;
    case 'flag':
      return !field.default;
    case 'choice':
      return field.choices.find((choice) => choice !== field.default) ?? '';
    case 'schedule':
      return '5 4 * * *';
    case 'zone':
      return 'Europe/Riga';
    case 'schedule-kind':
      return 'cron';
    case 'channels':
      return ['0000c001-0000-4000-8000-000000000000'];
  }
}

/** Of the fields that are shown in another way than under their own name as they are. */
export function shownValueOf(name: CheckFieldName, config: CheckConfig): unknown {
  if (name === 'channels') return config.channels.join(',');
  // Left out of answers where there are none.
  const isLeftOut = name === 'results' || name === 'retention';
  return isLeftOut && config[name] === '' ? undefined : config[name];
}

/** What must hold besides, so that the field is shown at all. */
export function shownWith(name: CheckFieldName): Partial<CheckConfig> {
  return name === 'schedule' || name === 'tz' ? { kind: 'cron' } : {};
}

export interface FieldArbitraries {
  readonly text: fc.Arbitrary<string>;
  readonly uuid: fc.Arbitrary<string>;
}

/** Whatever the types of the fields allow, its bounds aside. */
export function anyConfig(of: FieldArbitraries): fc.Arbitrary<CheckConfig> {
  const values = Object.fromEntries(checkFieldNames.map((name) => [name, valuesOf(checkFields[name], of)]));
  return fc.record(values).map((config) => Object.assign({}, config) as unknown as CheckConfig);
}

function valuesOf(field: CheckField, { text, uuid }: FieldArbitraries): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'integer':
      return fc.integer({ min: field.min, max: field.max });
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...field.choices);
    case 'schedule-kind':
      return fc.constantFrom(...checkKinds);
    case 'channels':
      return fc.array(uuid.map(asChannelId), { maxLength: 200 });
    default:
      return text;
  }
}
