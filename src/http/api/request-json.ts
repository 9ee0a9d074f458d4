/**
 * Reads the JSON object in a request's body. `check-spec` decides which fields it may have.
 * Invariant: every number in it that the sender wrote as a float is still no integer.
 */
import type { JsonObject } from '../../spec/field-reader.ts';
import { jsonDepthMax } from '../limits.ts';
import { errorReply } from '../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';

type RequestJson =
  | { readonly ok: true; readonly json: JsonObject }
  | { readonly ok: false; readonly reply: HttpReply };

/** An empty body is read as an empty object: pause and resume need none. */
export function requestJson(request: HttpRequest): RequestJson {
  if (request.bodyCut) {
    return {
      ok: false,
      reply: errorReply(413, `request body is too large, keep it under ${request.body.length} bytes`),
    };
  }
  if (request.body.length === 0) return { ok: true, json: {} };
  const json = parse(request.body);
  if (json === undefined) return { ok: false, reply: errorReply(400, 'could not parse request body') };
  if (!isObject(json)) {
    return { ok: false, reply: errorReply(400, 'json validation error: value is not an object') };
  }
  return { ok: true, json };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns undefined if the body is not JSON in UTF-8. */
function parse(body: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const json: unknown = JSON.parse(text);
    if (isTooDeep(text)) return undefined;
    return /\d[.eE]/.test(text) ? JSON.parse(withMarkedFloats(text)) : json;
  } catch {
    return undefined;
  }
}

const stringOrBracket = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;

/** The text must have parsed: only then is the end of every quote certain, and the search linear. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(stringOrBracket)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth > jsonDepthMax) return true;
  }
  return false;
}

const stringOrFloat = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/g;

/**
 * Marks floats such as `60.0` and `6e1`, which are refused as Healthchecks refuses them; JSON.parse would make the integer 60
 * of both. No field takes a float, so any float may replace any other. The text must be valid JSON.
 */
function withMarkedFloats(text: string): string {
  return text.replace(stringOrFloat, (token) => (token.startsWith('"') ? token : '0.5'));
}
