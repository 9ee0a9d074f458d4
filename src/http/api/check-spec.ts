/**
 * What a client wants a check to be: the parameters of create and update, validated (specification, "Create
 * parameters").
 * Not here: what they make of a check (`apply-spec`), which integrations exist (`assigned-channels`).
 * Invariant: pure; of several errors the first is told, fields taken by alphabet, as Healthchecks does.
 */
import { slugLengthMax } from '../../domain/check.ts';
import { canonicalTimeZone, EXPRESSION_LENGTH_MAX, parseSchedule } from '../../schedule/schedule.ts';
import { FieldReader } from './field-reader.ts';
import type { JsonObject } from './request-json.ts';

/** Specification, "Limits". */
const secondsMin = 60;
const secondsMax = 31_536_000;

/** Not in the specification: what Healthchecks' columns hold, in code points. */
const nameLengthMax = 100;
const keywordsLengthMax = 200;
const tagsLengthMax = 500;

const uniqueFields = ['name', 'slug', 'tags', 'timeout', 'grace'] as const;
export type UniqueField = (typeof uniqueFields)[number];

const methodChoices = ['', 'POST'] as const;

/** Undefined: not in the request. */
export interface CheckSpec {
  readonly channels: string | undefined;
  readonly desc: string | undefined;
  readonly failureKw: string | undefined;
  readonly filterBody: boolean | undefined;
  readonly filterDefaultFail: boolean | undefined;
  readonly filterHttpBody: boolean | undefined;
  readonly filterSubject: boolean | undefined;
  readonly graceS: number | undefined;
  readonly manualResume: boolean | undefined;
  readonly methods: '' | 'POST' | undefined;
  readonly name: string | undefined;
  readonly schedule: string | undefined;
  readonly slug: string | undefined;
  readonly startKw: string | undefined;
  readonly subject: string | undefined;
  readonly subjectFail: string | undefined;
  readonly successKw: string | undefined;
  readonly tags: string | undefined;
  readonly timeoutS: number | undefined;
  readonly tz: string | undefined;
  readonly unique: readonly UniqueField[] | undefined;
}

export type ParsedSpec =
  | { readonly ok: true; readonly spec: CheckSpec }
  | { readonly ok: false; readonly error: string };

/** The order of the fields below is the order in which their errors are told. */
export function parseSpec(json: JsonObject): ParsedSpec {
  const fields = new FieldReader(json);
  const spec: CheckSpec = {
    channels: fields.text('channels'),
    desc: fields.text('desc'),
    failureKw: fields.text('failure_kw', { lengthMax: keywordsLengthMax }),
    filterBody: fields.flag('filter_body'),
    filterDefaultFail: fields.flag('filter_default_fail'),
    filterHttpBody: fields.flag('filter_http_body'),
    filterSubject: fields.flag('filter_subject'),
    graceS: fields.integer('grace', secondsMin, secondsMax),
    manualResume: fields.flag('manual_resume'),
    methods: fields.choice('methods', methodChoices),
    name: fields.text('name', { lengthMax: nameLengthMax }),
    schedule: fields.converted(
      fields.text('schedule', { lengthMax: EXPRESSION_LENGTH_MAX }),
      'schedule is not a valid cron or OnCalendar expression',
      validSchedule,
    ),
    slug: fields.text('slug', { lengthMax: slugLengthMax, pattern: /^[a-z0-9_-]*$/ }),
    startKw: fields.text('start_kw', { lengthMax: keywordsLengthMax }),
    subject: fields.text('subject', { lengthMax: keywordsLengthMax }),
    subjectFail: fields.text('subject_fail', { lengthMax: keywordsLengthMax }),
    successKw: fields.text('success_kw', { lengthMax: keywordsLengthMax }),
    tags: fields.text('tags', { lengthMax: tagsLengthMax }),
    timeoutS: fields.integer('timeout', secondsMin, secondsMax),
    tz: fields.converted(fields.text('tz'), 'tz is not a valid timezone', canonicalTimeZone),
    unique: fields.choices('unique', uniqueFields),
  };
  if (fields.error !== null) return { ok: false, error: `json validation error: ${fields.error}` };
  return { ok: true, spec };
}

/** Validity does not depend on the zone, whose own turn comes later in the alphabet. */
function validSchedule(expression: string): string | null {
  return parseSchedule(expression, 'UTC').ok ? expression : null;
}
