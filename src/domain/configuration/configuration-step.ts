/**
 * One change of the configuration, as a program that has compared it asks for it (`config apply`). What a step finds changed
 * since, it refuses: `expect` is the etag that the program has seen.
 */

import type { ChannelKind } from '../../integrations/contract/titles.ts';
import type { IntegrationSettings } from '../accounts/channel-settings.ts';
import type { KeyScope, Plan } from '../accounts/project.ts';
import type { GivenPageField, ValuesByJson } from '../accounts/status-page-fields.ts';
import type { MemberRole } from '../accounts/user.ts';
import type { CheckSettings, ConfiguredRole } from './configuration.ts';
import type { MaintenanceSettings } from './maintenance-settings.ts';

interface InProject {
  /** An id. */
  readonly project: string;
}

interface Existing extends InProject {
  readonly id: string;
  readonly expect: string;
}

interface CheckContent {
  readonly fields: CheckSettings;
  /** Ids. */
  readonly integrations: readonly string[];
}

interface StatusPageContent extends ValuesByJson<GivenPageField> {
  /** Empty to remove it, null when it stays. */
  readonly password_hash: string | null;
  readonly services: readonly {
    /** Null for a new one. */
    readonly id: string | null;
    readonly name: string;
    readonly tag: string;
    /** Ids. */
    readonly checks: readonly string[];
  }[];
}

interface MaintenanceContent extends MaintenanceSettings {
  /** Ids. */
  readonly checks: readonly string[];
  readonly integrations: readonly string[];
}

/** `disabled`: null when it stays, which Knell itself may have decided. */
type StepSettings = Omit<IntegrationSettings, 'disabled'> & { readonly disabled: boolean | null };

/** Absent is null: JSON knows no undefined. */
export type ConfigurationStep =
  | { readonly do: 'create-project'; readonly name: string; readonly plan: Plan }
  | ({ readonly do: 'change-plan'; readonly plan: Plan; readonly expect: Plan } & InProject)
  | ({ readonly do: 'change-retention'; readonly retention: string; readonly expect: string } & InProject)
  | ({ readonly do: 'delete-project'; readonly checks: number } & InProject)
  | ({
      readonly do: 'create-key';
      readonly name: string;
      readonly scope: KeyScope;
      readonly hash: string | null;
      readonly key: string | null;
    } & InProject)
  /** `id`: of the key that is revoked for it, in the same commit. */
  | ({
      readonly do: 'replace-key';
      readonly id: string;
      readonly name: string;
      readonly scope: KeyScope;
      readonly hash: string | null;
      readonly key: string | null;
    } & InProject)
  | ({ readonly do: 'delete-key'; readonly id: string } & InProject)
  | ({
      readonly do: 'create-integration';
      readonly id: string | null;
      readonly name: string;
      readonly kind: ChannelKind;
      readonly value: string;
      readonly settings: StepSettings;
    } & InProject)
  | ({
      readonly do: 'edit-integration';
      readonly name: string;
      /** Null when it stays. */
      readonly value: string | null;
      readonly settings: StepSettings;
    } & Existing)
  /** Replaces it by one of another kind with the same id: checks and groups that have it keep it. */
  | ({
      readonly do: 'replace-integration';
      readonly name: string;
      readonly kind: ChannelKind;
      readonly value: string;
      readonly settings: StepSettings;
    } & Existing)
  | ({ readonly do: 'delete-integration' } & Existing)
  | ({ readonly do: 'create-check'; readonly id: string | null } & InProject & CheckContent)
  | ({ readonly do: 'edit-check' } & Existing & CheckContent)
  | ({ readonly do: 'delete-check' } & Existing)
  | ({ readonly do: 'create-status-page' } & InProject & StatusPageContent)
  | ({ readonly do: 'edit-status-page' } & Existing & StatusPageContent)
  | ({ readonly do: 'delete-status-page' } & Existing)
  | ({ readonly do: 'create-maintenance'; readonly id: string | null } & InProject & MaintenanceContent)
  | ({ readonly do: 'edit-maintenance' } & Existing & MaintenanceContent)
  | ({ readonly do: 'delete-maintenance' } & Existing)
  | ({ readonly do: 'create-user'; readonly name: string } & UserRoles)
  | ({ readonly do: 'change-role'; readonly id: string; readonly expect: string } & UserRoles)
  | { readonly do: 'delete-user'; readonly id: string; readonly expect: string };

/** `expect`: `rolesLine` of what is there. */
interface UserRoles {
  readonly role: MemberRole;
  /** All of them, by the names of the projects; without it they stay as they are. */
  readonly projects?: readonly ConfiguredRole[];
}

export type StepName = ConfigurationStep['do'];

export type StepOutcome =
  /** `key`: shown once. `link`: where a new user sets a password, for a day. */
  | { readonly ok: true; readonly id?: string; readonly key?: string; readonly link?: string }
  | { readonly ok: false; readonly code: string; readonly error: string };
