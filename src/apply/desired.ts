/**
 * The content of a configuration file, in the normal form in which it is compared (`domain/configuration/configuration`). Plain
 * facts.
 */

import type { IntegrationSettings } from '../domain/accounts/channel-settings.ts';
import type { ChannelKind, KeyScope, Plan } from '../domain/accounts/project.ts';
import type { GivenPageField, ValuesByJson } from '../domain/accounts/status-page-fields.ts';
import type { MemberRole } from '../domain/accounts/user.ts';
import type { CheckSettings, ConfiguredRole } from '../domain/configuration/configuration.ts';
import type { MaintenanceSettings } from '../domain/configuration/maintenance-settings.ts';
import type { FieldTexts } from '../integrations/channel-form-value.ts';
import type { Position } from './yaml-node.ts';

interface Located {
  readonly at: Position;
}

export interface DesiredKey extends Located {
  readonly name: string;
  readonly scope: KeyScope;
  /** Absolute; null for none. */
  readonly file: string | null;
  /** SHA-256 of one that another installation had; null for a new key. */
  readonly hash: string | null;
  /** A ping key itself. */
  readonly clear: string | null;
}

export interface DesiredIntegration extends Located {
  readonly id: string | null;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Secrets in clear. Empty for a group. */
  readonly content: FieldTexts;
  /** Integrations of a group, by name or id. Null for other kinds. */
  readonly members: readonly string[] | null;
  readonly settings: IntegrationSettings;
}

export interface DesiredCheck extends Located {
  readonly id: string | null;
  readonly fields: CheckSettings;
  /** Integrations by name or id; `*` for all of the project. */
  readonly integrations: readonly string[] | '*';
}

export interface DesiredService {
  readonly name: string;
  /** Empty where there are checks. */
  readonly tag: string;
  /** Checks by slug or id. */
  readonly checks: readonly string[];
}

export interface DesiredStatusPage extends Located, ValuesByJson<GivenPageField> {
  /** The password in clear, or as another installation has kept it; empty to remove it, null when it stays. */
  readonly password: { readonly clear: string } | { readonly hash: string } | null;
  readonly services: readonly DesiredService[];
}

export interface DesiredMaintenance extends Located {
  readonly id: string | null;
  readonly settings: MaintenanceSettings;
  /** Checks by slug or id. */
  readonly checks: readonly string[];
  /** By name or id. */
  readonly integrations: readonly string[];
}

export interface DesiredProject extends Located {
  readonly name: string;
  /** Null: as it is, `paid` for a new one. */
  readonly plan: Plan | null;
  /** Null: as it is; empty: no rules. */
  readonly retention: string | null;
  /** Null: not managed by the file. */
  readonly keys: readonly DesiredKey[] | null;
  readonly integrations: readonly DesiredIntegration[] | null;
  readonly checks: readonly DesiredCheck[] | null;
  readonly statusPages: readonly DesiredStatusPage[] | null;
  readonly maintenance: readonly DesiredMaintenance[] | null;
}

export interface DesiredUser extends Located {
  readonly name: string;
  /** Role in the installation. */
  readonly role: MemberRole;
  /** Sorted by project; null: as they are. */
  readonly projects: readonly ConfiguredRole[] | null;
}

/** `at`: of the first of them. */
export interface DesiredUsers extends Located {
  readonly list: readonly DesiredUser[];
}

/** Null: not managed by the files. */
export interface Desired {
  readonly projects: readonly DesiredProject[] | null;
  readonly users: DesiredUsers | null;
}
