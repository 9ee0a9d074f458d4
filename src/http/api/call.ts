/**
 * One call of the management API as its endpoints get it: authenticated, routed, with its body read.
 */
import type { Project } from '../../domain/accounts/project.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { EngineChange, EngineRead } from '../../engine/contract/engine.ts';
import type { KeyId } from '../../lib/ids.ts';
import type { ApiVersion } from '../../spec/apply-spec.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import type { HttpReply } from '../wire/message.ts';
import type { CheckView } from './check-json.ts';
import type { EventListeners } from './events/listening.ts';
import type { OutputSearch } from './search/output-search.ts';

export interface ApiCall {
  readonly read: EngineRead;
  readonly change: EngineChange;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly project: Project;
  /** Whether the key is a read-only one. */
  readonly readOnly: boolean;
  /** Whether bodies of pings may be read: by read-write keys, and on the page by everybody who sees the project. */
  readonly readsBodies: boolean;
  /** Name of the user or of the key that calls, as it is shown. */
  readonly by: string;
  /** Parts of the path, by the names in the table of routes. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The Accept header, of the few endpoints that have more than one form; empty or absent for none. */
  readonly accept?: string | undefined;
  /** Body of a POST; empty for every other method. */
  readonly json: JsonObject;
  readonly nowMs: number;
  /** Called with an instant at which what is shown changes only because time passes; NEVER for none. Only asked of endpoints that are tagged. */
  changesAt(atMs: number): void;
  /** Set for calls over HTTP with a key: only they can listen. */
  readonly listening?: ListeningCall;
  /** The searches that run; of all projects. */
  readonly search: OutputSearch;
  /** The deliveries that are not over, of all projects. */
  deliveries(): Iterable<Delivery>;
}

export interface ListeningCall {
  /** Headers of `apiReads`; an absent one is empty. */
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the key that calls. */
  readonly keyId: KeyId;
  readonly hub: EventListeners;
}

export type Endpoint = (call: ApiCall) => HttpReply | Promise<HttpReply>;

/** Returns the part of the path with that name. The table of routes guarantees that it exists. */
export function pathPart(call: ApiCall, name: string): string {
  return call.path[name] ?? '';
}

/** Returns the last value of a parameter that is given several times, as Django does; null if it is absent. */
export function lastOf(query: URLSearchParams, name: string): string | null {
  return query.getAll(name).at(-1) ?? null;
}

export function viewOf({ baseUrl, version, readOnly, nowMs }: ApiCall): CheckView {
  return { baseUrl, version, readOnly, nowMs };
}
