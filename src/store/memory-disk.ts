/**
 * What a memory store's disk holds: the facts that are durable. Hand the same disk to a new store and it is as after a crash.
 * Not here: when something becomes durable (`memory-store`). Invariant: the limits of retention hold after every record.
 */
import { type Check, type CheckState, freshState } from '../domain/check.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { StatusChange } from '../domain/flip.ts';
import type { Ping } from '../domain/ping.ts';
import { type ApiKey, type Channel, type Installation, type Project, planLimits } from '../domain/project.ts';
import type { EndedSession, User } from '../domain/user.ts';
import type { ChannelId, CheckId, DeliveryId, KeyId, ProjectId, UserId } from '../lib/ids.ts';
import { bodiesToDrop, changesCutoffMs, listedFrom } from './history/retention.ts';
import type { JournalRecord } from './store.ts';

export interface StoredCheck {
  check: Check;
  /** Oldest first, as they were; see `bodies` for what is left of their bodies. */
  pings: Ping[];
  /** By n, oldest first. */
  readonly bodies: Map<number, Uint8Array>;
  /** In the order of their appending. */
  changes: StatusChange[];
}

export interface MemoryDisk {
  installation: Installation | null;
  readonly projects: Map<ProjectId, Project>;
  readonly keys: Map<KeyId, ApiKey>;
  readonly channels: Map<ChannelId, Channel>;
  readonly users: Map<UserId, User>;
  readonly endedSessions: Set<EndedSession>;
  readonly checks: Map<CheckId, StoredCheck>;
  /** Deliveries that are not over. */
  readonly outbox: Map<DeliveryId, Delivery>;
  aliveMs: number | null;
  /** Batches ever written. */
  seq: number;
  /** Raised by every store that opens the disk: what an older one still has in mind no longer counts. */
  owner: number;
}

export function createMemoryDisk(): MemoryDisk {
  return {
    installation: null,
    projects: new Map(),
    keys: new Map(),
    channels: new Map(),
    users: new Map(),
    endedSessions: new Set(),
    checks: new Map(),
    outbox: new Map(),
    aliveMs: null,
    seq: 0,
    owner: 0,
  };
}

export interface DiskRules {
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
}

/** Puts one record on the disk. */
export function keep(disk: MemoryDisk, record: JournalRecord, rules: DiskRules): void {
  switch (record.type) {
    case 'ping':
    case 'state':
    case 'check':
      keepCheck(disk, record, rules);
      break;
    case 'check-deleted':
      disk.checks.delete(record.id);
      break;
    case 'installation':
      disk.installation = record.installation;
      break;
    case 'project':
      disk.projects.set(record.project.id, record.project);
      break;
    case 'project-deleted':
      removeProject(disk, record.id);
      break;
    case 'key':
      disk.keys.set(record.key.id, record.key);
      break;
    case 'key-deleted':
      disk.keys.delete(record.id);
      break;
    case 'channel':
      disk.channels.set(record.channel.id, record.channel);
      break;
    case 'channel-deleted':
      disk.channels.delete(record.id);
      break;
    case 'delivery':
      disk.outbox.set(record.delivery.id, record.delivery);
      break;
    case 'delivery-ended':
      disk.outbox.delete(record.id);
      break;
    case 'user':
      keepUser(disk, record.user);
      break;
    case 'user-deleted':
      disk.users.delete(record.id);
      forgetSessions(disk, record.id, Number.POSITIVE_INFINITY);
      break;
    case 'session-ended':
      forgetSessions(disk, record.session.userId, record.session.endedAtMs);
      disk.endedSessions.add(record.session);
      break;
    case 'alive':
      disk.aliveMs = Math.max(disk.aliveMs ?? record.atMs, record.atMs);
      break;
  }
}

function keepUser(disk: MemoryDisk, user: User): void {
  const before = disk.users.get(user.id);
  if (before && before.passwordHash !== user.passwordHash)
    forgetSessions(disk, user.id, Number.POSITIVE_INFINITY);
  disk.users.set(user.id, user);
}

function forgetSessions(disk: MemoryDisk, userId: UserId, untilMs: number): void {
  for (const session of disk.endedSessions) {
    if (session.userId === userId && session.untilMs < untilMs) disk.endedSessions.delete(session);
  }
}

function removeProject({ projects, keys, channels }: MemoryDisk, id: ProjectId): void {
  projects.delete(id);
  for (const key of keys.values()) if (key.projectId === id) keys.delete(key.id);
  for (const channel of channels.values()) if (channel.projectId === id) channels.delete(channel.id);
}

type CheckRecord = Extract<JournalRecord, { type: 'ping' | 'state' | 'check' }>;

function keepCheck(disk: MemoryDisk, record: CheckRecord, rules: DiskRules): void {
  const stored = storedCheck(disk, record);
  if (!stored) return;
  const config = record.type === 'check' ? record.check : stored.check;
  stored.check = { ...config, state: withoutDeadlines(record.check.state) };
  if (record.type === 'ping') keepPing(disk, stored, record, rules);
  if (record.changes.length === 0) return;
  for (const delivery of record.owed ?? []) disk.outbox.set(delivery.id, delivery);
  const cutoffMs = changesCutoffMs(rules.nowMs);
  stored.changes = [...stored.changes, ...record.changes].filter((change) => change.atMs >= cutoffMs);
}

function storedCheck(disk: MemoryDisk, { type, check }: CheckRecord): StoredCheck | null {
  const stored = disk.checks.get(check.id);
  if (stored || type !== 'check') return stored ?? null;
  const fresh: StoredCheck = { check, pings: [], bodies: new Map(), changes: [] };
  disk.checks.set(check.id, fresh);
  return fresh;
}

/** The deadlines are derived: no store keeps them. */
function withoutDeadlines(state: CheckState): CheckState {
  return { ...state, expectedAtMs: freshState.expectedAtMs, downAtMs: freshState.downAtMs };
}

type PingRecord = Extract<JournalRecord, { type: 'ping' }>;

function keepPing(disk: MemoryDisk, stored: StoredCheck, { ping, body }: PingRecord, rules: DiskRules): void {
  stored.pings.push(ping);
  if (body.length > 0) stored.bodies.set(ping.n, body);
  const from = listedFrom(stored.check.state.nPings, pingsMaxOf(disk, stored.check));
  // In lots, since taking off the front copies the rest.
  if ((stored.pings[0]?.n ?? from) < from - 64) stored.pings = stored.pings.filter((old) => old.n >= from);
  for (const n of stored.bodies.keys()) {
    if (n >= from) break;
    stored.bodies.delete(n);
  }
  if (body.length === 0) return;
  const sizes = [...stored.bodies.values()].map((kept) => kept.length);
  const surplus = [...stored.bodies.keys()].slice(0, bodiesToDrop(sizes, rules.bodyBudgetBytes));
  for (const n of surplus) stored.bodies.delete(n);
}

export function pingsMaxOf(disk: MemoryDisk, check: Check): number {
  return planLimits[disk.projects.get(check.projectId)?.plan ?? 'paid'].pingsMax;
}

/** What is listed of a check's pings, oldest first. */
export function listedPings(disk: MemoryDisk, { check, pings, bodies }: StoredCheck): readonly Ping[] {
  const from = listedFrom(check.state.nPings, pingsMaxOf(disk, check));
  return pings
    .filter((ping) => ping.n >= from)
    .map((ping) => (ping.bodyBytes > 0 && !bodies.has(ping.n) ? { ...ping, bodyBytes: 0 } : ping));
}
