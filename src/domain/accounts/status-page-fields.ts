/**
 * The one table of the single values of a status page: a field's names, its kind, bounds and default, and the words that explain it.
 * Read by the type, the codec, the commands' input, configuration files, the audit log, the page's form and the command line. Not here:
 * services and notices, which have parts of their own (`status-page`).
 * Invariant: `stored` and `default` never change once they were released, and fields are stored in this order.
 */
import { hour, minute } from '../../lib/units.ts';

interface FieldOf<Kind extends string, Json extends string> {
  readonly kind: Kind;
  /** Name in configuration files. Commands take it by its name in the code. */
  readonly json: Json;
  /** Name in records. */
  readonly stored: string;
  /** Name in the audit log. */
  readonly audited: string;
  /** Null: a page has to have one. */
  readonly default: string | null;
  /** Description in the schema of configuration files. */
  readonly help: string;
}

/** A field that somebody types and sees again. */
interface TypedField<Kind extends string, Json extends string> extends FieldOf<Kind, Json> {
  readonly charsMax: number;
  /** Label on the page. */
  readonly label: string;
  /** `--name <value>` of the command line; the address has a place of its own there. */
  readonly option?: { readonly name: string; readonly value: string; readonly help: string };
}

/** One of a few values. */
interface ChoiceField<Json extends string> extends TypedField<'choice', Json> {
  /** Each with its words on the page, and the span that it is; the default first. */
  readonly choices: readonly (readonly [value: string, words: string, ms: number])[];
}

type Usual = 'stored' | 'audited' | 'default';
type Rules<Field> = Omit<Field, 'kind' | Usual> & { readonly [Name in Usual & keyof Field]?: Field[Name] };

function field<const Kind extends string, const Json extends string>(
  kind: Kind,
  rules: Rules<FieldOf<Kind, Json>>,
): FieldOf<Kind, Json> {
  return { kind, stored: rules.json, audited: rules.json, default: '', ...rules };
}

function typed<const Kind extends string, const Json extends string>(
  kind: Kind,
  rules: Rules<TypedField<Kind, Json>>,
): TypedField<Kind, Json> {
  return { kind, stored: rules.json, audited: rules.json, default: '', ...rules };
}

function choice<const Json extends string>(rules: Rules<ChoiceField<Json>>): ChoiceField<Json> {
  return { kind: 'choice', stored: rules.json, audited: rules.json, default: '', ...rules };
}

export const statusPageFields = {
  /** Slug in its address; no two pages of an installation have the same. */
  slug: typed('slug', {
    json: 'slug',
    audited: 'address',
    default: null,
    charsMax: 64,
    label: 'Address',
    help: 'In its address. Unique in the installation.',
  }),
  title: typed('text', {
    json: 'title',
    default: null,
    charsMax: 100,
    label: 'Title',
    help: 'What readers see.',
    option: { name: 'title', value: 'title', help: 'what its readers see at the top' },
  }),
  description: typed('text', {
    json: 'description',
    charsMax: 500,
    label: 'Description',
    help: 'What readers see below the title.',
    option: { name: 'description', value: 'text', help: 'a sentence below the title' },
  }),
  /** An IANA name: in its clock the page's days begin. */
  timeZone: typed('zone', {
    json: 'time_zone',
    stored: 'tz',
    audited: 'time zone',
    default: 'UTC',
    charsMax: 100,
    label: 'Time zone',
    help: 'In its clock the days of the page begin',
    option: { name: 'tz', value: 'zone', help: 'the time zone of its days' },
  }),
  /** Hash as for a user; empty for a page that is open to everybody. Owners give the password in clear. */
  passwordHash: field('password', {
    json: 'password_hash',
    audited: 'password',
    help: 'In place of password: as another installation has kept it.',
  }),
  /** A PNG or JPEG file in base64; empty for none. */
  logo: field('logo', {
    json: 'logo',
    help: 'A PNG or JPEG file in base64.',
  }),
  /** A job that fails now and then is back before anybody has read of it. */
  incidentsAfter: choice({
    json: 'incidents_after',
    audited: 'incidents after',
    charsMax: 3,
    label: 'Outages that are listed as incidents',
    help: 'How long an outage lasts before the page lists it as an incident; empty: at once.',
    option: {
      name: 'incidents-after',
      value: 'time',
      help: 'list only outages of at least 1m, 5m, 15m or 1h',
    },
    choices: [
      ['', 'All outages', 0],
      ['1m', 'Outages of 1 minute or longer', minute],
      ['5m', 'Outages of 5 minutes or longer', 5 * minute],
      ['15m', 'Outages of 15 minutes or longer', 15 * minute],
      ['1h', 'Outages of 1 hour or longer', hour],
    ],
  }),
};

type Fields = typeof statusPageFields;
export type StatusPageFieldName = keyof Fields;

/** Names in the order of the table. */
export const statusPageFieldNames = Object.keys(statusPageFields) as readonly StatusPageFieldName[];

export type StatusPageValues = { readonly [Name in StatusPageFieldName]: string };

/** Fields that are kept as they are given. */
export type GivenPageField = Exclude<StatusPageFieldName, 'passwordHash'>;
export const givenPageFields: readonly GivenPageField[] = statusPageFieldNames.filter(
  (name) => name !== 'passwordHash',
);

/** Fields that everybody who may edit the page sees as they are. */
export type TypedPageField = Exclude<GivenPageField, 'logo'>;
export const typedPageFields: readonly TypedPageField[] = givenPageFields.filter((name) => name !== 'logo');

/** Values by their JSON names. */
export type ValuesByJson<Name extends StatusPageFieldName> = {
  readonly [One in Name as Fields[One]['json']]: string;
};

/** Slug in the page's address: as long as `charsMax` allows. */
export const statusPageSlugPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** How long an outage lasts before a page lists it. */
export function incidentsAfterMs({ incidentsAfter }: Pick<StatusPageValues, 'incidentsAfter'>): number {
  return statusPageFields.incidentsAfter.choices.find(([value]) => value === incidentsAfter)?.[2] ?? 0;
}
