/** The output of `knell report`: the report that would be mailed. `notify/reports/reporter` mails it when it is due. */

import type { CommandResult } from '../../commands/table.ts';
import { second } from '../../lib/units.ts';
import { reportTextOf } from '../../notify/mail/report.ts';
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const reportPrinters = {
  'report show': {
    print: ({ report, baseUrl }) => print(reportTextOf(report, baseUrl)),
    plain: plainReport,
  },
} satisfies Printers;

/** The report for programs: times are ISO 8601, lengths are seconds. */
function plainReport({ report }: CommandResult<'report show'>) {
  const {
    frequency,
    timeZone,
    fromMs,
    untilMs,
    checks,
    watched,
    affected,
    outages,
    downMs,
    percent,
    now,
    worst,
  } = report;
  return {
    frequency,
    time_zone: timeZone,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    ...{ checks, watched, affected, outages },
    down_for: downMs / second,
    uptime_percent: percent,
    now,
    worst: worst.map((line) => ({
      project: line.project,
      name: line.name,
      unique_key: line.uniqueKey,
      status: line.status,
      outages: line.outages,
      down_for: line.downMs / second,
      uptime_percent: line.percent,
    })),
  };
}
