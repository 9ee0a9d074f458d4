/**
 * Lists checks and shows one.
 * Invariant: a list is rendered and encoded slice by slice, and is never in memory as one piece.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Check, tagsOf } from '../../domain/check/check.ts';
import { nextDeadline } from '../../domain/check/deadline.ts';
import type { CheckListAnswer } from '../../domain/views/api-answers.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { pagedChecksPerTurn, rowsPerPart } from '../limits.ts';
import { errorReply, renderedReply } from '../wire/json-reply.ts';
import type { HttpReply, InParts } from '../wire/message.ts';
import { type ApiCall, lastOf, viewOf } from './call.ts';
import { checkRenderer } from './check-json.ts';
import { showCheck } from './check-lookup.ts';
import { rowRenderer } from './check-row.ts';
import { cutPage, type Page, parsePage } from './list-cursor.ts';

/** Filters: one `slug`, and any number of `tag`, all of which a check must have. By pages, or all of them. */
export async function listChecks(call: ApiCall): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const parsed = parsePage(call.query);
  if (!parsed.ok) return errorReply(400, parsed.error);
  if (parsed.page !== null) return listPage(call, parsed.page);
  const wanted = filterOf(call.query);
  const bytesOf = rowRenderer(viewOf(call));
  const slices = await visitChecks(read, project.id, nowMs, (checks) => {
    for (const { state } of checks) call.changesAt(nextDeadline(state));
    return partsOf(checks.filter(wanted).map(bytesOf));
  });
  return renderedReply(listOf(slices.flat()));
}

/** The instants of creation are unique within a project, so that one of them is a place that stays. */
async function listPage(call: ApiCall, page: Page): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const wanted = filterOf(call.query);
  const after = page.after ?? Number.NEGATIVE_INFINITY;
  const slices = await visitChecks(read, project.id, nowMs, (checks) =>
    checks
      .filter((check) => check.createdAtMs > after && wanted(check))
      .map(({ id, createdAtMs, state }) => ({ id, createdAtMs, dueMs: nextDeadline(state) })),
  );
  const { shown, next } = cutPage(slices.flat(), page, ({ createdAtMs }) => createdAtMs);
  for (const { dueMs } of slices.flat()) call.changesAt(dueMs);
  const rows: string[] = [];
  for (let from = 0; from < shown.length; from += pagedChecksPerTurn) {
    const part = shown.slice(from, from + pagedChecksPerTurn);
    const render = checkRenderer(viewOf(call));
    rows.push(
      ...(await read.durably(() =>
        part.flatMap(({ id }) => {
          const check = read.check(id, nowMs);
          return check?.projectId === project.id ? [render(check)] : [];
        }),
      )),
    );
    await nextTurn();
  }
  return renderedReply(`{"checks":[${rows.join(',')}],"next":${JSON.stringify(next)}}`);
}

export function getCheck(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    call.changesAt(nextDeadline(check.state));
    return renderedReply(checkRenderer(viewOf(call))(check));
  });
}

/** An empty slug filters nothing. An empty tag excludes every check, since none has it. */
function filterOf(query: URLSearchParams): (check: Check) => boolean {
  const slug = lastOf(query, 'slug') ?? '';
  const tags = [...new Set(query.getAll('tag'))];
  return ({ config }) => {
    if (slug !== '' && config.slug !== slug) return false;
    if (tags.length === 0) return true;
    const present = tagsOf(config);
    return tags.every((tag) => present.includes(tag));
  };
}

function partsOf(rows: readonly Uint8Array[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < rows.length; start += rowsPerPart) {
    parts.push(Buffer.concat(rows.slice(start, start + rowsPerPart)));
  }
  return parts;
}

const noChecks = JSON.stringify({ checks: [] } satisfies CheckListAnswer);
const [head, tail] = [noChecks.slice(0, -3), noChecks.slice(-3)];
const openBracket = '['.charCodeAt(0);

/** The comma before the first row becomes the bracket that opens the list. */
function listOf(rows: readonly Uint8Array[]): InParts {
  const [first] = rows;
  if (first) first[0] = openBracket;
  const parts = [Buffer.from(head), ...rows, Buffer.from(first ? tail.slice(1) : tail)];
  return { parts, length: parts.reduce((sum, { length }) => sum + length, 0) };
}
