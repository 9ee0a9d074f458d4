/**
 * Applies a request to a check's configuration, and finds the check that an upsert means.
 * `check-spec` has what a request may say, `domain` what a new configuration does to the deadlines.
 * Invariant: pure; what the request leaves out stays as it is.
 */
import type { CheckConfig } from '../domain/check/check.ts';
import { slugify } from '../domain/check/slugify.ts';
import type { ChannelId } from '../lib/ids.ts';
import { detectKind } from '../schedule/schedule.ts';
import { type CheckSpec, givenFields, type UniqueField } from './check-spec.ts';

/** Version of the API: the number in `/api/v1/`, `/api/v2/` or `/api/v3/`. */
export type ApiVersion = 1 | 2 | 3;

/** The configuration after a request. `channels` are the integrations that `spec.channels` names; undefined for no change. */
export function configAfter(
  before: CheckConfig,
  spec: CheckSpec,
  version: ApiVersion,
  channels: readonly ChannelId[] | undefined,
): CheckConfig {
  return {
    ...before,
    ...givenBy(spec),
    slug: spec.slug ?? slugAfter(before, spec, version),
    ...kindAfter(before, spec),
    ...mailFilterAfter(before, spec),
    channels: channels ?? before.channels,
  };
}

/** The fields that the request has, with its values. `configAfter` overrides those that other fields also affect. */
function givenBy(spec: CheckSpec): Partial<CheckConfig> {
  return Object.fromEntries(
    givenFields.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]),
  );
}

/** The slug after an update: before v3 a new name gives a new slug. */
function slugAfter(before: CheckConfig, { name }: CheckSpec, version: ApiVersion): string {
  return version < 3 && name !== undefined && name !== before.name ? slugify(name) : before.slug;
}

/** The kind after a request. With a schedule, the timeout is ignored. */
function kindAfter(
  before: CheckConfig,
  { schedule, timeoutS }: CheckSpec,
): Pick<CheckConfig, 'kind' | 'schedule' | 'timeoutS'> {
  if (schedule !== undefined) return { kind: detectKind(schedule), schedule, timeoutS: before.timeoutS };
  if (timeoutS !== undefined) return { kind: 'simple', schedule: before.schedule, timeoutS };
  return { kind: before.kind, schedule: before.schedule, timeoutS: before.timeoutS };
}

/**
 * The mail filter after a request. `subject` and `subject_fail` are older names of the keywords: with them, subjects of mails are
 * searched if there is any keyword. The newer fields win.
 */
function mailFilterAfter(
  before: CheckConfig,
  spec: CheckSpec,
): Pick<CheckConfig, 'successKw' | 'failureKw' | 'filterSubject'> {
  const successKw = spec.subject ?? before.successKw;
  const failureKw = spec.subjectFail ?? before.failureKw;
  const olderNames = spec.subject !== undefined || spec.subjectFail !== undefined;
  const filterSubject = olderNames ? successKw !== '' || failureKw !== '' : before.filterSubject;
  return {
    successKw: spec.successKw ?? successKw,
    failureKw: spec.failureKw ?? failureKw,
    filterSubject: spec.filterSubject ?? filterSubject,
  };
}

type Criteria = Readonly<Record<UniqueField, (config: CheckConfig, spec: CheckSpec) => boolean>>;

// A field that the request lacks is equal to no check's, so that the upsert always creates.
const sameIn: Criteria = {
  name: (config, spec) => config.name === spec.name,
  slug: (config, spec) => config.slug === spec.slug,
  tags: (config, spec) => config.tags === spec.tags,
  timeout: (config, spec) => config.timeoutS === spec.timeoutS,
  grace: (config, spec) => config.graceS === spec.graceS,
};

/** Whether an upsert by `spec` may mean a check of this configuration. */
export function matchesUnique(config: CheckConfig, spec: CheckSpec): boolean {
  const { unique = [] } = spec;
  return unique.length > 0 && unique.every((field) => sameIn[field](config, spec));
}
