/**
 * The audit log, page by page, and the forms in which programs get it.
 * Not here: who may read it (`owner-commands/audit`, `web/audit`).
 * Invariant: it is read in slices with a turn of the event loop between them, so that a long search holds up no ping.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AuditChange,
  type AuditEntry,
  type AuditFilter,
  type AuditPlace,
  isWanted,
  shownOf,
} from '../../domain/accounts/audit.ts';
import { auditKeptMs } from '../../domain/limits.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { csvRow } from '../../lib/csv.ts';
import { KnellError } from '../../lib/errors.ts';
import { asAuditId } from '../../lib/ids.ts';
import { entriesPerSlice, lookedAtMax } from '../secrets/limits.ts';

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

export interface AuditQuery {
  readonly filter: AuditFilter;
  /** Cursor of this page; empty for the newest entry. */
  readonly before: string;
  readonly limit: number;
  readonly nowMs: number;
}

type AuditReads = Pick<EngineRead, 'audit'>;

export async function auditPage(read: AuditReads, query: AuditQuery): Promise<AuditPage> {
  const entries: AuditEntry[] = [];
  let place = placeIn(query.before);
  let left = lookedAtMax;
  for await (const slice of slices(read, place, query)) {
    for (const entry of slice) {
      place = { atMs: entry.atMs, id: entry.id };
      if (!isWanted(query.filter, entry)) continue;
      entries.push(entry);
      if (entries.length === query.limit) return { entries, next: textOf(place) };
    }
    left -= slice.length;
    if (left <= 0 && place) return { entries, next: textOf(place) };
  }
  return { entries, next: null };
}

/** All that is wanted, some hundred at a time. */
export async function* auditSlices(
  read: AuditReads,
  query: Pick<AuditQuery, 'filter' | 'nowMs'>,
): AsyncGenerator<readonly AuditEntry[]> {
  for await (const slice of slices(read, null, query)) {
    yield slice.filter((entry) => isWanted(query.filter, entry));
  }
}

/** Down to the oldest that is kept, and that the filter may want. */
async function* slices(
  read: AuditReads,
  from: AuditPlace | null,
  { filter, nowMs }: Pick<AuditQuery, 'filter' | 'nowMs'>,
): AsyncGenerator<readonly AuditEntry[]> {
  const fromMs = Math.max(filter.fromMs, nowMs - auditKeptMs);
  let place = earlier(from, filter.untilMs);
  for (;;) {
    const slice = read.audit(place, entriesPerSlice);
    const kept = slice.filter(({ atMs }) => atMs >= fromMs);
    if (kept.length > 0) yield kept;
    if (kept.length < entriesPerSlice) return;
    place = slice.at(-1) ?? null;
    await nextTurn();
  }
}

/** Where to begin: what is newer than the filter wants is skipped, not read. */
function earlier(from: AuditPlace | null, untilMs: number | null): AuditPlace | null {
  if (untilMs === null || (from !== null && from.atMs < untilMs)) return from;
  return { atMs: untilMs, id: lowestId };
}

/** No entry has it: of those of one instant it is before all. */
const lowestId = asAuditId('00000000-0000-0000-0000-000000000000');

function textOf({ atMs, id }: AuditPlace): string {
  return `${atMs}_${id}`;
}

function placeIn(text: string): AuditPlace | null {
  if (text === '') return null;
  const [, atMs, id] = /^(\d{1,16}(?:\.\d{1,9})?)_([0-9a-f-]{36})$/.exec(text) ?? [];
  if (atMs === undefined || id === undefined)
    throw new KnellError('usage', 'before names no place in the audit log');
  return { atMs: Number(atMs), id: asAuditId(id) };
}

/** An entry as programs read it. */
export function exportedEntry(entry: AuditEntry) {
  const { id, atMs, actor, subject, subjectId, name, projectId, projectName } = entry;
  const { fields, changes = [] } = entry;
  const { action, detail } = shownOf(entry);
  return {
    id,
    at: new Date(atMs).toISOString(),
    actor: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    address: actor.address,
    action,
    subject,
    subject_id: subjectId,
    name,
    project_id: projectId,
    project: projectName,
    fields,
    detail,
    changes: changes.map(({ field, before, after }) => ({ field, before, after })),
  };
}

export type ExportedEntry = ReturnType<typeof exportedEntry>;

const columns: readonly (keyof ExportedEntry)[] = [
  'at',
  'actor',
  'actor_name',
  'address',
  'action',
  'subject',
  'name',
  'project',
  'fields',
  'detail',
  'actor_id',
  'subject_id',
  'project_id',
  'id',
  'changes',
];

export const csvHead = csvRow(columns);

/** RFC 4180. */
export function csvLine(entry: AuditEntry): string {
  const exported = exportedEntry(entry);
  const texts = { ...exported, changes: exported.changes.map(changeWords).join('; ') };
  return csvRow(columns.map((column) => String(texts[column])));
}

/** `grace: 3600 → 600`: values as they are, for programs. */
function changeWords({ field, before, after }: AuditChange): string {
  return `${field}: ${before} → ${after}`;
}
