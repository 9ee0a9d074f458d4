/**
 * One call of the management API as its endpoints see it: admitted, routed, its body read.
 */
import type { Project } from '../../domain/accounts/project.ts';
import type { EngineChange, EngineRead } from '../../engine/contract/engine.ts';
import type { ApiVersion } from '../../spec/apply-spec.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import type { HttpReply } from '../wire/message.ts';
import type { CheckView } from './check-json.ts';

export interface ApiCall {
  readonly read: EngineRead;
  readonly change: EngineChange;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly project: Project;
  /** The key is a read-only one. */
  readonly readOnly: boolean;
  /** Who calls, as it is shown: the name of a user or of a key. */
  readonly by: string;
  /** What the path names, by the names in the table of routes. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of a POST; empty for every other method. */
  readonly json: JsonObject;
  readonly nowMs: number;
}

export type Endpoint = (call: ApiCall) => HttpReply | Promise<HttpReply>;

/** The path's part of that name; the table of routes knows which there are. */
export function pathPart(call: ApiCall, name: string): string {
  return call.path[name] ?? '';
}

/** The last value of a parameter that comes several times, as in Django; null when it does not come. */
export function lastOf(query: URLSearchParams, name: string): string | null {
  return query.getAll(name).at(-1) ?? null;
}

export function viewOf({ baseUrl, version, readOnly, nowMs }: ApiCall): CheckView {
  return { baseUrl, version, readOnly, nowMs };
}
