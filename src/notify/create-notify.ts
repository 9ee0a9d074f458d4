/**
 * Puts the room together: outbox, senders, dispatcher, and what can be asked of them. The one thing `app` sees of it.
 * Invariant: nothing is sent before `start`, though everything owed is heard from the first.
 */
import type { Delivery } from '../domain/delivery.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { DeliverySink, Store } from '../store/store.ts';
import { createSenders, sendByKind } from './channels/all.ts';
import { createDesk, type Desk } from './desk.ts';
import { Dispatcher } from './dispatch.ts';
import { type NoticeOptions, noticeOf } from './notice.ts';
import type { NotifyLimits, NotifyReads } from './notify.ts';
import { Outbox } from './outbox.ts';
import { createHttpClient, type HttpClient } from './send-http.ts';
import { createMailClient } from './send-mail.ts';
import type { NotifySettings } from './settings.ts';

export interface NotifyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: NotifySettings;
  readonly limits: NotifyLimits;
  readonly baseUrl: string;
  /** 0..1. */
  chance(): number;
  readonly ids: Pick<Ids, 'newUuid'>;
  /** The way out to the network; by default a real one. */
  readonly http?: HttpClient;
}

export interface Notify {
  /** Hears, while the engine is being made, of everything that is owed. */
  readonly outbox: DeliverySink;
  /** Status changes and what they owe have become durable. */
  readonly owed: (deliveries: readonly Delivery[]) => void;
  /** From now on there is an engine to ask. */
  open(reads: NotifyReads): void;
  /** From now on is sent. */
  start(): void;
  /** A project was deleted: what its integrations were owed is forgotten. */
  readonly projectGone: () => void;
  /** What whoever runs this Knell can ask for. */
  readonly desk: Desk;
  stop(): Promise<void>;
}

export function createNotify(options: NotifyOptions): Notify {
  const { store, clock, logger, settings, limits, baseUrl, chance, ids } = options;
  const outbox = new Outbox({ clock, rewriteMs: limits.rewriteMs, gatherMs: limits.gatherMs });
  const http = options.http ?? createHttpClient(limits.http, settings.webhookAllow);
  const mail = createMailClient(settings.mailUrl, settings.mailFrom, limits.mail);
  const send = sendByKind(
    createSenders({
      send: http.send,
      settings,
      nowMs: () => clock.nowMs(),
      mail,
      shellMs: limits.http.totalMs,
    }),
  );
  const late = lateReads();
  const notices: NoticeOptions = { store, baseUrl, ids, project: late.project, checkJson: late.checkJson };
  const dispatcher = new Dispatcher({
    outbox,
    clock,
    logger,
    limits: limits.dispatch,
    chance,
    ids,
    sources: { ...late, notice: (...event) => noticeOf(notices, ...event), send },
  });
  const desk = createDesk({ outbox, dispatcher, clock, notices, reads: late, send, limits });
  let started = false;
  return {
    outbox,
    owed(deliveries) {
      for (const delivery of deliveries) outbox.add(delivery);
      if (started) for (const delivery of deliveries) dispatcher.take(delivery);
    },
    open(reads) {
      late.become(reads);
      outbox.open(store);
    },
    start() {
      started = true;
      desk.dropOrphans();
      dispatcher.start();
      desk.keepTidy();
    },
    projectGone: () => desk.dropOrphans(),
    desk,
    async stop() {
      desk.stop();
      await dispatcher.stop(limits.stopGraceMs);
      http.close();
      mail?.close();
      outbox.close();
    },
  };
}

/** The engine is made after this room, since it tells it what is owed: until then nothing is known. */
function lateReads(): NotifyReads & { become(reads: NotifyReads): void } {
  let known: NotifyReads | null = null;
  return {
    become: (reads) => {
      known = reads;
    },
    project: (id) => known?.project(id) ?? null,
    channel: (id) => known?.channel(id) ?? null,
    check: (id) => known?.check(id) ?? null,
    checkJson: (check) => known?.checkJson(check) ?? '{}',
    marked: (channel, error) => known?.marked(channel, error),
  };
}
