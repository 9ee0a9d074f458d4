/**
 * The mails about accounts: those that people ask for, such as invitations, links for forgotten passwords and new addresses, and
 * tests of the mail server; and those that say what was done with an account.
 * Invariant: an address gets no more of the first than the limits allow, by all users together, of tests none that was not delivered counts; a link in them works once. The
 * others have no limit but the changes that they are about: nobody can keep them away by asking for many of the first.
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
  | { readonly kind: 'address'; readonly name: string }
  | { readonly kind: 'address-taken' }
  | { readonly kind: 'address-changed'; readonly name: string; readonly after: string }
  | { readonly kind: 'closed'; readonly name: string }
  | { readonly kind: 'offer'; readonly by: string; readonly project: string }
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
  /** `path`: of the link. Null where the user has no address or there is no mail server: then nothing was sent. */
  invite(user: User, invitation: Invitation & { readonly path: string }, nowMs: number): Promise<Sent | null>;
  /** Likewise. */
  sendPasswordLink(user: User, nowMs: number): Promise<Sent | null>;
  sendTest(to: string, by: string, nowMs: number): Promise<MailError>;
  /**
   * Asks the new address of a user to confirm it; an address that another user has is sent no link, but that there is an account
   * already. Both look alike to who asked.
   */
  askNewAddress(user: User, isTaken: boolean, nowMs: number): Promise<MailError>;
  /** Says at the address of `before` that mails go elsewhere from now on. Does not wait for the mail server. */
  noteAddressChanged(before: User, after: string): void;
  /** Says so to one whose account was closed, if there is an address. Does not wait for the mail server. */
  noteClosed(user: User): void;
  /** `path`: where the offer is answered. Null where the user has no address or there is no mail server. */
  offerProject(
    user: User,
    offer: Invitation & { readonly path: string },
    nowMs: number,
  ): Promise<Sent | null>;
}

export interface Sent {
  readonly to: string;
  readonly error: MailError;
}

interface AccountMailerOptions {
  readonly mails: Mails;
  readonly tokens: Pick<Tokens, 'link' | 'addressLink'>;
  readonly baseUrl: () => string;
  readonly limits: {
    readonly perAddress: RateLimitOptions;
    readonly tests: RateLimitOptions;
    readonly invitations: RateLimitOptions;
  };
}

export function createAccountMailer({ mails, tokens, baseUrl, limits }: AccountMailerOptions): AccountMailer {
  const perAddress = createRateLimit(limits.perAddress);
  const tests = createRateLimit(limits.tests);
  const invitations = createRateLimit(limits.invitations);
  const sent = async (mail: Mail, nowMs: number): Promise<MailError> => {
    const waitSeconds = perAddress.take(mail.to.toLowerCase(), nowMs);
    return waitSeconds > 0 ? tooManyText(waitSeconds) : mails.send(mail);
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
  const note = (before: User, mailOf: (to: string, url: string) => Mail): void => {
    const to = mailAddressOf(before);
    if (to !== null && mails.canSend) void mails.send(mailOf(to, baseUrl()));
  };
  return {
    get canSend() {
      return mails.canSend;
    },
    async invite(user, { by, project, path }, nowMs) {
      const to = mailAddressOf(user);
      if (to === null || !mails.canSend) return null;
      const waitSeconds = invitations.take(by.id, nowMs);
      if (waitSeconds > 0)
        return { to, error: `too many invitations: try again in ${waitText(waitSeconds)}` };
      const mail: Mail = { kind: 'invitation', to, url: baseUrl() + path, by: by.name, project };
      return { to, error: await sent(mail, nowMs) };
    },
    sendPasswordLink: (user, nowMs) =>
      withLink(user, nowMs, (to, url) => ({ kind: 'password', to, url, name: user.name })),
    async sendTest(to, by, nowMs) {
      const address = to.toLowerCase();
      const waitSeconds = tests.take(address, nowMs);
      if (waitSeconds > 0) return tooManyText(waitSeconds);
      const error = await mails.send({ kind: 'test', to, by, url: baseUrl() });
      if (error !== null) tests.giveBack(address);
      return error;
    },
    async askNewAddress(user, isTaken, nowMs) {
      const path = tokens.addressLink(user, nowMs);
      if (path === null || !user.newAddress) return null;
      const { address: to } = user.newAddress;
      const waitSeconds = invitations.take(user.id, nowMs);
      if (waitSeconds > 0) return `too many emails: try again in ${waitText(waitSeconds)}`;
      const mail: Mail = isTaken
        ? { kind: 'address-taken', to, url: baseUrl() }
        : { kind: 'address', to, url: baseUrl() + path, name: user.name };
      return sent(mail, nowMs);
    },
    noteAddressChanged: (before, after) =>
      note(before, (to, url) => ({ kind: 'address-changed', to, url, name: before.name, after })),
    noteClosed: (user) => note(user, (to, url) => ({ kind: 'closed', to, url, name: user.name })),
    async offerProject(user, { by, project, path }, nowMs) {
      const to = mailAddressOf(user);
      if (to === null || !mails.canSend) return null;
      const waitSeconds = invitations.take(by.id, nowMs);
      if (waitSeconds > 0) return { to, error: `too many emails: try again in ${waitText(waitSeconds)}` };
      const mail: Mail = { kind: 'offer', to, url: baseUrl() + path, by: by.name, project };
      return { to, error: await sent(mail, nowMs) };
    },
  };
}

function tooManyText(waitSeconds: number): string {
  return `too many emails to this address: try again in ${waitText(waitSeconds)}`;
}

function waitText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
