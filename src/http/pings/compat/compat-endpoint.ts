/**
 * What serves the ping addresses of one other service.
 * Invariant: an endpoint is pure. What it cannot read is a refusal in words, and no ping.
 */
import type { Action } from '../../../domain/check/classify.ts';
import type { Result } from '../../../domain/results/result.ts';
import type { PingOutcome, PingTarget } from '../../../engine/contract/engine.ts';
import type { RunId } from '../../../lib/ids.ts';
import type { CheckSpec } from '../../../spec/check-spec.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { neverCached, pingText } from '../../wire/replies.ts';

/** What one request asks for: mostly one ping. What is left out is not there. */
export interface AskedPing {
  readonly target: PingTarget;
  /** What is wrong with the settings of a check that the ping would create. */
  readonly settingsError?: string | undefined;
  /** What a check that exists is given, where the endpoint upserts. */
  readonly given?: CheckSpec | null;
  readonly action: Action;
  readonly exitStatus?: number | null;
  readonly rid?: RunId | null;
  readonly host?: string;
  readonly results?: readonly Result[];
  /** Kept with the ping instead of the body of the request, if that is empty. */
  readonly message?: string;
  /** Kept in any case. */
  readonly body?: Uint8Array;
}

export interface Refusal {
  readonly status: number;
  readonly words: string;
}

export type Asked = { readonly pings: readonly AskedPing[] } | Refusal;

export interface CompatRequest {
  readonly request: HttpRequest;
  readonly query: URLSearchParams;
}

export interface CompatEndpoint {
  /** Whether the path, percent-encoded as it was sent, is of this service. */
  owns(path: string): boolean;
  /** Headers that it reads, in lower case; none if left out. */
  readonly reads?: readonly string[];
  /** Whether it reads the body. One that is only kept may lose its middle if it is too long. */
  readonly readsBody?: true;
  /** Whether pings change the checks that they name. */
  readonly upserts?: true;
  read(asked: CompatRequest): Asked;
  /** The answer once everything is recorded. */
  done(asked: readonly AskedPing[], outcome: PingOutcome): HttpReply;
  /** The answer to what is not. */
  refuse(refusal: Refusal): HttpReply;
}

/** For callers that read no more than the status: a text. */
export const inWords: Pick<CompatEndpoint, 'done' | 'refuse'> = {
  done: () => pingText(200, 'OK'),
  refuse: ({ status, words }) => pingText(status, words),
};

/** For a caller that reads JSON. Any page may read it, and no cache may keep it, as with every answer to a ping. */
export function compatJson(value: unknown, status = 200): HttpReply {
  return jsonReply(value, status, [
    ['Access-Control-Allow-Origin', '*'],
    ['Cache-Control', neverCached],
  ]);
}

export const notFoundHere: Refusal = { status: 404, words: 'not found' };
