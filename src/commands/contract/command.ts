/**
 * The contract of an owner's command: who may run it, what input it takes, what it does. The commands are in `table`; the
 * callers through which they are run are the admin socket (`../admin-routes`) and the page (`../web/owner-endpoints`).
 * Not here: how a caller finds what a request names (`Targets`), what it replies.
 * Invariant: input is checked by the command, never by a caller, so that every caller has the same limits.
 */

import type { AdminKey, Channel, ChannelKind, Project } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { MemberRole, Role, User } from '../../domain/accounts/user.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type {
  RecentNotification,
  ShownDelivery,
  TestResult,
} from '../../domain/deliveries/sent-notification.ts';
import type { Engine, Progress } from '../../engine/contract/engine.ts';
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

/** How the newest notifications of each integration went, oldest first. */
interface RecentAccess {
  /** Of an integration. */
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
  get(id: string): Delivery | null;
  /** Oldest first. */
  list(): readonly ShownDelivery[];
  /** An id or `all`. Returns how many were retried: none that is being sent just now. */
  retry(id: string): number;
  /** Likewise. */
  drop(id: string): number;
  /** The variables that integrations of `kind` need and that are not set on this server. */
  missingFor(kind: ChannelKind): readonly string[];
  /** Why nothing can be sent to an integration with this value; null when nothing is known against it. */
  refusalOf(kind: ChannelKind, value: string): Promise<string | null>;
  /** Sends a test notification now; for a group, to each of its members. */
  test(channel: Channel): Promise<readonly TestResult[]>;
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

/** What commands act on. */
export interface CommandContext {
  readonly engine: Engine;
  readonly outbox: OutboxAccess;
  readonly tokens: Tokens;
  /** One for all: it lets one scrypt run at a time. */
  readonly passwords: Passwords;
  readonly verification: Verification;
  readonly reports: ReportMailer;
  readonly accounts: AccountMailer;
  /** Known once the HTTP listener is open. */
  readonly baseUrl: () => string;
  readonly api: Api;
  readonly echoes: {
    /** The path under which one request is answered with what it looks like from here. */
    open(nowMs: number): string;
  };
  /** The file of a snapshot whose name was not given: in the data directory. */
  newSnapshotFile(): string;
}

/**
 * What the request names, looked up in the way of its caller: by name or id, everywhere or within one project. Each throws a
 * KnellError `not-found`, or `conflict` for a name that several have.
 */
export interface Targets {
  project(): Project;
  channel(): Channel;
  key(): KeyId;
  /** The id of a delivery, or `all` where the caller allows it. */
  delivery(): string;
  adminKey(): AdminKey;
  statusPage(): StatusPage;
  /** Null: there is no user yet. */
  user(): User | null;
}

export interface CommandRequest {
  readonly context: CommandContext;
  readonly args: Args;
  readonly targets: Targets;
  /** Of the user who runs it, in the project that it is about. The admin socket is open only to owners. */
  readonly role: MemberRole;
  /** Whether it may run commands or write files on the server, and what would let it do so by a detour. */
  readonly shell: boolean;
  readonly nowMs: number;
  readonly progress: Progress;
}

/** One declaration: the admin socket, `/api/admin/`, the command line and the page run what it says. */
export interface OwnerCommand<Input, Outcome, Shown = Outcome> {
  /** What only reads may be asked for by GET and is in no log of changes. */
  readonly effect: 'reads' | 'changes';
  /** The least role that may run it. The caller enforces it. */
  readonly role: Role;
  /** Throws a KnellError `usage` when the input is not valid. */
  readonly input: (request: CommandRequest) => Input;
  /** Rejects with a KnellError (`not-found`, `conflict`, `store-full`, …). */
  readonly run: (input: Input, request: CommandRequest) => Outcome | Promise<Outcome>;
  /** The outcome as plain JSON, for programs and `knell`. No value of an integration: values hold secrets. */
  readonly shown: (outcome: Outcome, context: CommandContext) => Shown;
}

/** Of a command whose outcome is plain JSON. */
export function asIs<Outcome>(outcome: Outcome): Outcome {
  return outcome;
}

/** A command for a caller that shows the outcome in its own way. */
export type RunnableCommand<Input, Outcome> = Omit<OwnerCommand<Input, Outcome>, 'shown'>;

export async function runCommand<Input, Outcome>(
  { input, run }: RunnableCommand<Input, Outcome>,
  request: CommandRequest,
): Promise<Outcome> {
  return run(input(request), request);
}

/** One field of a form is not valid. */
export class InvalidField extends KnellError {
  readonly field: string;

  constructor(field: string, message: string) {
    super('usage', message);
    this.field = field;
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
