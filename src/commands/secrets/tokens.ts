/**
 * Signs tokens of the page: sessions, one-time links, CSRF tokens, the links in mails.
 * Invariant: a token is valid only for the user, the purpose and the password that it was created for: a new password ends
 * all sessions of its user, and a link can be used once. The secret comes from the
 * installation's, so tokens survive a restart.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { Channel } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { hasOwner, type User } from '../../domain/accounts/user.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import { type AddressTokens, createAddressTokens } from './address-tokens.ts';
import { type AlertTokens, createAlertTokens } from './alert-tokens.ts';
import { createInvitationTokens, type InvitationTokens } from './invitation-tokens.ts';
import { linkMs, sessionMs } from './limits.ts';
import { same } from './same.ts';

/** `first`: no owner exists yet; else the link sets the password of `user`. */
export type Link = { readonly kind: 'first' } | { readonly kind: 'user'; readonly user: User };

/** Actions that the recipient of a mail can take by a link in it. */
const mailLinkPurposes = ['unsubscribe', 'verify'] as const;
export type MailLinkPurpose = (typeof mailLinkPurposes)[number];

export function isMailLinkPurpose(text: string): text is MailLinkPurpose {
  return mailLinkPurposes.some((purpose) => purpose === text);
}

export const reportLinkPurposes = ['confirm', 'stop'] as const;
export type ReportLinkPurpose = (typeof reportLinkPurposes)[number];

/** A session whose signature and expiry are valid. Not checked here: whether the user has signed out of it. */
export interface VerifiedSession {
  readonly user: User;
  readonly id: string;
  readonly untilMs: number;
}

export interface Tokens extends AlertTokens, AddressTokens, InvitationTokens {
  session(user: User, nowMs: number): string;
  /** Null when it is not a session, or has expired. */
  verifySession(token: string, users: readonly User[], nowMs: number): VerifiedSession | null;
  csrf(session: string): string;
  isCsrf(session: string, token: string): boolean;
  /** A link for the user, or for the first owner when `user` is null. */
  link(user: User | null, nowMs: number): string;
  linkOf(token: string, users: readonly User[], nowMs: number): Link | null;
  /** `text`, signed: for what a browser keeps for Knell. */
  sealed(purpose: string, text: string): string;
  /** Null when it is not signed for that. */
  unsealed(purpose: string, sealed: string): string | null;
  /** The path of a link in a mail. Does not expire: mails are kept. */
  mailLink(purpose: MailLinkPurpose, channel: Channel): string;
  /** False once the integration has another address. */
  isMailLink(purpose: MailLinkPurpose, channel: Channel, signature: string): boolean;
  /** The path of a link in a report, or to an address that is to get them. Does not expire. */
  reportLink(purpose: ReportLinkPurpose, user: User): string;
  /** False once reports go to another address. */
  isReportLink(purpose: ReportLinkPurpose, user: User, signature: string): boolean;
  /** That a reader has given the password of a status page: valid until the page has another one. */
  statusPass(page: StatusPage, nowMs: number): string;
  isStatusPass(page: StatusPage, token: string, nowMs: number): boolean;
  /** The key in the address of the feed of a status page with a password. */
  statusFeedKey(page: StatusPage): string;
  isStatusFeedKey(page: StatusPage, key: string): boolean;
}

/** `secret` is read when it is needed: it is created with the installation, after this. */
export function createTokens(secret: () => string): Tokens {
  const sign = (purpose: string, ...parts: readonly string[]): string =>
    createHmac('sha256', `web page ${secret()}`)
      .update(JSON.stringify([purpose, ...parts]))
      .digest('base64url');

  const signed = (purpose: string, user: User, untilMs: number): string => {
    const head = `${user.id}.${untilMs}.${randomBytes(9).toString('base64url')}`;
    return `${head}.${sign(purpose, head, user.passwordHash)}`;
  };

  const verified = (
    purpose: string,
    token: string,
    users: readonly User[],
    nowMs: number,
  ): VerifiedSession | null => {
    const [id = '', untilMs = '', nonce = '', signature = ''] = token.split('.');
    const user = users.find((one) => one.id === id);
    if (!user || !(Number(untilMs) > nowMs)) return null;
    if (!same(sign(purpose, `${id}.${untilMs}.${nonce}`, user.passwordHash), signature)) return null;
    return { user, id: nonce, untilMs: Number(untilMs) };
  };

  const statusSignature = (use: string, { id, passwordHash }: StatusPage, untilMs: string): string =>
    sign(`status page ${use}`, id, passwordHash, untilMs);

  const mailSignature = (purpose: MailLinkPurpose, { id, kind, value }: Channel): string =>
    sign(purpose, id, String(channelFields(kind, value).value));

  const reportSignature = (purpose: ReportLinkPurpose, { id, reports }: User): string =>
    sign(`reports ${purpose}`, id, reports?.address ?? '');

  return {
    session: (user, nowMs) => signed('session', user, nowMs + sessionMs),
    verifySession(token, users, nowMs) {
      const session = verified('session', token, users, nowMs);
      return session && session.untilMs - sessionMs >= (session.user.sessionsFromMs ?? 0) ? session : null;
    },
    csrf: (session) => sign('csrf', session),
    isCsrf: (session, token) => same(sign('csrf', session), token),
    link: (user, nowMs) => (user ? signed('link', user, nowMs + linkMs) : sign('first')),
    linkOf(token, users, nowMs) {
      if (!hasOwner(users) && same(sign('first'), token)) return { kind: 'first' };
      const link = verified('link', token, users, nowMs);
      // Signing out everywhere ends them too: they are another way in.
      const isVoid = link && link.untilMs - linkMs < (link.user.sessionsFromMs ?? 0);
      return link && !isVoid ? { kind: 'user', user: link.user } : null;
    },
    sealed(purpose, text) {
      const encoded = Buffer.from(text).toString('base64url');
      return `${encoded}.${sign(`sealed ${purpose}`, encoded)}`;
    },
    unsealed(purpose, sealed) {
      const [encoded = '', signature = ''] = sealed.split('.');
      if (!same(sign(`sealed ${purpose}`, encoded), signature)) return null;
      return Buffer.from(encoded, 'base64url').toString();
    },
    mailLink: (purpose, channel) => `/${purpose}/${channel.id}.${mailSignature(purpose, channel)}`,
    isMailLink: (purpose, channel, signature) => same(mailSignature(purpose, channel), signature),
    ...createAlertTokens(sign),
    ...createAddressTokens(sign),
    ...createInvitationTokens(sign),
    reportLink: (purpose, user) => `/${purpose}-reports/${user.id}.${reportSignature(purpose, user)}`,
    isReportLink: (purpose, user, signature) => same(reportSignature(purpose, user), signature),
    statusPass(page, nowMs) {
      const untilMs = String(nowMs + sessionMs);
      return `${untilMs}.${statusSignature('reader', page, untilMs)}`;
    },
    isStatusPass(page, token, nowMs) {
      const [untilMs = '', signature = ''] = token.split('.');
      return Number(untilMs) > nowMs && same(statusSignature('reader', page, untilMs), signature);
    },
    statusFeedKey: (page) => statusSignature('feed', page, ''),
    isStatusFeedKey: (page, key) => same(statusSignature('feed', page, ''), key),
  };
}

/** The page that uses a link. Behind the hash, where no log and no referrer sees it. */
export function linkPath(link: string): string {
  return `/set-password#${link}`;
}
