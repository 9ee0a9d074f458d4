/**
 * `knell report`: a report as it would be mailed to somebody who may see these projects. Changes nothing, mails nothing.
 * Not here: how it is read (`engine/reads/build-report`), its words (`cli/data/report`, `notify/mail/report`).
 */
import type { Project } from '../../domain/accounts/project.ts';
import { latestDue, type ReportPeriod } from '../../domain/accounts/report-period.ts';
import type { Report } from '../../domain/views/report.ts';
import { buildReport } from '../../engine/reads/build-report.ts';
import { KnellError } from '../../lib/errors.ts';
import { canonicalTimeZone } from '../../schedule/schedule.ts';
import { asIs, choiceIn, type OwnerCommand } from '../contract/command.ts';

const frequencies = ['daily', 'weekly', 'monthly'] as const;

interface WantedReport {
  readonly projects: readonly Project[];
  readonly period: ReportPeriod;
}

export interface ShownReport {
  readonly report: Report;
  /** In front of the addresses that its words name. */
  readonly baseUrl: string;
}

export const showReport: OwnerCommand<WantedReport, ShownReport> = {
  effect: 'reads',
  role: 'owner',
  input({ args, targets, context, nowMs }) {
    const frequency = choiceIn(args, 'frequency', frequencies);
    const asked = typeof args.timeZone === 'string' ? args.timeZone : context.reports.timeZone;
    const timeZone = canonicalTimeZone(asked);
    if (timeZone === null) throw new KnellError('usage', `${asked} is no time zone such as Europe/Riga`);
    const projects = args.project === undefined ? context.engine.read.projects() : [targets.project()];
    return { projects, period: latestDue(frequency, timeZone, nowMs) };
  },
  run: async ({ projects, period }, { context, nowMs }) => ({
    report: await buildReport(context.engine.read, { projects, period, nowMs }),
    baseUrl: context.baseUrl(),
  }),
  shown: asIs,
};
