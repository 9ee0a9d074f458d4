/**
 * What the management API answers with, as JSON Schema: the components of the OpenAPI document. A check's own fields come out of
 * their table (`field-schema`); the rest is here once. Not here: what requests may have (`check-spec`).
 * Invariant: every property is named; the tests hold that no answer has one more, or lacks one.
 */

import { statuses } from '../../domain/check/check.ts';
import { checkFields } from '../../domain/check/check-fields.ts';
import { signals } from '../../domain/check/ping.ts';
import { notificationKinds, notificationOutcomes } from '../../domain/deliveries/sent-notification.ts';
import { channelKinds } from '../../integrations/all.ts';
import { second } from '../../lib/units.ts';
import { parameterSchemas } from '../../spec/check-spec.ts';
import { type JsonSchema, shownFieldSchemas } from '../../spec/field-schema.ts';
import { partPatterns } from './routes.ts';
import { snoozeMsMax } from './snooze.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const url = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description });
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const instant = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });
const instantOrNull = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});
export const uuid = (description: string): JsonSchema => ({
  type: 'string',
  format: 'uuid',
  pattern: `^${partPatterns.uuid}$`,
  description,
});
export const uniqueKey = (description: string): JsonSchema => ({
  type: 'string',
  pattern: `^${partPatterns.unique_key}$`,
  description,
});

interface ObjectOptions {
  readonly optional?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** All properties are required, but those that are optional. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [], ...rest }: ObjectOptions = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, ...rest };
}

function orNull(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { oneOf: [object(properties), { type: 'null' }] };
}

/** Those of one kind of schedule. */
const { timeoutS, schedule, tz, kind, channels, ...others } = checkFields;
const shownAlways = Object.fromEntries(
  Object.values(others).map(({ json }) => [json, shownFieldSchemas[json] ?? {}]),
);
const expectation = [timeoutS.json, schedule.json, tz.json];

const checkProperties: Readonly<Record<string, JsonSchema>> = {
  ...shownAlways,
  ...Object.fromEntries(expectation.map((name) => [name, shownFieldSchemas[name] ?? {}])),
  n_pings: count('Pings so far.'),
  status: { type: 'string', enum: statuses },
  started: { type: 'boolean', description: 'A run of its job is in flight.' },
  last_ping: instantOrNull('When the last ping came.'),
  next_ping: instantOrNull('When the next one is expected.'),
  subject: parameterSchemas.subject ?? {},
  subject_fail: parameterSchemas.subject_fail ?? {},
  badge_url: url('Its badge, as SVG.'),
  last_duration: count('What its last run took, in seconds; absent while none has ended.'),
};

const checkOptions: ObjectOptions = {
  optional: [...expectation, 'last_duration'],
  oneOf: [
    { title: 'simple', required: [timeoutS.json] },
    { title: 'cron or OnCalendar', required: [schedule.json, tz.json] },
  ],
};

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

const badgeUrls = object({
  svg: url('Up or down.'),
  svg3: url('Up, late or down.'),
  json: url('Up or down, as JSON.'),
  json3: url('Up, late or down, as JSON.'),
  shields: url('Up or down, for shields.io.'),
  shields3: url('Up, late or down, for shields.io.'),
});

export const componentSchemas = {
  Error: object(
    { error: text('What is wrong, in one line.') },
    { examples: [{ error: 'json validation error: timeout is too small' }] },
  ),
  CreateCheck: { type: 'object', properties: parameters, examples: [createExample] },
  UpdateCheck: { type: 'object', properties: withoutDefaults, examples: [{ grace: 7200 }] },
  KeyOnly: { type: 'object', properties: { api_key: parameters.api_key }, examples: [{}] },
  Check: object(
    {
      ...checkProperties,
      uuid: uuid('Identifies the check, and lets anyone ping.'),
      ping_url: url('Where its job pings.'),
      update_url: url('Where it is updated.'),
      pause_url: url('Where it is paused.'),
      resume_url: url('Where it is resumed.'),
      channels: text('UUIDs of its integrations, between commas.'),
    },
    checkOptions,
  ),
  CheckReadOnly: object(
    { ...checkProperties, unique_key: uniqueKey('Identifies the check, and does not let anyone ping.') },
    checkOptions,
  ),
  CheckList: object({
    checks: {
      type: 'array',
      items: { oneOf: [{ $ref: ref('Check') }, { $ref: ref('CheckReadOnly') }] },
    },
  }),
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
  Snooze: object(
    {
      uuid: uuid('Identifies the check, for read-write keys.'),
      unique_key: uniqueKey('Identifies it, for read-only keys.'),
      acknowledged: orNull({ timestamp: instant('Since when.'), by: text('By whom.') }),
      snoozed: orNull({
        timestamp: instant('Since when.'),
        until: instant('Until when.'),
        by: text('By whom.'),
      }),
    },
    { optional: ['uuid', 'unique_key'] },
  ),
  SnoozeList: object({ snoozes: { type: 'array', items: { $ref: ref('Snooze') } } }),
  Ping: object(
    {
      type: { type: 'string', enum: signals },
      date: instant('When it came, with six fraction digits.'),
      n: { type: 'integer', minimum: 1, description: 'Its number within the check.' },
      scheme: { type: 'string', enum: ['http', 'https', 'email'] },
      remote_addr: text('From which address.'),
      method: text('The HTTP method; empty for an email.'),
      ua: text('The user agent.'),
      rid: { type: ['string', 'null'], format: 'uuid', description: 'Its run id.' },
      duration: {
        type: 'number',
        minimum: 0,
        description: 'What the run took, in seconds; absent where it is not known.',
      },
      body_url: { type: ['string', 'null'], format: 'uri', description: 'Where its body is; null for none.' },
    },
    { optional: ['duration'] },
  ),
  PingList: object({ pings: { type: 'array', items: { $ref: ref('Ping') } } }),
  Flip: object({
    timestamp: instant('When the check changed.'),
    up: { type: 'integer', enum: [0, 1], description: '1: it went up. 0: it went down.' },
  }),
  FlipList: { type: 'array', items: { $ref: ref('Flip') } },
  Notification: object({
    timestamp: instant('When the outcome was known.'),
    event: { type: 'string', enum: notificationKinds },
    changed_at: instant('When the check changed.'),
    channel: uuid('The integration.'),
    channel_name: text('Its name then.'),
    channel_kind: text('Its kind.'),
    outcome: { type: 'string', enum: notificationOutcomes },
    attempts: count('How often sending was tried.'),
    error: text('Why it was not delivered; empty if it was.'),
  }),
  NotificationList: object({ notifications: { type: 'array', items: { $ref: ref('Notification') } } }),
  Channel: object({
    id: uuid('Identifies the integration.'),
    name: text('Its name; may be empty.'),
    kind: { type: 'string', enum: channelKinds },
  }),
  ChannelList: object({ channels: { type: 'array', items: { $ref: ref('Channel') } } }),
  BadgeUrls: badgeUrls,
  BadgeList: object({
    badges: {
      type: 'object',
      description: 'By tag; `*` is all checks of the project.',
      required: ['*'],
      additionalProperties: { $ref: ref('BadgeUrls') },
    },
  }),
} as const satisfies Readonly<Record<SchemaName, JsonSchema>>;

export type SchemaName =
  | 'BadgeList'
  | 'BadgeUrls'
  | 'Channel'
  | 'ChannelList'
  | 'Check'
  | 'CheckList'
  | 'CheckReadOnly'
  | 'CreateCheck'
  | 'Error'
  | 'Flip'
  | 'FlipList'
  | 'KeyOnly'
  | 'Notification'
  | 'NotificationList'
  | 'Ping'
  | 'PingList'
  | 'Snooze'
  | 'SnoozeCheck'
  | 'SnoozeList'
  | 'UpdateCheck';

/** Where the document has a schema. */
export function ref(name: SchemaName): string {
  return `#/components/schemas/${name}`;
}
