/**
 * The mails about accounts that people ask for: invitations, links for forgotten passwords, tests of the mail server.
 * Invariant: an address gets no more of them than the limits allow, by all users together; a link in them is one that an owner
 * could have created, and works once.
 */
import { mailAddressOf, type User } from '../../domain/accounts/user.ts';
import { createRateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';
import { linkPath, type Tokens } from '../secrets/tokens.ts';

/** Null: the mail server has taken the mail. Else why there is none. */
type MailError = string | null;

/** A mail as `notify/mail/account` renders it. */
type Mail = { readonly to: string; readonly url: string } & (
  | { readonly kind: 'invitation'; readonly by: string; readonly project: string }
  | { readonly kind: 'password'; readonly name: string }
  | { readonly kind: 'test'; readonly by: string }
);

interface Mails {
  readonly canSend: boolean;
  send(mail: Mail): Promise<MailError>;
}

interface Invitation {
  /** The member who invites. */
  readonly by: Pick<User, 'id' | 'name'>;
  /** The name of the project; empty where it is for the installation as a whole. */
  readonly project: string;
}

/** None of them rejects. */
export interface AccountMailer {
  readonly canSend: boolean;
  /** Null where the user has no address or there is no mail server: then nothing was sent. */
  invite(user: User, invitation: Invitation, nowMs: number): Promise<Sent | null>;
  /** Likewise. */
  sendPasswordLink(user: User, nowMs: number): Promise<Sent | null>;
  sendTest(to: string, by: string, nowMs: number): Promise<MailError>;
}

export interface Sent {
  readonly to: string;
  readonly error: MailError;
}

interface AccountMailerOptions {
  readonly mails: Mails;
  readonly tokens: Pick<Tokens, 'link'>;
  readonly baseUrl: () => string;
  readonly limits: { readonly perAddress: RateLimitOptions; readonly invitations: RateLimitOptions };
}

export function createAccountMailer({ mails, tokens, baseUrl, limits }: AccountMailerOptions): AccountMailer {
  const perAddress = createRateLimit(limits.perAddress);
  const invitations = createRateLimit(limits.invitations);
  const sent = async (mail: Mail, nowMs: number): Promise<MailError> => {
    const waitSeconds = perAddress.take(mail.to.toLowerCase(), nowMs);
    return waitSeconds > 0
      ? `too many emails to this address: try again in ${waitText(waitSeconds)}`
      : mails.send(mail);
  };
  const withLink = async (
    user: User,
    nowMs: number,
    mailOf: (to: string, url: string) => Mail,
  ): Promise<Sent | null> => {
    const to = mailAddressOf(user);
    if (to === null || !mails.canSend) return null;
    const url = baseUrl() + linkPath(tokens.link(user, nowMs));
    return { to, error: await sent(mailOf(to, url), nowMs) };
  };
  return {
    get canSend() {
      return mails.canSend;
    },
    async invite(user, { by, project }, nowMs) {
      const to = mailAddressOf(user);
      const waitSeconds = to === null || !mails.canSend ? 0 : invitations.take(by.id, nowMs);
      if (to !== null && waitSeconds > 0)
        return { to, error: `too many invitations: try again in ${waitText(waitSeconds)}` };
      return withLink(user, nowMs, (address, url) => ({
        ...{ kind: 'invitation', to: address, url, project },
        by: by.name,
      }));
    },
    sendPasswordLink: (user, nowMs) =>
      withLink(user, nowMs, (to, url) => ({ kind: 'password', to, url, name: user.name })),
    sendTest: (to, by, nowMs) => sent({ kind: 'test', to, by, url: baseUrl() }, nowMs),
  };
}

function waitText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
