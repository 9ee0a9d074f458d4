/**
 * A member's own account and the audit log on the page, as the server answers and the page in the browser share it.
 * Invariant: instants are epoch milliseconds; no secret is here but those that are shown once, when they are made.
 */
import type { ActorKind, AuditChange, AuditSubject, ShownAction } from '../accounts/audit.ts';
import type { Preferences } from '../accounts/preferences.ts';
import type { KeyScope } from '../accounts/project.ts';
import type { MemberRole } from '../accounts/user.ts';

/** `GET /web/account`: of the one who asks. */
export interface AccountView {
  readonly name: string;
  /** Where mails about the account go; null for nowhere. */
  readonly mailAddress: string | null;
  readonly preferences: Preferences;
  /** The address that waits to be confirmed; null for none. */
  readonly newAddress: { readonly address: string; readonly untilMs: number } | null;
  readonly closing: ClosingView;
  /** False for one whom a proxy signs in. */
  readonly hasPassword: boolean;
  /** Recovery codes that are left; null if sign-in needs no code. */
  readonly recoveryCodesLeft: number | null;
  readonly passkeys: readonly PasskeyView[];
  /** The one that was used last comes first. */
  readonly sessions: readonly SessionView[];
}

/** What closing the account means. */
export interface ClosingView {
  /** Why it cannot be closed; empty if it can. */
  readonly refusal: string;
  /** It cannot be closed while no other member is an owner of the installation. */
  readonly isLastOwner: boolean;
  /** Names of projects that only the owners of the installation would own then; not all, if there are many. */
  readonly projects: readonly string[];
  /** The number of others. */
  readonly more: number;
}

/** `POST /web/account`. */
export interface SavedAccountView {
  /** The new address that was sent a link, and why it was not; null if there is nothing to confirm. */
  readonly asked: { readonly to: string; readonly error: string | null } | null;
}

/** The offer of a project, as its owners see it. */
export interface HandOverView {
  readonly to: string;
  readonly by: string;
  readonly untilMs: number;
}

/** The offer of a project, as the member sees it who may accept it. */
export interface OfferView {
  /** Of the project. */
  readonly id: string;
  readonly project: string;
  readonly by: string;
  readonly untilMs: number;
}

/** `POST …/hand-over`. */
export interface OfferedView {
  readonly to: string;
  /** Address to which the offer was sent by mail, and why it was not; absent if there is none, or the server sends no mail. */
  readonly mailed?: { readonly to: string; readonly error: string | null };
}

export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** Null for one that has signed nobody in yet. */
  readonly usedAtMs: number | null;
}

export interface SessionView {
  readonly id: string;
  readonly startedAtMs: number;
  readonly usedAtMs: number;
  readonly address: string;
  readonly userAgent: string;
  /** The one that asks. */
  readonly isOwn: boolean;
}

/** `POST /web/account/totp/new`. */
export interface TotpView {
  readonly secret: string;
  readonly uri: string;
}

/** The answer to turning on codes at the sign-in, or to making new ones. */
export interface RecoveryCodesView {
  /** This once. */
  readonly codes: readonly string[];
}

/** `POST /web/sign-in`, where the password is right. */
export interface SignInView {
  /** A code is wanted, too. */
  readonly code?: true;
}

/** `POST /web/link`, where the link is valid. */
export interface LinkView {
  readonly kind: 'first' | 'user';
  /** Name of the user whose password it sets; empty for the first link. */
  readonly name: string;
  /** Who invites; absent where the link is no invitation, or that member is gone. */
  readonly invitedBy?: string;
  /** To which project; absent for none. */
  readonly project?: string;
}

/** `GET /web/audit`. */
export interface AuditView {
  /** Newest first. */
  readonly entries: readonly AuditEntryView[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
  /** Whom one can choose, oldest first; on the first page only. */
  readonly members: readonly { readonly id: string; readonly name: string }[];
  /** What the UUIDs in the changes of these entries are now, by UUID (`domain/words/named-ids`). Of one that is not there nothing is known. */
  readonly named: Readonly<Record<string, NamedIdView>>;
}

export interface NamedIdView {
  /** A name may be empty: that of a check or a key that has none, or that was deleted too long ago to be known. */
  readonly name: string;
  readonly what: 'check' | 'deleted-check' | 'integration' | 'project' | 'member' | 'key';
  /** UUID of its project; empty for a member. */
  readonly project: string;
  /** Of a key, which may have no name. */
  readonly scope?: KeyScope;
}

/** An entry as exports have it too, except for the form of its time, and that its project has its present name, if it is there. */
export interface AuditEntryView {
  readonly id: string;
  readonly atMs: number;
  readonly actor: { readonly kind: ActorKind; readonly id: string; readonly name: string };
  readonly address: string;
  readonly action: ShownAction;
  readonly subject: AuditSubject;
  readonly name: string;
  /** Where what it is about is found now; null if it is not there any more, or has no place on the page. */
  readonly place: AuditPlaceView | null;
  readonly projectName: string;
  readonly fields: readonly string[];
  readonly changes: readonly AuditChange[];
  readonly detail: string;
}

export interface AuditPlaceView {
  /** Of a setting of the server: its variable. */
  readonly id: string;
  /** UUID of the project that it is in now; empty for what is in none. */
  readonly project: string;
}

export interface MemberView {
  readonly id: string;
  readonly name: string;
  /** Role in the installation. */
  readonly role: MemberRole;
  readonly roleHere: MemberRole;
  /** The one that was given for this project; null: that of the installation counts. */
  readonly ownRole: MemberRole | null;
  readonly hasPassword: boolean;
  /** Whether there is no trace of a sign-in; one by a proxy leaves none. */
  readonly isNew: boolean;
  /** Shown to owners of the installation. */
  readonly hasTotp: boolean;
}

/** `POST …/members` and `POST /web/users`. */
export interface NewMemberView {
  readonly id: string;
  /** Link at which a new member sets a password; null for one who was there already. */
  readonly link: string | null;
  /**
   * Address to which the link was sent by mail, and why it was not; absent if the name is no address, or the server sends no
   * mail.
   */
  readonly mailed?: { readonly to: string; readonly error: string | null };
}
