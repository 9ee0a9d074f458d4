/**
 * Who may sign in to the web page, and what each of the roles may do there. Plain facts.
 * Not here: how a password is checked, who is asking (`http/web`). Invariant: each role may do all that the next may.
 */
import type { UserId } from '../lib/ids.ts';
import type { Growing } from './unknown-fields.ts';

export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

export interface User extends Growing {
  readonly id: UserId;
  /** Unique among users, whatever the case of its letters. */
  readonly name: string;
  readonly role: Role;
  /** Parameters, salt and hash; empty for one who has set no password yet. */
  readonly passwordHash: string;
  readonly createdAtMs: number;
  /** Those that were used in the last while, as the account page lists them; the latest first. */
  readonly sessions?: readonly UserSession[] | undefined;
  /** Sessions that began before it are over. */
  readonly sessionsFromMs?: number | undefined;
  readonly preferences?: Preferences | undefined;
  readonly totp?: Totp | undefined;
  readonly reports?: ReportSettings | undefined;
  readonly passkeys?: readonly Passkey[] | undefined;
}

export interface UserSession extends Growing {
  readonly id: string;
  readonly startedAtMs: number;
  /** To some minutes. */
  readonly usedAtMs: number;
  readonly untilMs: number;
  /** Of its latest use. */
  readonly address: string;
  readonly userAgent: string;
}

export const clocks = ['auto', '24', '12'] as const;
export const themeNames = ['system', 'light', 'dark'] as const;

export interface Preferences extends Growing {
  /** An IANA name; empty: the browser's. */
  readonly timeZone: string;
  /** `auto`: as the browser's language has it. */
  readonly clock: (typeof clocks)[number];
  readonly theme: (typeof themeNames)[number];
}

export const defaultPreferences: Preferences = { timeZone: '', clock: 'auto', theme: 'system' };

export const reportFrequencies = ['off', 'daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = Exclude<(typeof reportFrequencies)[number], 'off'>;

/** The reports that a member gets by mail. */
export interface ReportSettings extends Growing {
  readonly frequency: (typeof reportFrequencies)[number];
  /** Where they go; empty for nowhere. */
  readonly address: string;
  /** Whether somebody who reads the mail of `address` has agreed. Until then nothing is sent there but the question. */
  readonly isConfirmed: boolean;
  /** Nothing before it is reported any more: the end of the latest report, or when reports were turned on. */
  readonly reportedUntilMs: number;
  /** Why the latest one was not sent; empty when it was. */
  readonly lastError: string;
}

export const noReports: ReportSettings = {
  frequency: 'off',
  address: '',
  isConfirmed: false,
  reportedUntilMs: 0,
  lastError: '',
};

export interface Totp extends Growing {
  /** Base32. */
  readonly secret: string;
  /** The time step of the code that was used last. */
  readonly lastStep: number;
  /** SHA-256 of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/** A credential of WebAuthn. */
export interface Passkey extends Growing {
  readonly id: string;
  /** As its owner calls it. */
  readonly name: string;
  /** What the authenticator calls it, in base64url; no two users have the same. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** Of the authenticator's signatures; 0 where it does not count. */
  readonly counter: number;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

/** What decides who may do what: a page that is open has to ask again. */
export function hasOtherAccess(before: User, after: User): boolean {
  return (
    before.role !== after.role ||
    before.name !== after.name ||
    before.passwordHash !== after.passwordHash ||
    before.sessionsFromMs !== after.sessionsFromMs
  );
}

/** A session that its user signed out of before its time. What a session is: `http/web/tokens`. */
export interface EndedSession extends Growing {
  readonly userId: UserId;
  readonly id: string;
  /** When it would have ended by itself; from then on it can be forgotten. */
  readonly untilMs: number;
  readonly endedAtMs: number;
}

/** Without an owner nobody can change anything: the server prints a link that creates one. */
export function hasOwner(users: readonly User[]): boolean {
  return users.some(({ role }) => role === 'owner');
}

export function mayActAs(role: Role, wanted: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(wanted);
}
