/**
 * How the addresses of other services name a check: by its UUID, with dashes or without, or by a ping key and a slug.
 */
import { createHash } from 'node:crypto';
import type { Result } from '../../../domain/results/result.ts';
import type { PingTarget } from '../../../engine/contract/engine.ts';
import { asRunId, parseRunId, type RunId } from '../../../lib/ids.ts';
import { uuidWordsOf } from '../../../lib/uuid-words.ts';
import { lastOf, word } from '../address-words.ts';
import { givenResults } from '../given-results.ts';
import { newCheckOf } from '../new-check.ts';
import { type CompatRequest, notFoundHere, type Refusal } from './compat-endpoint.ts';

export interface Named {
  readonly target: PingTarget;
  readonly settingsError?: string | undefined;
}

const hex = /^[0-9a-f]{32}$/;

/** The parts of a path behind `prefix`, each decoded once; none of one that cannot be decoded. */
export function partsBehind(prefix: string, path: string): readonly string[] {
  try {
    return path.slice(prefix.length).replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** With dashes and in lower case; null for what is no UUID. */
export function uuidIn(text: string): string | null {
  const lower = text.toLowerCase();
  if (hex.test(lower)) return lower.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return uuidWordsOf(lower) === null ? null : lower;
}

/** The token behind `prefix`: a UUID, or a ping key and a slug. `rest` is what follows it. */
export function tokenBehind(
  prefix: string,
  { request, query }: CompatRequest,
): (Named & { readonly rest: readonly string[] }) | Refusal {
  const parts = partsBehind(prefix, request.path);
  const [first = '', second, ...others] = parts;
  const uuid = uuidWordsOf(uuidIn(first) ?? '');
  if (uuid !== null) return { target: { by: 'uuid', uuid }, rest: parts.slice(1) };
  if (second === undefined) return notFoundHere;
  const named = bySlug(first, second, query);
  return 'status' in named ? named : { ...named, rest: others };
}

type Creation = ReturnType<typeof newCheckOf>;

/** With `create=1` a check that does not exist is created, with the settings that the query gives; undefined: it is not. */
function creationIn(query: URLSearchParams): Creation | undefined {
  return lastOf(query, 'create') === '1' ? newCheckOf(query) : undefined;
}

/** `creation`: of a check that does not exist; by default what the query says. */
export function bySlug(
  pingKey: string,
  slug: string,
  query: URLSearchParams,
  creation: Creation | undefined = creationIn(query),
): Named | Refusal {
  if (!word.test(pingKey) || !word.test(slug)) return notFoundHere;
  if (slug !== slug.toLowerCase()) return { status: 400, words: 'a slug is in lower case' };
  const target = { by: 'slug' as const, pingKey, slug };
  if (creation === undefined) return { target: { ...target, create: false, settings: null } };
  return creation !== null && 'error' in creation
    ? { target: { ...target, create: true, settings: 'bad' }, settingsError: creation.error }
    : { target: { ...target, create: true, settings: creation } };
}

/** A UUID as it is, and of any other text one that follows from it: other services take any. Null for an empty text. */
export function runIdOf(text: string): RunId | null {
  if (text === '') return null;
  const given = parseRunId(uuidIn(text) ?? '');
  return given ?? asRunId(uuidIn(createHash('sha256').update(text).digest('hex').slice(0, 32)) ?? '');
}

/** Of texts such as `files:142`; what is none is left out. */
export function resultsIn(texts: readonly string[]): readonly Result[] {
  return givenResults(new URLSearchParams(texts.map((text): [string, string] => ['m', text])));
}

/** An exit status, of 0 to 255; null for what is none. */
export function exitStatusIn(text: string): number | null {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : null;
}
