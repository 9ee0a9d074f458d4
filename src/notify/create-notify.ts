/**
 * Puts the module together: outbox, senders, dispatcher, and what can be asked of them. The one thing `assemble` sees of it.
 * Invariant: nothing is sent before `start`; what is delivered before waits in the outbox.
 */

import type { Delivery } from '../domain/deliveries/delivery.ts';
import { lastDeliveredSearched } from '../domain/limits.ts';
import type { Clock } from '../lib/clock.ts';
import type { HealthPart } from '../lib/health.ts';
import type { CheckId, Ids } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { Meter } from '../lib/meter.ts';
import { NEVER } from '../lib/units.ts';
import type { Store } from '../store/store.ts';
import { type AccountMails, createAccountMails } from './admin/account-mails.ts';
import { ChannelHealth } from './admin/channel-health.ts';
import { Connections } from './admin/connections.ts';
import { MatrixChats } from './admin/matrix-chats.ts';
import { createOutboxAdmin, type OutboxAdmin } from './admin/outbox-admin.ts';
import { TelegramChats } from './admin/telegram-chats.ts';
import { unconfiguredLine } from './admin/unconfigured.ts';
import { createSenders, sendByKind } from './channels/all.ts';
import type { PushAuthorization, Send } from './contract/channel.ts';
import type { NotifyLimits } from './contract/limits.ts';
import type { NotifyReads } from './contract/notify.ts';
import { RecentNotifications } from './contract/recent-notifications.ts';
import type { NotifySettings } from './contract/settings.ts';
import { Announcer } from './dispatch/announcer.ts';
import { Dispatcher } from './dispatch/dispatch.ts';
import { createNotifyMetrics, observeOutbox } from './dispatch/metrics.ts';
import { Outbox } from './dispatch/outbox.ts';
import { refreshedChecks } from './dispatch/refreshed-checks.ts';
import { Feeds } from './feeds/feeds.ts';
import { PingMails } from './reports/ping-mails.ts';
import { Reporter, type ReportMails } from './reports/reporter.ts';
import { ChangingMailClient } from './wire/changing-mail-client.ts';
import { createHttpClient, type HttpClient } from './wire/send-http.ts';
import type { MailClient } from './wire/send-mail.ts';
import { completeNoticeOf, type NoticeOptions, testNotice } from './words/notice.ts';

interface NotifyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter;
  readonly reads: NotifyReads;
  /** Deliveries that are not over. */
  readonly deliveries: readonly Delivery[];
  readonly settings: NotifySettings;
  readonly limits: NotifyLimits;
  /** Known once the HTTP listener is open. */
  readonly baseUrl: () => string;
  readonly pushAuthorization: PushAuthorization;
  /** 0..1. */
  chance(): number;
  readonly ids: Pick<Ids, 'newUuid' | 'randomBase62'>;
  /** The ways out to the network; by default real ones. */
  readonly http?: HttpClient;
  readonly mail?: MailClient;
}

export interface Notify {
  /** Takes the deliveries of a status change that is durable; sends them once started. */
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  /** Takes the deliveries that were not over when Knell ended, once. `snoozed`: checks that are, and until when. */
  recovered(deliveries: readonly Delivery[], snoozed: ReadonlyMap<CheckId, number>): void;
  /** A check was snoozed, or its snooze has ended. */
  readonly snoozeChanged: (check: { readonly id: CheckId }) => void;
  /** A project was deleted: deliveries to its integrations end. */
  readonly dropOrphans: () => void;
  /** Event subscriptions were created, changed or deleted. */
  readonly feedsChanged: () => void;
  /** Begins to send. */
  start(): void;
  /** Actions of the operator. */
  readonly admin: OutboxAdmin;
  /** Actions of members. */
  readonly reports: ReportMails;
  readonly accounts: AccountMails;
  readonly telegramChats: TelegramChats;
  readonly matrixChats: MatrixChats;
  readonly connections: Connections;
  readonly health: readonly HealthPart[];
  stop(): Promise<void>;
}

export function createNotify(options: NotifyOptions): Notify {
  const { reads, settings, logger, limits } = options;
  const outbox = outboxOf(options);
  const recent = new RecentNotifications(limits.recentMax);
  const out = waysOutOf(options);
  const { telegramChats, matrixChats } = chatFindersOf(options, out);
  const notices = noticesOf(options);
  const connections = new Connections({ send: out.http.send, settings });
  const announcer = announcerOf(options, out.send, notices);
  const health = healthOf(options, announcer);
  const feeds = feedsOf(options, out.http, health);
  const dispatcher = dispatcherOf(options, { outbox, recent, health, notices, send: out.send });
  const admin = createOutboxAdmin({ ...options, ...out, outbox, recent, dispatcher, notices, feeds });
  const reporter = reporterOf(options, out.mail);
  let started = false;
  return {
    deliver(deliveries) {
      for (const delivery of deliveries) outbox.add(delivery);
      if (started) for (const delivery of deliveries) dispatcher.take(delivery);
    },
    recovered(deliveries, snoozed) {
      for (const delivery of deliveries) {
        outbox.add(delivery);
        const untilMs = snoozed.get(delivery.checkId);
        if (untilMs !== undefined) dispatcher.snooze(delivery, untilMs);
      }
    },
    snoozeChanged: ({ id }) => dispatcher.snoozeChanged(id),
    start() {
      started = true;
      const unconfigured = unconfiguredLine(reads.channels(null), settings);
      if (unconfigured !== null) logger.warn(unconfigured);
      admin.dropOrphans();
      dispatcher.start();
      admin.keepTidy();
      announcer.start();
      feeds.start();
      reporter.start();
    },
    dropOrphans: () => admin.dropOrphans(),
    feedsChanged: () => feeds.changed(),
    admin,
    reports: reporter,
    telegramChats,
    matrixChats,
    connections,
    accounts: createAccountMails({ mail: out.mail, ids: options.ids, nowMs: () => options.clock.nowMs() }),
    health: [dispatcher.progress.health],
    async stop() {
      admin.stop();
      telegramChats.stop();
      matrixChats.stop();
      connections.stop();
      announcer.stop();
      reporter.stop();
      await feeds.stop();
      await dispatcher.stop(limits.stopGraceMs);
      out.close();
      outbox.close();
    },
  };
}

function chatFindersOf({ settings, ids, clock }: NotifyOptions, { http }: WaysOut) {
  const shared = { send: http.send, ids, nowMs: () => clock.nowMs() };
  return {
    telegramChats: new TelegramChats({ ...shared, token: () => settings.telegramToken }),
    matrixChats: new MatrixChats({ ...shared, settings }),
  };
}

function outboxOf({ store, clock, meter, deliveries, limits }: NotifyOptions): Outbox {
  const { rewriteMs, gatherMs } = limits;
  const outbox = new Outbox({ store, clock, rewriteMs, gatherMs, deliveries });
  observeOutbox(meter, outbox);
  return outbox;
}

interface WaysOut {
  readonly http: HttpClient;
  /** Null while no mail server is set. */
  readonly mail: () => MailClient | null;
  readonly send: Send;
  close(): void;
}

function waysOutOf({
  store,
  clock,
  reads,
  settings,
  limits,
  pushAuthorization,
  ...given
}: NotifyOptions): WaysOut {
  const http = given.http ?? createHttpClient(limits.http, settings.webhookAllow);
  const mails = given.mail
    ? { current: given.mail, close() {} }
    : new ChangingMailClient(settings, limits.mail);
  const mail = (): MailClient | null => mails.current;
  const senders = createSenders({
    send: http.send,
    settings,
    nowMs: () => clock.nowMs(),
    mail: { client: mail, unsubscribeUrl: reads.unsubscribeUrl },
    shellMs: limits.http.totalMs,
    pushAuthorization,
  });
  return {
    ...{ http, mail, send: onceCertain(store, clock, sendByKind(senders)) },
    close() {
      http.close();
      mails.close();
    },
  };
}

function noticesOf({ store, clock, reads, settings, baseUrl, ids }: NotifyOptions): NoticeOptions {
  const { project, channel, check, incident, checkJson, checkCount, checksDown, alertUrl, maintenance } =
    reads;
  return {
    ...{ store, baseUrl, ids, project, channel, check, incident },
    ...{ checkJson, checkCount, checksDown, alertUrl, maintenance },
    get timeZone() {
      return settings.timeZone;
    },
    nowMs: () => clock.nowMs(),
  };
}

function announcerOf(
  { reads, clock, logger, limits, chance }: NotifyOptions,
  send: Send,
  notices: NoticeOptions,
): Announcer {
  return new Announcer({
    ...{ reads, send, clock, logger, chance },
    notice: (announcement, channel) => testNotice(notices, channel, { announcement }),
    limits: limits.announcer,
    retry: limits.dispatch.retry,
  });
}

function healthOf(
  { reads, clock, logger, limits: { missingAttemptsMin } }: NotifyOptions,
  announcer: Announcer,
): ChannelHealth {
  return new ChannelHealth({
    editChannel: reads.editChannel,
    ...{ logger, missingAttemptsMin },
    nowMs: () => clock.nowMs(),
    disabled: (channel) => announcer.disabled(channel),
  });
}

function feedsOf(
  { reads, store, clock, logger, limits, chance }: NotifyOptions,
  http: HttpClient,
  health: ChannelHealth,
): Feeds {
  return new Feeds({
    ...{ reads: reads.feeds, clock, logger, chance, retry: limits.dispatch.retry },
    http: http.send,
    channel: (id) => reads.channel(id),
    isCertain: async () => store.mayAct || isStillLeader(store, clock),
    attempted: (...ended) => health.ended(...ended),
  });
}

interface DispatcherParts {
  readonly outbox: Outbox;
  readonly recent: RecentNotifications;
  readonly health: ChannelHealth;
  readonly notices: NoticeOptions;
  readonly send: Send;
}

function dispatcherOf(
  { store, reads, clock, logger, meter, limits, chance, ids }: NotifyOptions,
  { outbox, recent, health, notices, send }: DispatcherParts,
): Dispatcher {
  const pingMails = new PingMails({ read: reads.readMail, clock, limits: limits.pingMails });
  const readMail = (key: string, mail: Uint8Array) => pingMails.read(key, mail);
  return new Dispatcher({
    ...{ outbox, clock, logger, recent, chance, ids },
    metrics: createNotifyMetrics(meter),
    limits: limits.dispatch,
    sources: {
      ...reads,
      notice: (...facts) => completeNoticeOf({ ...notices, readMail }, ...facts),
      *incidentChecks(id) {
        for (const check of reads.incident(id)?.checks ?? []) yield check.id;
      },
      sent: (id) => store.notifications(id, { fromMs: 0, untilMs: NEVER }, lastDeliveredSearched),
      lastChange: (id) => store.lastChange(id),
      refreshed: () => refreshedChecks({ ...reads, store }),
      attempted: (...ended) => health.ended(...ended),
      send,
    },
  });
}

function reporterOf(
  { store, reads, settings, clock, logger, limits, baseUrl, chance, ids }: NotifyOptions,
  mail: WaysOut['mail'],
): Reporter {
  return new Reporter({
    ...{ clock, logger, baseUrl, chance, ids, mail },
    reads: reads.reports,
    limits: limits.reporter,
    retry: limits.dispatch.retry,
    timeZone: () => settings.timeZone,
    isCertain: async () => store.mayAct || isStillLeader(store, clock),
  });
}

/** A node of a cluster that another one may have replaced sends nothing before it has written something as the leader. */
function onceCertain(store: Pick<Store, 'append' | 'mayAct'>, clock: Clock, send: Send): Send {
  return async (notice, signal) => {
    if (store.mayAct) return send(notice, signal);
    return (await isStillLeader(store, clock))
      ? send(notice, signal)
      : { kind: 'failed', error: 'the log of the cluster does not answer' };
  };
}

function isStillLeader(store: Pick<Store, 'append'>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = { durable: () => resolve(true), rolledBack: () => resolve(false) };
    store.append({ type: 'alive', atMs: clock.nowMs() }, settled);
  });
}
