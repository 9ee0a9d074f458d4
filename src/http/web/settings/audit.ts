/** Shows the audit log on the page, and exports it. For owners. */

import {
  auditPage,
  auditSlices,
  csvHead,
  csvLine,
  exportedEntry,
} from '../../../commands/owner/audit-pages.ts';
import { type AuditEntry, type AuditFilter, shownOf } from '../../../domain/accounts/audit.ts';
import type { AuditEntryView, AuditPlaceView, AuditView } from '../../../domain/views/account-view.ts';
import { searchWords } from '../../../domain/words/search-words.ts';
import { asProjectId } from '../../../lib/ids.ts';
import { instantWords, momentIn } from '../../../spec/instant.ts';
import { auditEntriesPerPage, searchCharsMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import type { UserCall } from '../calls/call.ts';
import { namedIn, placesOf } from './audit-names.ts';

export async function showAudit({ context, request, nowMs }: UserCall): Promise<HttpReply> {
  const { read } = context.engine;
  const before = new URLSearchParams(request.query).get('before') ?? '';
  const filter = filterIn(request);
  if (typeof filter === 'string') return errorReply(400, filter);
  const query = { filter, before, limit: auditEntriesPerPage, nowMs };
  const { entries, next } = await auditPage(read, query);
  const members = before === '' ? read.users().map(({ id, name }) => ({ id, name })) : [];
  const found = await read.durably(() => {
    const places = placesOf(read, entries);
    return {
      entries: entries.map((entry) =>
        viewOf(entry, places.get(entry) ?? null, read.project(asProjectId(entry.projectId))?.name),
      ),
      named: namedIn(read, entries, nowMs),
    };
  });
  return jsonReply({ ...found, next, members } satisfies AuditView);
}

/** An error in words if a time is none. */
function filterIn({ query }: HttpRequest): AuditFilter | string {
  const asked = new URLSearchParams(query);
  const given = (name: string): string => asked.get(name) ?? '';
  const moment = (name: string): number | null => (given(name) === '' ? null : momentIn(given(name)));
  const [sinceMs, untilMs] = [moment('since'), moment('until')];
  if (given('since') !== '' && sinceMs === null) return `since must be ${instantWords}`;
  if (given('until') !== '' && untilMs === null) return `until must be ${instantWords}`;
  if (sinceMs !== null && untilMs !== null && sinceMs >= untilMs) return 'since must be before until';
  const [actor, project, subject] = [given('actor'), given('project'), given('subject')];
  const words = searchWords(given('q'), searchCharsMax);
  return { actor, project, subject, fromMs: sinceMs ?? 0, untilMs, words };
}

/** A project that has another name by now is called by that: entries of one project are found by one name. */
function viewOf(
  entry: AuditEntry,
  place: AuditPlaceView | null,
  projectName = entry.projectName,
): AuditEntryView {
  const { id, atMs, actor, subject, name, fields, changes = [] } = entry;
  const { action, detail } = shownOf(entry);
  const { kind, id: actorId, name: actorName, address } = actor;
  return {
    ...{ id, atMs, address, action, subject, name, place, projectName, fields, changes, detail },
    actor: { kind, id: actorId, name: actorName },
  };
}

interface Form {
  readonly type: string;
  readonly head: string;
  readonly line: (entry: AuditEntry) => string;
}

const forms: Readonly<Record<string, Form>> = {
  jsonl: {
    type: 'application/jsonl',
    head: '',
    line: (entry) => `${JSON.stringify(exportedEntry(entry))}\n`,
  },
  csv: { type: 'text/csv; charset=utf-8', head: csvHead, line: csvLine },
};

/** Exports all entries that the filter selects, the newest first: at most some 100 MB, joined in parts. */
export async function exportAudit({ context, request, path, nowMs }: UserCall): Promise<HttpReply> {
  const name = path.form ?? '';
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (!form) return notFound;
  const filter = filterIn(request);
  if (typeof filter === 'string') return errorReply(400, filter);
  const parts: Buffer[] = [Buffer.from(form.head)];
  for await (const slice of auditSlices(context.engine.read, { filter, nowMs }))
    parts.push(Buffer.from(slice.map(form.line).join('')));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return {
    status: 200,
    headers: [
      ['Content-Type', form.type],
      ['Content-Disposition', `attachment; filename="knell-audit-${day}.${name}"`],
    ],
    body: { parts, length },
  };
}
