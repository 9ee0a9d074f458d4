/** `knell audit`: the audit log, a page at a time. Changes nothing. */

import { anyEntry } from '../../domain/accounts/audit.ts';
import { optional } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { command } from '../contract/declaration.ts';
import { entriesPerPage } from '../secrets/limits.ts';
import { auditPage, exportedEntry } from './audit-pages.ts';

export const auditCommands = {
  'audit list': command({
    effect: 'reads',
    role: 'owner',
    line: 'audit',
    help: 'print the audit log, newest first: who changed what, and when',
    more: 'With --json one JSON object a line. Entries are kept for 90 days.',
    takes: {
      since: optional(
        kind.instant,
        '--since <time>',
        'only from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z',
      ),
      before: optional(kind.text(), null, '`next` of the page before'),
    },
    run: ({ since: fromMs = 0, before = '' }, { context, nowMs }) =>
      auditPage(context.engine.read, {
        filter: { ...anyEntry, fromMs },
        before,
        limit: entriesPerPage,
        nowMs,
      }),
    shown: ({ entries, next }) => ({ entries: entries.map(exportedEntry), next }),
  }),
} as const;
