/** `knell audit`: the audit log, a page at a time. Changes nothing. */

import { anyEntry } from '../../domain/accounts/audit.ts';
import { KnellError } from '../../lib/errors.ts';
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
      until: optional(kind.instant, '--until <time>', 'only what is older than this time'),
      before: optional(kind.text(), null, '`next` of the page before'),
    },
    run: ({ since: fromMs = 0, until: untilMs = null, before = '' }, { context, nowMs }) => {
      if (untilMs !== null && fromMs >= untilMs) throw new KnellError('usage', 'since must be before until');
      const filter = { ...anyEntry, fromMs, untilMs };
      return auditPage(context.engine.read, { filter, before, limit: entriesPerPage, nowMs });
    },
    shown: ({ entries, next }) => ({ entries: entries.map(exportedEntry), next }),
  }),
} as const;
