/**
 * The context of an owner's command, and a request as it reaches one: the caller's arguments, what they name, who asks. Not here:
 * what commands are (`declaration`), what they take (`argument`), how a caller finds what a request names.
 * Invariant: input is checked by the command, never by a caller, so that every caller has the same limits.
 */

import type { AdminKey, Channel, ChannelKind, Project } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { MemberRole, User } from '../../domain/accounts/user.ts';
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { Check } from '../../domain/check/check.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { MatrixBot, MatrixChatSearch } from '../../domain/deliveries/matrix-chat.ts';
import type {
  BlockedHost,
  GivenUpEvent,
  PlaceInQueue,
  RecentNotification,
  ShownDelivery,
  TestResult,
} from '../../domain/deliveries/sent-notification.ts';
import type { TelegramBot, TelegramChatSearch } from '../../domain/deliveries/telegram-chat.ts';
import type { MailServerView } from '../../domain/views/page-view.ts';
import type { Engine, Progress } from '../../engine/contract/engine.ts';
import type { ConnectedKind } from '../../integrations/all.ts';
import type { Connected } from '../../integrations/contract/connection.ts';
import type { ListenAddress } from '../../lib/addresses.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ChannelId, KeyId } from '../../lib/ids.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { Tokens } from '../secrets/tokens.ts';
import type { AccountMailer } from './account-mails.ts';
import type { ReportMailer } from './report-mails.ts';
import type { Verification } from './verification.ts';

/** JSON as a caller received it. */
export type Args = Readonly<Record<string, unknown>>;

/** Outcomes of the newest notifications of each integration, oldest first. */
interface RecentAccess {
  /** Notifications that are kept for an integration. */
  readonly max: number;
  of(id: ChannelId): readonly RecentNotification[];
  /** Whether what was before the start is here too. */
  isFilled(id: ChannelId): boolean;
  fill(id: ChannelId, older: readonly RecentNotification[]): void;
}

/** The notifications that are not delivered yet, or never were. */
interface OutboxAccess {
  readonly recent: RecentAccess;
  /** Roughly oldest first. */
  all(): Iterable<Delivery>;
  /** All, and those that are over and of which no log says so yet: for those who read logs beside it. */
  withSettling(): Iterable<Delivery>;
  get(id: string): Delivery | null;
  /** The integration of a delivery, or of an event that was given up; null for what is neither. */
  channelOf(id: string): ChannelId | null;
  /** Events that an event subscription has given up, oldest first. */
  givenUp(id: ChannelId): readonly GivenUpEvent[];
  /** Oldest first. */
  list(): readonly ShownDelivery[];
  /** An id or `all`. Returns how many were retried: none that is untrue, or of a check of which something is being sent just now. */
  retry(id: string): number;
  /** Which of those of one check to one integration were given up and are not true any more: the outage is over. */
  outdated(deliveries: readonly Delivery[]): readonly Delivery[];
  /** Which of the true ones are not sent with the others, as one of them says the same later. */
  replaced(deliveries: readonly Delivery[]): readonly Delivery[];
  /**
   * Retries what was given up, or failed so far, of one check to one integration, in order. Returns how many, and how many are `over`:
   * not true any more, and not sent; `replaced`: not sent, since a newer alert of the same outage is; `snoozed`: not sent, since the
   * check is snoozed.
   */
  retryTrue(deliveries: readonly Delivery[]): {
    readonly count: number;
    readonly over: number;
    readonly replaced: number;
    readonly snoozed: number;
  };
  /** Whether something can be sent to the address: it is public, or allowed by now. */
  mayReach(address: string): boolean;
  stateOf(delivery: Delivery): PlaceInQueue;
  /** Why it would not be sent if it was retried now, such as `snoozed until …`; empty where it would. */
  keptBackBy(delivery: Delivery): string;
  /** An id or `all`. Returns how many were discarded: none that is being sent just now. */
  drop(id: string): number;
  /** The variables that integrations of `kind` need and that are not set on this server. */
  missingFor(kind: ChannelKind): readonly string[];
  /** Why nothing can be sent to an integration with this value; null when nothing is known against it. */
  refusalOf(kind: ChannelKind, value: string): Promise<BlockedHost | null>;
  /** Why the check is down or late by now, as an alert to the integration says it; empty for one that is neither. */
  reasonOf(check: Check, channel: Channel): string;
  /** Sends a test notification now; for a group, to each of its members. */
  test(channel: Channel): Promise<readonly TestResult[]>;
}

/** Finds the chat of Telegram in which somebody wants to be notified. Nothing rejects; a text is the reason why it cannot be looked for. */
interface TelegramChatFinder {
  begin(): Promise<TelegramBot | string>;
  find(code: string): Promise<TelegramChatSearch>;
}

/** Finds the chat of Matrix in which somebody wants to be notified. Likewise. */
interface MatrixChatFinder {
  begin(): Promise<MatrixBot | string>;
  find(code: string): Promise<MatrixChatSearch>;
}

/** Adds integrations on the vendor's own page. Nothing rejects; a text is the reason why there is none. */
interface Connector {
  /** The kinds for which this server has an app. */
  readonly kinds: readonly ConnectedKind[];
  pageOf(kind: ConnectedKind, asked: { readonly state: string; readonly redirectUri: string }): string;
  /** `id`: the same for each exchange that is for the same integration. */
  exchange(
    kind: ConnectedKind,
    asked: { readonly code: string; readonly redirectUri: string; readonly id: string },
  ): Promise<Connected | string>;
}

export const apiMethods = ['GET', 'POST', 'DELETE'] as const;

/** One request of the management API, in the name of `engine.change`. */
export interface ApiRequestOfCommand {
  readonly engine: Pick<Engine, 'read' | 'change'>;
  readonly project: Project;
  readonly json: JsonObject;
  readonly nowMs: number;
}

/** The status, and the JSON as text. */
export interface ApiResult {
  readonly status: number;
  readonly body: string;
}

export type ApiEndpoint = (request: ApiRequestOfCommand) => Promise<ApiResult>;

/** The management API, without a key. */
export interface Api {
  /** `path`: below `/api/v3/`, with its query. Null where the API has nothing. */
  find(method: (typeof apiMethods)[number], path: string): ApiEndpoint | null;
}

/** Where Knell listens, as it was set; null for a listener that it has not. */
export interface Listens {
  readonly http: ListenAddress;
  readonly httpCompat: ListenAddress | null;
  readonly smtp: ListenAddress | null;
}

/** The parts of Knell that commands act on. */
export interface CommandContext {
  readonly engine: Engine;
  readonly outbox: OutboxAccess;
  readonly tokens: Tokens;
  /** One for all: it lets one scrypt run at a time. */
  readonly passwords: Passwords;
  readonly verification: Verification;
  readonly reports: ReportMailer;
  readonly accounts: AccountMailer;
  readonly telegramChats: TelegramChatFinder;
  readonly matrixChats: MatrixChatFinder;
  readonly connections: Connector;
  /** Known once the HTTP listener is open. */
  readonly baseUrl: () => string;
  readonly listens: Listens;
  /** The mail server that is set, by environment or page; null for none. */
  readonly mailServer: () => MailServerView | null;
  readonly api: Api;
  readonly echoes: {
    /** The path under which one request is answered with what it looks like from here. */
    open(nowMs: number): string;
  };
  /** The file of a snapshot whose name was not given: in the data directory. */
  newSnapshotFile(): string;
}

export interface TargetKinds {
  readonly project: Project;
  readonly channel: Channel;
  readonly key: KeyId;
  /** The id of a delivery, or `all` where the caller allows it. */
  readonly delivery: string;
  readonly adminKey: AdminKey;
  readonly statusPage: StatusPage;
  readonly maintenance: MaintenanceWindow;
  readonly user: User;
}

/**
 * Finds the things that the request names, in the way of its caller: by name or id, everywhere or within one project. Each throws
 * a KnellError `not-found`, or `conflict` for a name that several have.
 */
export type Targets = { readonly [Kind in keyof TargetKinds]: (named: string) => TargetKinds[Kind] };

export interface CommandRequest {
  readonly context: CommandContext;
  readonly args: Args;
  readonly targets: Targets;
  /** Role of the user who runs it, in the project that it is about. The admin socket is open only to owners. */
  readonly role: MemberRole;
  /** Whether it may run commands or write files on the server, and what would let it do so by a detour. */
  readonly shell: boolean;
  readonly nowMs: number;
  readonly progress: Progress;
}

/** One field of a form is not valid. */
export class InvalidField extends KnellError {
  constructor(field: string, message: string) {
    super('usage', message, { field });
  }
}

export function textIn(args: Args, name: string): string {
  const value = args[name];
  if (value === undefined) throw new KnellError('usage', `${name} is missing`);
  if (typeof value !== 'string') throw new InvalidField(name, `${name} must be text`);
  return value.trim();
}

export function flagIn(args: Args, name: string): boolean {
  const value = args[name];
  if (typeof value !== 'boolean') throw new KnellError('usage', `${name} must be true or false`);
  return value;
}

export function choiceIn<T extends string>(args: Args, name: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === args[name]);
  if (found === undefined) throw new KnellError('usage', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}
