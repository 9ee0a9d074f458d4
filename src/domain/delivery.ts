/**
 * A delivery: one status change that one integration has to be told. And which changes are told to whom.
 * Not here: when and how it is sent (`notify/`). Invariant: pure; a delivery's id is its idempotency key, the same on
 * every attempt and after every restart.
 */
import type { ChannelId, CheckId, DeliveryId } from '../lib/ids.ts';
import { second } from '../lib/units.ts';
import { channelHears } from './channel-value.ts';
import type { Check, Status } from './check.ts';
import type { StatusChange } from './flip.ts';
import { type Channel, settingsOf } from './project.ts';
import type { Growing } from './unknown-fields.ts';

/**
 * `waiting`: to be sent, or sent again. `dead`: given up, for the reason in `error`. `superseded`: never sent, since a
 * later state came before it; `error` says which.
 */
export const deliveryStates = ['waiting', 'dead', 'superseded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery extends Growing {
  readonly id: DeliveryId;
  readonly checkId: CheckId;
  readonly channelId: ChannelId;
  /** What is to be told. */
  readonly change: StatusChange;
  readonly state: DeliveryState;
  /** Not sent before this instant: the channel's delay, a pause between attempts. */
  readonly notBeforeMs: number;
  /** Failed so far. */
  readonly attempts: number;
  /** Since when it is owed: attempts end 24 hours later. */
  readonly sinceMs: number;
  /** Of the last attempt; or why it was given up. Empty for none. Holds no secret. */
  readonly error: string;
  /** When it ceased to wait; 0 while it does. */
  readonly endedMs: number;
}

/** What an integration is told. */
export type Told = 'down' | 'up' | 'late';

/** What a change is to those who are told: null for nothing (new → up, pause, resume). */
export function toldOf({ from, to }: Pick<StatusChange, 'from' | 'to'>): Told | null {
  if (to === 'down') return from === 'down' ? null : 'down';
  if (to === 'up' && from === 'down') return 'up';
  return to === 'grace' ? 'late' : null;
}

/** The status in which a check still is what was to be told of it. */
export function statusOf(told: Told): Status {
  return told === 'late' ? 'grace' : told;
}

/** Whether the owner of `channel` wants to hear this. */
export function wants(channel: Channel, told: Told): boolean {
  const { disabled, late } = settingsOf(channel);
  if (disabled || (told === 'late' && !late)) return false;
  return channelHears(channel.kind, channel.value, told === 'up' ? 'up' : 'down');
}

const nothing: readonly Delivery[] = [];

export interface OwedOptions {
  /** Gives an integration by its id; null for one that is gone. */
  channelOf(id: ChannelId): Channel | null;
  /** A fresh id for every call. */
  newId(): DeliveryId;
}

/** What the changes of one step owe: one delivery for each integration that the check has and that wants it. */
export function owedBy(
  check: Check,
  changes: readonly StatusChange[],
  options: OwedOptions,
): readonly Delivery[] {
  if (changes.length === 0 || check.config.channels.length === 0) return nothing;
  const owed: Delivery[] = [];
  for (const change of changes) {
    const told = toldOf(change);
    if (told === null) continue;
    for (const channel of reached(check.config.channels, options)) {
      if (wants(channel, told)) owed.push(fresh(check, channel, change, options));
    }
  }
  return owed;
}

/** The assigned integrations, a group's members in its place, each once. */
function reached(ids: readonly ChannelId[], { channelOf }: OwedOptions): Iterable<Channel> {
  const found = new Map<ChannelId, Channel>();
  for (const id of ids) {
    const channel = channelOf(id);
    if (channel === null) continue;
    if (channel.kind !== 'group') found.set(id, channel);
    else if (!settingsOf(channel).disabled) {
      for (const member of membersOf(channel, channelOf)) found.set(member.id, member);
    }
  }
  return found.values();
}

/** The integrations of a group that exist, in its project; groups in groups do not count. */
export function membersOf(group: Channel, channelOf: OwedOptions['channelOf']): readonly Channel[] {
  const ids = new Set(group.value.split(',').map((id) => id.trim()));
  return [...ids]
    .map((id) => channelOf(id as ChannelId))
    .filter((member) => member !== null)
    .filter((member) => member.kind !== 'group' && member.projectId === group.projectId);
}

function fresh(check: Check, channel: Channel, change: StatusChange, { newId }: OwedOptions): Delivery {
  const { delayS } = settingsOf(channel);
  const delayMs = toldOf(change) === 'up' ? 0 : delayS * second;
  return {
    id: newId(),
    checkId: check.id,
    channelId: channel.id,
    change,
    state: 'waiting',
    notBeforeMs: delayMs === 0 ? 0 : change.atMs + delayMs,
    attempts: 0,
    sinceMs: change.atMs,
    error: '',
    endedMs: 0,
  };
}
