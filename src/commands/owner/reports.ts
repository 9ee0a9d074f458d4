/**
 * `knell report`: a report as it would be mailed to somebody who may see these projects. Changes nothing, mails nothing.
 * Not here: how it is read (`engine/reads/build-report`), its words (`cli/owner/report`, `notify/mail/report`).
 */
import { latestOver } from '../../domain/accounts/report-period.ts';
import { buildReport } from '../../engine/reads/build-report.ts';
import { KnellError } from '../../lib/errors.ts';
import { canonicalTimeZone } from '../../schedule/time-zones.ts';
import { optional, withDefault } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { asIs, command } from '../contract/declaration.ts';

export const reportCommands = {
  'report show': command({
    effect: 'reads',
    role: 'owner',
    line: 'report',
    help: 'print the report that would be mailed: daily, weekly or monthly',
    more: `It is about the last day, week (from Monday on) or month that is over. Its mail is sent at 08:00
after its end. Nothing is mailed here, and nothing is changed. Each member chooses on the
page which reports to get, and gets those of the projects that the member may see.

With --json: times are ISO 8601, lengths are seconds.

Examples:
  knell report
  knell report monthly --project default
  knell report weekly --json | jq '.worst[] | {name, down_for}'

Exit status: 0 printed, 1 something failed (no such project, no server), 2 the call is wrong.`,
    takes: {
      frequency: withDefault(
        kind.choice(['daily', 'weekly', 'monthly']),
        'daily',
        '[frequency]',
        'how long its period is',
      ),
      project: optional(
        kind.project,
        '--project <project>',
        'of one project only, by its name or id; of all if omitted',
      ),
      timeZone: optional(
        kind.text(),
        '--time-zone <zone>',
        'by whose clock days, weeks and months begin (default: KNELL_TIME_ZONE)',
      ),
    },
    async run({ frequency, project, timeZone: wanted }, { context, nowMs }) {
      const { read } = context.engine;
      const asked = wanted ?? context.reports.timeZone;
      const timeZone = canonicalTimeZone(asked);
      if (timeZone === null) throw new KnellError('usage', `${asked} is no time zone such as Europe/Riga`);
      const projects = project ? [project] : read.projects();
      const period = latestOver(frequency, timeZone, nowMs);
      return {
        report: await buildReport(read, { projects, period, nowMs }),
        /** Beginning of the addresses that its words name. */
        baseUrl: context.baseUrl(),
      };
    },
    shown: asIs,
  }),
} as const;
