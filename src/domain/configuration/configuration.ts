/**
 * The configuration of an installation as programs compare it: projects, keys, integrations, checks, status pages,
 * maintenance windows and users, each in one normal form. Both sides of `knell apply` use it: the server that shows what
 * there is, and the program that plans what to change.
 * Invariants: pure; two configurations that mean the same have the same normal form.
 */

import { kinds } from '../../integrations/all.ts';
import {
  type FieldTexts,
  fieldError,
  fieldsOfValue,
  valueOfFields,
} from '../../integrations/channel-form-value.ts';
import type { ChannelKind } from '../../integrations/contract/titles.ts';
import { parseObject } from '../../integrations/contract/values.ts';
import type { IntegrationSettings } from '../accounts/channel-settings.ts';
import type { KeyScope, Plan } from '../accounts/project.ts';
import type { StatusPageFieldName, ValuesByJson } from '../accounts/status-page-fields.ts';
import type { MemberRole } from '../accounts/user.ts';
import type { CheckConfig } from '../check/check.ts';
import { checkFieldNames, checkFields } from '../check/check-fields.ts';

import type { ConfiguredMaintenance } from './maintenance-settings.ts';

export type Scalar = string | number | boolean;

/** Settings by their names in the API. */
export type CheckSettings = Readonly<Record<string, Scalar>>;

export interface ConfiguredCheck {
  readonly id: string;
  /** Changes with everything that is configured. */
  readonly etag: string;
  readonly fields: CheckSettings;
  /** Ids, sorted. */
  readonly integrations: readonly string[];
}

/** `disabled`: by somebody, not by Knell itself. */
export interface ConfiguredIntegration extends IntegrationSettings {
  readonly id: string;
  readonly etag: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Fields that are no secret, or all fields if secrets were requested: see `contentOf`. */
  readonly shown: FieldTexts;
  /** The rest, as fingerprints. */
  readonly hidden: FieldTexts;
}

export interface ConfiguredKey {
  readonly id: string;
  /** Empty for none. */
  readonly name: string;
  readonly scope: KeyScope;
  /** SHA-256 of the key, or a fingerprint of that. */
  readonly hash: string;
  /** The key itself: of ping keys, where secrets were asked for. */
  readonly clear?: string;
}

export interface ConfiguredService {
  readonly id: string;
  readonly name: string;
  /** Empty where there are checks. */
  readonly tag: string;
  /** Ids, sorted. */
  readonly checks: readonly string[];
}

/** Not its notices: they are written for a day, and have instants. */
export interface ConfiguredStatusPage extends ValuesByJson<StatusPageFieldName> {
  readonly id: string;
  readonly etag: string;
  readonly services: readonly ConfiguredService[];
}

export interface ConfiguredProject {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Absent for no rules. */
  readonly retention?: string;
  readonly checkCount: number;
  readonly keys: readonly ConfiguredKey[];
  readonly integrations: readonly ConfiguredIntegration[];
  /** Ids: each page is asked for by itself, since it may have a logo. */
  readonly statusPages: readonly string[];
  /** Without those that somebody started at once. */
  readonly maintenance: readonly ConfiguredMaintenance[];
}

/** `project`: its name. */
export interface ConfiguredRole {
  readonly project: string;
  readonly role: MemberRole;
}

export interface ConfiguredUser {
  readonly id: string;
  readonly name: string;
  /** Role in the installation. */
  readonly role: MemberRole;
  /** Sorted by project. */
  readonly projects: readonly ConfiguredRole[];
}

/** All the roles of a user in one line: a change says by it what it expects to be there. */
export function rolesLine({ role, projects }: Pick<ConfiguredUser, 'role' | 'projects'>): string {
  return [role, ...projects.map((one) => `${one.role} in ${one.project}`)].join('; ');
}

/** The answer of `config show`. */
export interface ShownConfiguration {
  /** Salt of the fingerprints; empty if secrets were requested. */
  readonly salt: string;
  readonly projects: readonly ConfiguredProject[];
  readonly users: readonly ConfiguredUser[];
}

/** A page of a project's checks, oldest first. */
export interface ShownChecks {
  readonly checks: readonly ConfiguredCheck[];
  /** Offset at which the next page begins; null at the end. */
  readonly next: number | null;
}

/** Settings that differ from their defaults; always with the one of timeout and schedule that has an effect. */
export function settingsOfCheck(config: CheckConfig): CheckSettings {
  const settings: Record<string, Scalar> = {};
  for (const name of checkFieldNames) {
    const value = config[name];
    const { json, default: whenAbsent } = checkFields[name];
    if (typeof value === 'object' || name === 'kind') continue;
    const isSimple = config.kind === 'simple';
    const isNeeded = name === (isSimple ? 'timeoutS' : 'schedule');
    const hasNoEffect = name === (isSimple ? 'schedule' : 'timeoutS');
    if (isNeeded || (value !== whenAbsent && !hasNoEffect)) settings[json] = value;
  }
  return settings;
}

/** The name under which `contentOf` has a value that its form cannot say. */
export const wholeValue = '$value';

/** The value of an integration by the fields of its form, or as a whole where it holds what they do not. */
export function contentOf(kind: ChannelKind, value: string): FieldTexts {
  const object = value.startsWith('{') ? parseObject(value) : null;
  const { fields, keeps } = kinds[kind].form;
  const texts = fieldsOfValue(kind, value);
  const fits =
    object === null ||
    (keeps === 'text' && texts.value === value) ||
    (keeps === 'json' && Object.keys(object).every((key) => fields.some(({ name }) => name === key)));
  return fits && fieldError(kind, texts) === null ? texts : { [wholeValue]: value };
}

export function valueOfContent(kind: ChannelKind, content: FieldTexts): string {
  return content[wholeValue] ?? valueOfFields(kind, content);
}

/** Whether a part of the content may be shown. */
export function isOpen(kind: ChannelKind, field: string): boolean {
  return kinds[kind].form.fields.some(({ name, open }) => name === field && open === true);
}
