/**
 * The mails about reports that members ask for: the question to an address, and a report at once.
 * Invariant: an address gets no more questions than the limits allow, by all members together, and a member no more reports.
 */
import type { User } from '../../domain/accounts/user.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';
import type { Tokens } from '../secrets/tokens.ts';

/** Null: the mail server has taken the mail. Else why there is none. */
type MailError = string | null;

/** Sends mails; `timeZone`: the zone of a member who has chosen none. */
interface ReportMails {
  readonly canSend: boolean;
  readonly timeZone: string;
  sendNow(user: User): Promise<MailError>;
  confirm(user: User, url: string): Promise<MailError>;
}

/** Never rejects. */
export interface ReportMailer extends Pick<ReportMails, 'canSend' | 'timeZone'> {
  /** Asks the member's address. */
  ask(user: User, nowMs: number): Promise<MailError>;
  sendNow(user: User, nowMs: number): Promise<MailError>;
  /** Limit of looks at a report, per member. */
  readonly previews: RateLimit;
}

interface ReportMailerOptions {
  readonly mails: ReportMails;
  readonly tokens: Pick<Tokens, 'reportLink'>;
  readonly baseUrl: () => string;
  readonly limits: Readonly<Record<'perMember' | 'perAddress' | 'previews', RateLimitOptions>>;
}

export function createReportMails({ mails, tokens, baseUrl, limits }: ReportMailerOptions): ReportMailer {
  const perMember = createRateLimit(limits.perMember);
  const perAddress = createRateLimit(limits.perAddress);
  return {
    get canSend() {
      return mails.canSend;
    },
    get timeZone() {
      return mails.timeZone;
    },
    previews: createRateLimit(limits.previews),
    async ask(user, nowMs) {
      const address = user.reports?.address.toLowerCase() ?? '';
      const waitSeconds = perAddress.take(address, nowMs) || perMember.take(user.id, nowMs);
      if (waitSeconds > 0) return tooMany(waitSeconds);
      return mails.confirm(user, baseUrl() + tokens.reportLink('confirm', user));
    },
    async sendNow(user, nowMs) {
      const waitSeconds = perMember.take(user.id, nowMs);
      return waitSeconds > 0 ? tooMany(waitSeconds) : mails.sendNow(user);
    },
  };
}

function tooMany(seconds: number): string {
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  return `too many emails: try again in ${wait}`;
}
