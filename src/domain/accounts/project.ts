/**
 * Projects, their keys and integrations: plain facts, no behaviour. What a plan allows is in `plan-limits`.
 * Not here: who may do what (`http/api/auth`), how a key is made (`engine/changes/accept-change`).
 */
import { kinds } from '../../integrations/all.ts';
import type { ChannelKind } from '../../integrations/contract/titles.ts';
import type { ChannelId, KeyId, ProjectId, UserId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';
import type { FormerRules } from '../retention/former-rules.ts';
import { type ChannelSettings, defaultChannelSettings } from './channel-settings.ts';

export { type ChannelKind, channelKinds } from '../../integrations/all.ts';
export { type ChannelSettings, defaultChannelSettings } from './channel-settings.ts';

export const plans = ['free', 'paid'] as const;
export type Plan = (typeof plans)[number];

export interface Project extends Growing {
  readonly id: ProjectId;
  readonly name: string;
  readonly plan: Plan;
  /** Random; is in badge addresses in place of the project's id. */
  readonly badgeKey: string;
  readonly createdAtMs: number;
  /** Rules of retention of its checks that have none; absent for none. */
  readonly retention?: string;
  /** Only of a project whose rules were replaced. */
  readonly formerRetention?: readonly (FormerRules & Growing)[];
  /** The offer to another member to become its owner; absent for none. `hand-over` says whether it is still valid. */
  readonly handOver?: HandOver | undefined;
}

export interface HandOver extends Growing {
  readonly to: UserId;
  readonly by: UserId;
  readonly untilMs: number;
}

/** Every project begins with a key of each. */
export const firstKeyScopes = ['read-write', 'read-only', 'ping'] as const;
/** `wall` opens the wall view of the project and nothing else. */
export const keyScopes = [...firstKeyScopes, 'wall'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Characters of a key that are shown: enough to find it, far too few to guess it. */
const shownKeyLength = 8;

/** How a key is called that has no name, and found again in a list. */
export function keyBeginning(key: string): string {
  return `${key.slice(0, shownKeyLength)}…`;
}

export interface ApiKey extends Growing {
  readonly id: KeyId;
  readonly projectId: ProjectId;
  readonly scope: KeyScope;
  /** SHA-256 of the key, 64 hex digits. */
  readonly hash: string;
  /** The key itself, only of ping keys: ping addresses show it anyway. */
  readonly clear: string | null;
  /** How it begins. Absent for a ping key, and where only the hash was given, or was all that an earlier version kept. */
  readonly beginning?: string;
  /** What people and configuration files call it; no two keys of a project are given the same. Absent for none. */
  readonly name?: string;
  /**
   * The day (UTC, since 1970) on which it was used last; null: not since it was created. Absent where that is not known: for a ping
   * key, and for a key that an earlier version or another installation created, until it is used.
   */
  readonly usedDay?: number | null;
  readonly createdAtMs: number;
}

export interface Channel extends Growing {
  readonly id: ChannelId;
  readonly projectId: ProjectId;
  readonly kind: ChannelKind;
  /** May be empty, may repeat. */
  readonly name: string;
  /** The value that Healthchecks keeps in `Channel.value` for the kind. Holds secrets: never logged. */
  readonly value: string;
  readonly createdAtMs: number;
  /** Absent: all as `defaultChannelSettings` has it. */
  readonly settings?: ChannelSettings;
}

/** Whether it gets alerts of checks: an event subscription gets the events of its project instead, and is assigned to none. */
export function getsAlerts({ kind }: Pick<Channel, 'kind'>): boolean {
  return !kinds[kind].getsEvents;
}

export function settingsOf(channel: Channel): ChannelSettings {
  return channel.settings ?? defaultChannelSettings;
}

/** Data of the installation as a whole. */
export interface Installation extends Growing {
  /** Signs badge addresses; 64 hex digits. */
  readonly badgeSecret: string;
  /**
   * SECRET_KEY of the Healthchecks that this data came from; absent for none. API keys and badge addresses of there are
   * verified with it.
   */
  readonly importedSecret?: string;
  readonly createdAtMs: number;
  /** Oldest first; absent for none. Here, as they belong to no project: a list that is short and seldom changes. */
  readonly adminKeys?: readonly AdminKey[];
  /** Settings that owners make at run time, by variable; absent for none. */
  readonly settings?: readonly StoredSetting[];
}

/** One setting of the server as somebody typed it; what may be set so, and what it means, is not known here. */
export interface StoredSetting extends Growing {
  readonly variable: string;
  readonly value: string;
}

/** Opens the admin API, which acts as an owner does. */
export interface AdminKey extends Growing {
  readonly id: KeyId;
  /** No two have the same. */
  readonly name: string;
  /** SHA-256 of the key, 64 hex digits. */
  readonly hash: string;
  /** Whether it may do what runs commands or writes files on the server, and what would let it do so by a detour. */
  readonly shell: boolean;
  readonly createdAtMs: number;
}
