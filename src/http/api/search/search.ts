/**
 * Searches a project: its checks, by name, slug, tags and description, and what their jobs printed. An addition of Knell.
 * Not here: how outputs are gone through (`output-search`).
 * Invariant: what is found is of a check that is in the project when it is answered, and everything shown is durable. Outputs are
 * for those who may read a ping's body.
 */
import { type ListedCheck, listedOf, searchedText } from '../../../domain/check/listed-check.ts';
import { descCharsSearchedMax } from '../../../domain/limits.ts';
import type { FoundOutputAnswer, SearchAnswer } from '../../../domain/views/search-view.ts';
import { foldCase, hasWords } from '../../../domain/words/search-words.ts';
import { visitListed } from '../../../engine/reads/check-slices.ts';
import { type CheckId, isUuid, uniqueKeyOf } from '../../../lib/ids.ts';
import { outputSearchLimits } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ApiCall } from '../call.ts';
import { readCheck } from '../check-lookup.ts';
import { isoMicroseconds } from '../iso-time.ts';
import type { FoundOutputs, OutputHit } from './output-search.ts';
import { parseSearchQuery, type SearchedPart, type SearchQuery, textOfCursor } from './search-query.ts';

const { checksMax, atOncePerProject, waitingPerProject } = outputSearchLimits;

export async function search(call: ApiCall): Promise<HttpReply> {
  const parsed = parseSearchQuery(call.query);
  if (!parsed.ok) return errorReply(400, parsed.error);
  const { query } = parsed;
  const parts: ReadonlySet<SearchedPart> =
    query.parts ?? new Set(call.readsBodies ? (['checks', 'outputs'] as const) : (['checks'] as const));
  // As for a body: the endpoint is closed to this key.
  if (parts.has('outputs') && !call.readsBodies) return errorReply(401, 'wrong api key');
  const only = query.check === null ? null : await readCheck(callOf(call, query.check), listedOf);
  if (only && 'refusal' in only) return only.refusal;
  const listed = once(() => listedChecks(call, query, only?.read ?? null));
  const checks = parts.has('checks') && query.after === null ? checksJson(call, await listed()) : {};
  if (!parts.has('outputs')) return jsonReply({ ...checks, next: null } satisfies SearchAnswer);
  const found = await call.search.find(call.read, {
    ...query,
    project: call.project.id,
    scope: `${call.project.id} ${query.check}`,
    ids: async () => (await listed()).ids,
  });
  if (found === null) return tooMany;
  return jsonReply({ ...checks, ...(await outputsJson(call, query, found)) } satisfies SearchAnswer);
}

const tooMany = errorReply(
  429,
  `${atOncePerProject} searches of this project run and ${waitingPerProject} wait: let one end, then try again`,
  [['Retry-After', '2']],
);

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** The same call as if its path named that check. */
function callOf(call: ApiCall, check: string): ApiCall {
  return { ...call, path: isUuid(check) ? { uuid: check } : { unique_key: check } };
}

interface ListedChecks {
  /** Those that may have outputs. */
  readonly ids: readonly CheckId[];
  /** The first that match, those with all words in the name before the others, the oldest first. */
  readonly best: readonly ListedCheck[];
  readonly total: number;
}

async function listedChecks(
  { read, project, nowMs, readOnly }: ApiCall,
  { words }: SearchQuery,
  only: ListedCheck | null,
): Promise<ListedChecks> {
  const visit = (checks: readonly ListedCheck[]): ListedChecks => {
    const matches = checks.filter((one) => hasWords(searchedText(one), words, readOnly ? '' : one.id));
    return {
      ids: checks.filter(({ state }) => state.nPings > 0).map(({ id }) => id),
      best: named(matches, words).slice(0, checksMax),
      total: matches.length,
    };
  };
  const slices = only ? [visit([only])] : await visitListed(read, project.id, nowMs, visit);
  return {
    ids: slices.flatMap(({ ids }) => ids),
    best: named(
      slices.flatMap(({ best }) => best),
      words,
    ).slice(0, checksMax),
    total: slices.reduce((sum, { total }) => sum + total, 0),
  };
}

function named(checks: readonly ListedCheck[], words: readonly string[]): readonly ListedCheck[] {
  const isNamed = (check: ListedCheck): boolean => hasWords(foldCase(check.name), words);
  return [...checks.filter(isNamed), ...checks.filter((check) => !isNamed(check))];
}

function identity(
  { readOnly }: ApiCall,
  id: CheckId,
): { readonly uuid: string } | { readonly unique_key: string } {
  return readOnly ? { unique_key: uniqueKeyOf(id) } : { uuid: id };
}

function checksJson(call: ApiCall, { best, total }: ListedChecks): Pick<SearchAnswer, 'checks' | 'n_checks'> {
  return {
    checks: best.map(({ id, name, slug, tags, desc }) => ({
      ...identity(call, id),
      ...{ name, slug, tags, desc: desc.slice(0, descCharsSearchedMax) },
    })),
    n_checks: total,
  };
}

/** A check that was deleted or moved while it was searched is not among them any more. */
async function outputsJson(
  call: ApiCall,
  { sinceMs, untilMs, after }: SearchQuery,
  { hits, pings, bytes, next }: FoundOutputs,
): Promise<Pick<SearchAnswer, 'outputs' | 'searched' | 'next'>> {
  const outputs = await call.read.durably(() => hits.flatMap((hit) => outputJson(call, hit)));
  const toMs = after?.place?.atMs ?? Math.min(untilMs, call.nowMs);
  const fromMs = next === null ? sinceMs : (next.place?.atMs ?? toMs);
  return {
    outputs,
    searched: {
      ...{ pings, bytes },
      from: fromMs === 0 ? null : isoMicroseconds(fromMs),
      to: isoMicroseconds(toMs),
      complete: next === null,
    },
    next: next && textOfCursor(next),
  };
}

function outputJson(call: ApiCall, { id, output, hit }: OutputHit): FoundOutputAnswer[] {
  const { read, project, readOnly, baseUrl, version, nowMs } = call;
  const check = read.check(id, nowMs);
  if (check?.projectId !== project.id) return [];
  const { n, atMs, signal, scheme } = output;
  return [
    {
      ...identity(call, id),
      name: check.config.name || check.config.slug,
      ...{ n, date: isoMicroseconds(atMs), type: signal, scheme },
      ...{ line: hit.line, excerpt: hit.excerpt, marks: hit.marks },
      ...(readOnly ? {} : { body_url: `${baseUrl}/api/v${version}/checks/${id}/pings/${n}/body` }),
    },
  ];
}
