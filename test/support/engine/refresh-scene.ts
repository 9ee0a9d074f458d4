/** A dispatcher on a simulated clock whose integrations forget their alerts, with checks and incidents that are plain facts. */
import { limits } from '../../../src/config.ts';
import {
  type Channel,
  type ChannelSettings,
  defaultChannelSettings,
} from '../../../src/domain/accounts/project.ts';
import type { ActiveWindow } from '../../../src/domain/alerting/maintenance.ts';
import { type Check, defaultConfig, freshState, type Status } from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import {
  asChannelId,
  asDeliveryId,
  type ChannelId,
  type CheckId,
  type IncidentId,
  systemIds,
} from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import { second } from '../../../src/lib/units.ts';
import type { Notice, Outcome } from '../../../src/notify/contract/channel.ts';
import { RecentNotifications } from '../../../src/notify/contract/recent-notifications.ts';
import { Dispatcher } from '../../../src/notify/dispatch/dispatch.ts';
import type { DispatchSources } from '../../../src/notify/dispatch/dispatch-options.ts';
import { createNotifyMetrics } from '../../../src/notify/dispatch/metrics.ts';
import { Outbox } from '../../../src/notify/dispatch/outbox.ts';
import type { Refreshed } from '../../../src/notify/dispatch/refreshes.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { checkOf, uuidOf } from '../store/store-facts.ts';
import { noticeOf } from './notices.ts';
import { SimulatedClock } from './simulated-clock.ts';

export const startMs = Date.UTC(2026, 2, 2, 2);
export const everyMs = limits.notify.dispatch.refreshMs;
export const delivered: Outcome = { kind: 'delivered' };
export const failed: Outcome = { kind: 'failed', error: 'status 500' };
export const incidentId = uuidOf(0x1c, 1) as unknown as IncidentId;
export const channelId = asChannelId(uuidOf(0xcc, 1));
export const idOf = (number: number): CheckId => checkOf(number).id;

const night = { name: 'night', untilMs: startMs + 99 * everyMs } as ActiveWindow;

async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

interface Sent {
  readonly check: CheckId;
  readonly kind: 'down' | 'up';
  readonly id: string;
  readonly atMs: number;
  finish(outcome: Outcome): void;
}

export class RefreshScene {
  readonly clock = new SimulatedClock(startMs);
  readonly meter = createMeter();
  readonly sent: Sent[] = [];
  /** What the outbox has written. */
  readonly written: JournalRecord['type'][] = [];
  /** What attempts have said of the integration. */
  readonly attempted: { readonly attempts: number; readonly error: string; readonly outcome: Outcome }[] = [];
  readonly recent = new RecentNotifications(limits.notify.recentMax);
  readonly statuses = new Map<CheckId, Status>();
  readonly changes = new Map<CheckId, StatusChange>();
  /** Facts that all checks have. */
  facts: Partial<Check> = {};
  isAssigned = true;
  isDeleted = false;
  hasChannel = true;
  settings: Partial<ChannelSettings> = {};
  kind: 'alertmanager' | 'slack' = 'alertmanager';
  isInMaintenance = false;
  isQuiet = false;
  isAcknowledged = false;
  /** Null: the test ends it. */
  answer: Outcome | null = delivered;
  dispatcher: Dispatcher;
  #number = 0;

  constructor() {
    this.dispatcher = this.#createDispatcher([]);
  }

  #createDispatcher(refreshed: readonly Refreshed[]): Dispatcher {
    const { clock, meter, recent } = this;
    const append = (record: JournalRecord): void => void this.written.push(record.type);
    const outbox = new Outbox({
      ...{ store: { append }, deliveries: [], clock, rewriteMs: second, gatherMs: 0 },
    } as unknown as ConstructorParameters<typeof Outbox>[0]);
    return new Dispatcher({
      ...{ outbox, clock, recent, logger: silentLogger, metrics: createNotifyMetrics(meter) },
      ...{ limits: limits.notify.dispatch, chance: () => 0.5, ids: systemIds },
      sources: { ...this.#sources(), refreshed: () => refreshed },
    });
  }

  #sources(): DispatchSources {
    return {
      channel: (id) => (this.hasChannel ? this.channel(id) : null),
      check: (id) => (this.isDeleted ? null : this.check(id)),
      maintenance: () => (this.isInMaintenance ? night : null),
      quietUntil: () => (this.isQuiet ? night : null),
      durably: async (read) => read(),
      isCaughtUp: () => true,
      isAcknowledged: () => this.isAcknowledged,
      statusOf: (id) => this.statuses.get(id) ?? null,
      notice: ({ members: [lead], down }, check, channel) => this.#notice(lead, { check, channel, down }),
      incidentChecks: () => this.statuses.keys(),
      sent: () => [],
      isOpenIn: (id) => this.statuses.get(id) === 'down',
      lastChange: (id) => this.changes.get(id) ?? null,
      refreshed: () => [],
      attempted: (_channel, { attempts, error }, outcome) =>
        this.attempted.push({ attempts, error, outcome }),
      send: (notice) => this.#send(notice),
    };
  }

  channel(id: ChannelId): Channel {
    const { channel } = noticeOf(this.kind, 'down');
    return { ...channel, id, settings: { ...defaultChannelSettings, ...this.settings } };
  }

  check(id: CheckId): Check {
    const status = this.statuses.get(id) ?? 'new';
    const config = { ...defaultConfig, channels: this.isAssigned ? [channelId] : [] };
    return { ...checkOf(1), id, config, state: { ...freshState, status }, ...this.facts };
  }

  #notice(
    lead: Delivery | undefined,
    { down, ...facts }: Pick<Notice, 'check' | 'channel'> & { readonly down: ReadonlySet<CheckId> },
  ): Notice {
    if (!lead) throw new Error('a message is about something');
    const isDown = lead.incident === undefined ? lead.change.to === 'down' : down.size > 0;
    return noticeOf('alertmanager', isDown ? 'down' : 'up', { deliveryId: lead.id, ...facts });
  }

  #send({ check, notificationKind, deliveryId }: Notice): Promise<Outcome> {
    return new Promise((finish) => {
      const kind = notificationKind === 'up' ? 'up' : 'down';
      this.sent.push({ check: check.id, kind, id: deliveryId, atMs: this.clock.nowMs() - startMs, finish });
      if (this.answer) finish(this.answer);
    });
  }

  /** The status changes, and its notification is due, at once unless `facts` say otherwise. */
  async change(number: number, to: 'down' | 'up', facts: Partial<Delivery> = {}): Promise<void> {
    const [id, atMs] = [idOf(number), this.clock.nowMs()];
    const from = this.statuses.get(id) ?? 'up';
    const change: StatusChange = { atMs, from, to, cause: to === 'up' ? 'success' : 'fail' };
    this.statuses.set(id, to);
    this.changes.set(id, change);
    this.dispatcher.take({
      ...{ id: asDeliveryId(uuidOf(0xde, ++this.#number)), checkId: id, channelId, change },
      ...{ state: 'waiting', notBeforeMs: 0, attempts: 0, sinceMs: atMs, error: '', endedMs: 0 },
      ...facts,
    });
    await settle();
  }

  /** Passes without a notification, as when the check is paused. */
  become(number: number, status: Status): void {
    this.statuses.set(idOf(number), status);
  }

  /** A new dispatcher, which knows what the logs of the checks say. */
  async restart(numbers: readonly number[]): Promise<void> {
    await this.dispatcher.stop(0);
    const refreshed = numbers.map((number) => ({ channelId, checkId: idOf(number), incident: undefined }));
    this.dispatcher = this.#createDispatcher(refreshed);
    this.dispatcher.start();
    await settle();
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms, settle);
    await settle();
  }

  /** What was sent: the kind and the seconds since the start. */
  get log(): readonly string[] {
    return this.sent.map(({ kind, atMs }) => `${kind} ${atMs / second}`);
  }

  count(outcome: string): number {
    const metric = this.meter.collect().find(({ name }) => name === 'knell_refreshes_total');
    return Number(JSON.stringify(metric ?? {}).includes(outcome));
  }
}
