/** `knell audit`: the audit log, a page at a time. Changes nothing. */
import { anyEntry } from '../../domain/accounts/audit.ts';
import { beginsWithDate } from '../../lib/calendar-date.ts';
import { KnellError } from '../../lib/errors.ts';
import type { OwnerCommand } from '../contract/command.ts';
import {
  type AuditPage,
  type AuditQuery,
  auditPage,
  type ExportedEntry,
  exportedEntry,
} from './audit-pages.ts';

/** Some 400 bytes each. */
const entriesPerPage = 1000;

export const listAudit: OwnerCommand<AuditQuery, AuditPage, ShownAuditPage> = {
  effect: 'reads',
  role: 'owner',
  input({ args: { since = '', before = '' }, nowMs }) {
    const fromMs = since === '' ? 0 : instantIn(String(since));
    if (Number.isNaN(fromMs))
      throw new KnellError('usage', 'since must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z');
    return { filter: { ...anyEntry, fromMs }, before: String(before), limit: entriesPerPage, nowMs };
  },
  run: (query, { context }) => auditPage(context.engine.read, query),
  shown: ({ entries, next }) => ({ entries: entries.map(exportedEntry), next }),
};

function instantIn(text: string): number {
  return beginsWithDate(text) ? Date.parse(text) : Number.NaN;
}

interface ShownAuditPage {
  readonly entries: readonly ExportedEntry[];
  readonly next: AuditPage['next'];
}
