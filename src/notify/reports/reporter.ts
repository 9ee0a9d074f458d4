/**
 * Sends the members' reports: each once, in the morning after its period. One that was due while Knell was away is sent when it is
 * back; of several only the latest.
 *
 * That a report was sent is noted in its member's record. A crash between sending and noting sends it again, with the same
 * Message-ID, by which mail servers and programs drop the second.
 * Invariant: nothing is sent before `start`, nor to an address that has not agreed to it.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { presentPeriod, type ReportPeriod } from '../../domain/accounts/report-period.ts';
import { dueReport, reportZoneOf } from '../../domain/accounts/report-settings.ts';
import { noReports, type User } from '../../domain/accounts/user.ts';
import type { Report } from '../../domain/views/report.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Ids, UserId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import { noMailServer } from '../channels/email.ts';
import type { Outcome } from '../contract/channel.ts';
import type { ReporterLimits } from '../contract/limits.ts';
import type { ReportReads } from '../contract/notify.ts';
import { pauseAsked, pauseMs, type RetryLimits } from '../contract/retry.ts';
import { confirmReportsMailOf, reportMailOf } from '../mail/report.ts';
import type { MailClient } from '../wire/send-mail.ts';

interface ReporterOptions {
  readonly reads: ReportReads;
  /** Null while no mail server is set: reports wait until there is one. */
  mail(): MailClient | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: ReporterLimits;
  readonly retry: RetryLimits;
  /** Time zone of members who have chosen none. */
  timeZone(): string;
  readonly baseUrl: () => string;
  readonly ids: Pick<Ids, 'newUuid'>;
  /** 0..1. */
  chance(): number;
  /** Whether this node may send: in a cluster, that it still is the leader. */
  isCertain(): Promise<boolean>;
}

/** Null: the mail server has taken it. */
export type MailError = string | null;

/** Actions of members. */
export interface ReportMails {
  /** Whether there is a mail server. */
  readonly canSend: boolean;
  readonly timeZone: string;
  /** The report of the present period, as far as it has come. */
  sendNow(user: User): Promise<MailError>;
  /** Asks the address to agree, at `url`. */
  confirm(user: User, url: string): Promise<MailError>;
}

/** Attempts at a report that could not be sent, or whose note could not be written. */
interface Attempts {
  readonly untilMs: number;
  readonly failures: number;
  readonly notBeforeMs: number;
  /** The outcome that remains to be noted; null: the report was not sent yet. */
  readonly ended: { readonly error: string } | null;
}

export class Reporter implements ReportMails {
  readonly #options: ReporterOptions;
  readonly #attempts = new Map<UserId, Attempts>();
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, limits, logger } = this.#options;
    void this.#sendDue()
      .catch((error: unknown) => logger.error({ error: messageOf(error) }, 'reports failed'))
      .then(() => {
        if (!this.#isStopped) this.#cancel = clock.after(limits.everyMs, () => this.start());
      });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  get canSend(): boolean {
    return this.#options.mail() !== null;
  }

  get timeZone(): string {
    return this.#options.timeZone();
  }

  async sendNow(user: User): Promise<MailError> {
    const { clock, timeZone, ids, reads } = this.#options;
    const { frequency } = user.reports ?? noReports;
    const wanted = frequency === 'off' ? 'weekly' : frequency;
    const period = presentPeriod(wanted, reportZoneOf(user, timeZone()), clock.nowMs());
    return errorOf(await this.#send(user, await reads.report(user, period), ids.newUuid()));
  }

  async confirm(user: User, url: string): Promise<MailError> {
    const { clock, ids } = this.#options;
    const mail = this.#options.mail();
    if (mail === null) return noMailServer;
    return errorOf(
      await mail.send(confirmReportsMailOf({ user, url, id: ids.newUuid(), nowMs: clock.nowMs() })),
    );
  }

  async #sendDue(): Promise<void> {
    const { reads, clock, limits, timeZone } = this.#options;
    if (!this.canSend) return;
    let looked = 0;
    for (const user of reads.users()) {
      if (++looked % limits.membersPerTurn === 0) await nextTurn();
      if (this.#isStopped) return;
      const period = dueReport(user, timeZone(), clock.nowMs());
      if (period === null) this.#attempts.delete(user.id);
      else await this.#attempt(user, period);
    }
  }

  async #attempt(user: User, period: ReportPeriod): Promise<void> {
    const { clock } = this.#options;
    const known = this.#attempts.get(user.id);
    const before = known?.untilMs === period.untilMs ? known : null;
    if (before && before.notBeforeMs > clock.nowMs()) return;
    const ended = before?.ended ?? (await this.#sent(user, period, before));
    if (ended === null || this.#isStopped) return;
    this.#attempts.set(user.id, { untilMs: period.untilMs, failures: 0, notBeforeMs: 0, ended });
    await this.#note(user, period, ended.error);
  }

  /** Null: it is tried again. */
  async #sent(user: User, period: ReportPeriod, before: Attempts | null): Promise<Attempts['ended']> {
    const { clock, limits, retry, chance, logger, reads, isCertain } = this.#options;
    const report = await reads.report(user, period);
    if (!this.#isStillWanted(user, period) || !(await isCertain())) return null;
    const id = `report.${user.id}.${period.frequency}.${period.untilMs}`;
    const outcome = await this.#send(user, report, id);
    if (outcome.kind === 'delivered') return { error: '' };
    const failures = (before?.failures ?? 0) + 1;
    const { error } = outcome;
    if (outcome.kind === 'refused' || failures >= limits.attemptsMax) {
      logger.error({ user: user.id, error }, 'a report was not delivered');
      return { error };
    }
    const plainMs = pauseMs(failures, retry, chance());
    const notBeforeMs = clock.nowMs() + pauseAsked(plainMs, outcome.retryAfterMs, retry);
    this.#attempts.set(user.id, { untilMs: period.untilMs, failures, notBeforeMs, ended: null });
    return null;
  }

  /** Reading it takes a while, in which its member may have stopped it. */
  #isStillWanted({ id, reports }: User, period: ReportPeriod): boolean {
    const { reads, clock, timeZone } = this.#options;
    const now = reads.users().find((one) => one.id === id);
    if (now?.reports?.address !== reports?.address) return false;
    return now !== undefined && dueReport(now, timeZone(), clock.nowMs())?.untilMs === period.untilMs;
  }

  async #send(user: User, report: Report, id: string): Promise<Outcome> {
    const { reads, baseUrl } = this.#options;
    const mail = this.#options.mail();
    if (mail === null) return { kind: 'failed', error: noMailServer };
    return mail.send(reportMailOf({ report, user, id, baseUrl: baseUrl(), stopUrl: reads.stopUrl(user) }));
  }

  /** Notes the outcome. On a full disk it is noted later: until then this process knows that it was sent. */
  async #note({ id }: User, period: ReportPeriod, error: string): Promise<void> {
    const { reads, logger } = this.#options;
    await reads
      .reported(id, period, error)
      .catch((reason: unknown) =>
        logger.warn({ user: id, error: messageOf(reason) }, 'a sent report is not noted yet'),
      );
  }
}

function errorOf(outcome: Outcome): MailError {
  return outcome.kind === 'delivered' ? null : outcome.error;
}
