/**
 * The one table of how a user wants times and colours to be shown: a preference's names, its kind and default, and its words on the
 * page. Read by the type, the codec, the account's endpoint and its form. Not here: what a preference does (`web/core`).
 * Invariants: a new one is one line here. `stored`, `default` and the values of choices never change once they were released.
 */
import type { Growing } from '../check/unknown-fields.ts';

interface PreferenceOf<Kind extends string, Value> {
  readonly kind: Kind;
  /** Name in records. */
  readonly stored: string;
  readonly default: Value;
  readonly label: string;
}

/** An IANA name, or empty. */
interface ZonePreference extends PreferenceOf<'zone', string> {
  /** Label of an empty value. */
  readonly none: string;
}

export interface ChoicePreference<Value extends string = string> extends PreferenceOf<'choice', Value> {
  /** Each with what it is called, in this order. */
  readonly choices: readonly (readonly [Value, string])[];
}

function choice<const Value extends string>(
  stored: string,
  label: string,
  choices: readonly [readonly [Value, string], ...(readonly [Value, string])[]],
): ChoicePreference<Value> {
  return { kind: 'choice', stored, label, choices, default: choices[0][0] };
}

const timeZone: ZonePreference = {
  kind: 'zone',
  stored: 'tz',
  default: '',
  label: 'Time zone',
  none: 'As in my browser',
};

export const preferenceFields = {
  timeZone,
  /** `auto`: as the browser's language has it. */
  clock: choice('clock', 'Clock', [
    ['auto', 'As in my browser'],
    ['24', '24 hours (17:05)'],
    ['12', '12 hours (5:05 PM)'],
  ]),
  theme: choice('theme', 'Colours', [
    ['system', 'System colours'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ]),
};

type Fields = typeof preferenceFields;
export type PreferenceName = keyof Fields;
export type PreferenceField = ZonePreference | ChoicePreference;

/** Names in the order of the table. */
export const preferenceNames = Object.keys(preferenceFields) as readonly PreferenceName[];

type Values = { readonly [Name in PreferenceName]: Fields[Name]['default'] };
export interface Preferences extends Values, Growing {}

export const defaultPreferences: Preferences = Object.fromEntries(
  preferenceNames.map((name) => [name, preferenceFields[name].default]),
) as Values;
