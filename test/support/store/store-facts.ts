/**
 * Facts for the store's tests: plausible defaults, ids that show their number, and promises instead of waiters.
 */

import type { EventFeed } from '../../../src/domain/accounts/event-feed.ts';
import type { ApiKey, Channel, Installation, Project } from '../../../src/domain/accounts/project.ts';
import type { StatusPage } from '../../../src/domain/accounts/status-page.ts';
import type { EndedSession, User } from '../../../src/domain/accounts/user.ts';
import { type Incident, incidentEntryKinds } from '../../../src/domain/alerting/incident.ts';
import type { MaintenanceWindow } from '../../../src/domain/alerting/maintenance.ts';
import { type Check, type CheckState, defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Ping } from '../../../src/domain/check/ping.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { SentNotification } from '../../../src/domain/deliveries/sent-notification.ts';
import {
  asBadgeId,
  asChannelId,
  asCheckId,
  asDeliveryId,
  asIncidentId,
  asMaintenanceId,
  asProjectId,
  asStatusPageId,
  type DeliveryId,
} from '../../../src/lib/ids.ts';
import type { UuidWords } from '../../../src/lib/uuid-words.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { rows } from '../../../src/store/codec/rows.ts';
import { textOfWords } from '../../../src/store/codec/uuid.ts';
import { BatchCursor } from '../../../src/store/journal/batch-cursor.ts';
import { beginBatch, writeRecord } from '../../../src/store/journal/records.ts';
import type { ConfigFacts, ConfigKind, RemovableKind } from '../../../src/store/kinds.ts';
import type { JournalRecord, LoadSink, Store } from '../../../src/store/store.ts';

export function uuidOf(kind: number, number: number): string {
  return `${hex(kind, 8)}-0000-4000-8000-${hex(number, 12)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

export function incidentOf(number: number, facts: Partial<Incident> = {}): Incident {
  const left = { id: checkOf(2).id, name: 'Äpp', joinedMs: 6, leftMs: 9.5, isDependent: true };
  return {
    id: asIncidentId(uuidOf(0xb2, number)),
    projectId: projectOf(1).id,
    stage: 'acknowledged',
    openedMs: 5.5,
    resolvedMs: 0,
    acknowledgedBy: 'Ärne',
    acknowledgedMs: 8,
    checks: [{ id: checkOf(1).id, name: 'Bäckup', joinedMs: 5.5, leftMs: 0, isDependent: false }, left],
    more: 1,
    entries: incidentEntryKinds.map((kind, at) => ({
      ...{ atMs: 5.5 + at, kind, check: at < 3 ? 'Bäckup' : '', by: at < 3 ? '' : 'Ärne' },
      text: kind === 'note' ? 'line\nline' : '',
    })),
    ...facts,
  };
}

export function statusPageOf(number: number, facts: Partial<StatusPage> = {}): StatusPage {
  return {
    id: asStatusPageId(uuidOf(0xb0, number)),
    projectId: projectOf(1).id,
    slug: `page-${number}`,
    title: 'Nörthwind',
    description: 'of all that runs at night',
    timeZone: 'Europe/Riga',
    passwordHash: '',
    logo: 'iVBORw0KGgo=',
    incidentsAfter: '',
    services: [
      { id: 'a', name: 'Bäckups', checks: [checkOf(1).id, checkOf(2).id], tag: '' },
      { id: 'b', name: 'Invoices', checks: [], tag: 'prod' },
    ],
    notices: [
      {
        id: 'n',
        title: 'Delayed',
        services: ['a'],
        updates: [
          { atMs: 5, stage: 'investigating', text: 'line\nline' },
          { atMs: 6.5, stage: 'resolved', text: '' },
        ],
      },
    ],
    createdAtMs: 7,
    ...facts,
  };
}

/** One that is on by every notation of a calendar. */
export function maintenanceOf(number: number, facts: Partial<MaintenanceWindow> = {}): MaintenanceWindow {
  return {
    id: asMaintenanceId(uuidOf(0xb1, number)),
    projectId: projectOf(1).id,
    name: `Umzug ${number}`,
    checks: [checkOf(1).id],
    tags: ['db', 'prod'],
    integrations: [],
    fromMs: 5000.5,
    untilMs: 6000,
    schedule: '0 2 * * 0',
    tz: 'Europe/Riga',
    durationS: 7200,
    dates: [{ fromMs: 7000, untilMs: 8000 }],
    except: [{ fromMs: 7500, untilMs: 8000 }],
    countsAsDowntime: true,
    createdAtMs: 7,
    by: 'ada',
    ...facts,
  };
}

export function projectOf(number: number, facts: Partial<Project> = {}): Project {
  const id = asProjectId(uuidOf(0xa0, number));
  return {
    id,
    name: `project ${number}`,
    plan: 'paid',
    badgeKey: `badge-${number}`,
    createdAtMs: 1000,
    ...facts,
  };
}

export function checkOf(number: number, facts: Partial<Check> = {}): Check {
  return {
    id: asCheckId(uuidOf(0xc0, number)),
    projectId: projectOf(1).id,
    badgeId: asBadgeId(uuidOf(0xb0, number)),
    createdAtMs: 2000.5 + number,
    config: { ...defaultConfig, name: `check ${number}` },
    state: freshState,
    ...facts,
  };
}

/** A delivery that nobody has tried yet. */
export function deliveryOf(number: number, facts: Partial<Delivery> = {}): Delivery {
  return {
    id: asDeliveryId(uuidOf(0xd0, number)),
    checkId: checkOf(1).id,
    channelId: asChannelId(uuidOf(0xcc, 1)),
    change: { atMs: 5000, from: 'up', to: 'down', cause: 'timeout' },
    state: 'waiting',
    notBeforeMs: 0,
    attempts: 0,
    sinceMs: 5000,
    error: '',
    endedMs: 0,
    ...facts,
  };
}

/** What became of `deliveryOf(number)`. */
export function notificationOf(number: number, facts: Partial<SentNotification> = {}): SentNotification {
  const { id, channelId, change } = deliveryOf(number);
  return {
    deliveryId: id,
    atMs: change.atMs + number,
    kind: 'down',
    changedAtMs: change.atMs,
    channelId,
    channelName: 'On call',
    channelKind: 'webhook',
    outcome: 'delivered',
    attempts: 1,
    error: '',
    ...facts,
  };
}

export interface PingFacts extends Partial<Ping> {
  readonly body?: Uint8Array | string;
  readonly changes?: readonly StatusChange[];
  readonly deliveries?: readonly Delivery[];
}

/** The record of ping `n` of `check`, which is up after it. */
export function pingOf(
  check: Check,
  n: number,
  facts: PingFacts = {},
): Extract<JournalRecord, { type: 'ping' }> {
  const { body: given = '', changes = [], deliveries = [], ...rest } = facts;
  const body = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  const atMs = rest.atMs ?? n * 1000;
  const ping: Ping = {
    n,
    atMs,
    signal: 'success',
    scheme: 'http',
    remoteAddr: '192.0.2.1',
    method: 'GET',
    ua: 'curl/8.5.0',
    byHand: false,
    rid: null,
    host: '',
    note: null,
    figures: [],
    about: '',
    results: [],
    exitStatus: null,
    bodyBytes: body.length,
    ...rest,
  };
  const state = { ...check.state, status: 'up' as const, nPings: n, lastPingMs: atMs };
  return { type: 'ping', check: { ...check, state }, ping, body, changes, deliveries };
}

/** A journal batch of them. */
export function batchOf(records: readonly JournalRecord[]): Buffer {
  const writer = new ByteWriter(1000);
  beginBatch(writer);
  for (const record of records) writeRecord(writer, record);
  return writer.copy();
}

export function countRecords(bytes: Buffer): number {
  const cursor = new BatchCursor().open(bytes);
  let count = 0;
  while (cursor.next()) count++;
  return count;
}

export type AppendResult = 'durable' | 'rolledBack';

export function append(store: Store, record: JournalRecord): Promise<AppendResult> {
  return new Promise((resolve) => {
    store.append(record, { durable: () => resolve('durable'), rolledBack: () => resolve('rolledBack') });
  });
}

/** Appends all, in order, and waits until the last is durable. */
export async function appendAll(store: Store, records: readonly JournalRecord[]): Promise<void> {
  const results = await Promise.all(records.map((record) => append(store, record)));
  if (results.includes('rolledBack')) throw new Error('a record was rolled back');
}

/** Everything a load reports, the tail applied. */
export async function loaded(store: Store): Promise<Loaded> {
  const facts = new Loaded();
  await store.load(facts);
  return facts;
}

export class Loaded implements LoadSink {
  readonly asks: string[] = [];
  readonly singles: { installation: Installation | null; aliveMs: number | null } = {
    installation: null,
    aliveMs: null,
  };
  readonly projects = new Map<string, Project>();
  readonly keys = new Map<string, ApiKey>();
  readonly channels = new Map<string, Channel>();
  readonly users = new Map<string, User>();
  endedSessions: readonly EndedSession[] = [];
  readonly statusPages = new Map<string, StatusPage>();
  readonly incidents = new Map<string, Incident>();
  readonly maintenance = new Map<string, MaintenanceWindow>();
  readonly eventFeeds = new Map<string, EventFeed>();
  readonly checks = new Map<string, Check>();
  readonly outbox = new Map<string, Delivery>();

  put<Kind extends ConfigKind>(kind: Kind, fact: ConfigFacts[Kind]): void {
    this.#put[kind](fact);
  }

  readonly #put: { readonly [Kind in ConfigKind]: (fact: ConfigFacts[Kind]) => void } = {
    installation: (installation) => {
      this.singles.installation = installation;
    },
    project: (project) => this.projects.set(project.id, project),
    key: (key) => this.keys.set(key.id, key),
    channel: (channel) => this.channels.set(channel.id, channel),
    user: (user) => {
      if (this.users.get(user.id)?.passwordHash !== user.passwordHash) this.#forget(user.id);
      this.users.set(user.id, user);
    },
    'ended-session': (session) => {
      this.#forget(session.userId, session.endedAtMs);
      this.endedSessions = [...this.endedSessions, session];
    },
    'status-page': (page) => this.statusPages.set(page.id, page),
    incident: (incident) => this.incidents.set(incident.id, incident),
    maintenance: (window) => this.maintenance.set(window.id, window),
    'event-feed': (feed) => this.eventFeeds.set(feed.id, feed),
  };

  removed(kind: RemovableKind, id: string): void {
    if (kind === 'project') this.#removeProject(id);
    else if (kind === 'key') this.keys.delete(id);
    else if (kind === 'channel') this.channels.delete(id);
    else if (kind === 'status-page') this.statusPages.delete(id);
    else if (kind === 'incident') this.incidents.delete(id);
    else if (kind === 'maintenance') this.maintenance.delete(id);
    else if (kind === 'event-feed') this.eventFeeds.delete(id);
    else {
      this.users.delete(id);
      this.#forget(id);
    }
  }

  #removeProject(id: string): void {
    this.projects.delete(id);
    for (const key of this.keys.values()) if (key.projectId === id) this.keys.delete(key.id);
    for (const one of this.channels.values()) if (one.projectId === id) this.channels.delete(one.id);
    for (const one of this.statusPages.values()) if (one.projectId === id) this.statusPages.delete(one.id);
    for (const one of this.incidents.values()) if (one.projectId === id) this.incidents.delete(one.id);
    for (const one of this.maintenance.values()) if (one.projectId === id) this.maintenance.delete(one.id);
    for (const one of this.eventFeeds.values()) if (one.projectId === id) this.eventFeeds.delete(one.id);
  }

  #forget(userId: string, untilMs = Number.POSITIVE_INFINITY): void {
    this.endedSessions = this.endedSessions.filter((one) => one.userId !== userId || one.untilMs >= untilMs);
  }

  check(words: UuidWords, row: Buffer, state: CheckState): void {
    const id = asCheckId(textOfWords(words));
    this.take({ id, ...rows.check.read(row), state });
  }

  take(check: Check): void {
    this.checks.set(check.id, check);
  }

  state(words: UuidWords, state: CheckState): void {
    const id = asCheckId(textOfWords(words));
    const check = this.checks.get(id);
    if (!check) throw new Error(`a state of the unknown check ${id}`);
    this.checks.set(id, { ...check, state });
  }

  delivery(delivery: Delivery): void {
    this.outbox.set(delivery.id, delivery);
  }

  deliveryEnded(id: DeliveryId): void {
    this.outbox.delete(id);
  }

  checkDeleted(words: UuidWords): void {
    this.checks.delete(textOfWords(words));
  }

  asked(client: number, number: number): void {
    this.asks.push(`${client}.${number}`);
  }

  alive(atMs: number): void {
    this.singles.aliveMs = Math.max(atMs, this.singles.aliveMs ?? atMs);
  }

  expect(): void {}

  progress(): void {}
}
