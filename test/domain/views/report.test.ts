/** What a report counts: the worst first, few lines of many checks, and never 100 % where something is missing. */

import { describe, expect, test } from 'vitest';
import { presentPeriod } from '../../../src/domain/accounts/report-period.ts';
import type { IncidentEntryKind } from '../../../src/domain/alerting/incident.ts';
import { reportLinesMax } from '../../../src/domain/limits.ts';
import {
  incidentWords,
  nowWords,
  percentWords,
  type ReportedCheck,
  ReportTally,
  withoutLine,
} from '../../../src/domain/views/report.ts';
import { asProjectId } from '../../../src/lib/ids.ts';
import { hour, minute } from '../../../src/lib/units.ts';

const period = presentPeriod('daily', 'UTC', Date.UTC(2026, 10, 18, 12));
const check = (name: string, status: ReportedCheck['status'] = 'up'): ReportedCheck => ({
  projectId: asProjectId('00000000-0000-4000-8000-000000000001'),
  project: 'Acme',
  uniqueKey: name,
  name,
  status,
  isWaiting: false,
});
const up = { downMs: 0, watchedMs: 10 * hour, outages: 0 };

describe('a report', () => {
  test('counts checks, outages and downtime, and has the worst first', () => {
    const tally = new ReportTally();
    tally.add(check('well'), up);
    tally.add(check('twice'), { downMs: 5 * minute, watchedMs: 10 * hour, outages: 2 });
    tally.add(check('long', 'down'), { downMs: hour, watchedMs: 10 * hour, outages: 1 });
    tally.add(check('once'), { downMs: 5 * minute, watchedMs: 10 * hour, outages: 1 });
    tally.add(check('paused', 'paused'), { downMs: 0, watchedMs: 0, outages: 0 });
    const report = tally.report(period, 0);
    expect(report).toMatchObject({ checks: 5, watched: 4, affected: 3, outages: 4, downMs: 70 * minute });
    expect(report.worst.map(({ name }) => name)).toEqual(['long', 'twice', 'once']);
    expect(withoutLine(report)).toBeNull();
    expect(report.now).toMatchObject({ up: 3, down: 1, paused: 1, late: 0 });
    expect(percentWords(report.percent)).toBe('97.08 %');
  });

  test('counts checks that were resumed apart from new ones, as the list does', () => {
    const tally = new ReportTally();
    tally.add(check('never pinged', 'new'), up);
    for (const name of ['resumed', 'resumed, too']) tally.add({ ...check(name, 'new'), isWaiting: true }, up);
    tally.add(check('failed', 'down'), up);
    expect(nowWords(tally.report(period, 0))).toEqual(['1 down', '1 new', '2 waiting']);
  });

  test('of thousands of checks has the worst, and counts the others', () => {
    const tally = new ReportTally();
    for (let at = 0; at < 5000; at++) {
      const downMs = ((at * 7919) % 5000) + 1;
      tally.add(check(`check ${at}`), { downMs, watchedMs: hour, outages: 1 });
    }
    const report = tally.report(period, 0);
    const { worst, affected } = report;
    expect(affected).toBe(5000);
    // With those that have no line, the lines add up to the whole.
    const rest = withoutLine(report);
    const sum = worst.reduce((all, { downMs }) => all + downMs, rest?.downMs ?? 0);
    expect([rest?.affected, rest?.outages, sum]).toEqual([
      5000 - reportLinesMax,
      5000 - reportLinesMax,
      report.downMs,
    ]);
    expect(worst.map(({ downMs }) => downMs)).toEqual(
      Array.from({ length: reportLinesMax }, (_, at) => 5000 - at),
    );
  });

  test('has incidents only if there were any, with the median time until somebody acknowledged them', () => {
    const words = (...afterMs: readonly (number | null)[]): string | undefined => {
      const tally = new ReportTally();
      for (const ms of afterMs)
        tally.addIncident({ openedMs: hour, acknowledgedMs: ms === null ? 0 : hour + ms, entries: [] });
      const { incidents } = tally.report(period, 0);
      return incidents && incidentWords(incidents);
    };
    expect(words()).toBeUndefined();
    expect(words(null)).toBe('1 opened, not acknowledged');
    expect(words(null, null, null)).toBe('3 opened, none acknowledged');
    expect(words(5 * minute)).toBe('1 opened, acknowledged after 5 min');
    expect(words(minute, 9 * minute, 3 * minute)).toBe('3 opened, acknowledged after 3 min (median)');
    expect(words(minute, null, 3 * minute)).toBe(
      '3 opened, of which 2 were acknowledged after 2 min (median)',
    );
  });

  test('an incident that went on later was acknowledged when it first was', () => {
    const tally = new ReportTally();
    const entry = (kind: IncidentEntryKind, atMs: number) => ({
      ...{ kind, atMs },
      check: '',
      by: '',
      text: '',
    });
    const entries = [entry('opened', 0), entry('acknowledged', minute), entry('reopened', hour)];
    tally.addIncident({ openedMs: 0, acknowledgedMs: 0, entries });
    tally.addIncident({
      ...{ openedMs: 0, acknowledgedMs: 2 * hour },
      entries: [...entries, entry('acknowledged', 2 * hour)],
    });
    const { incidents } = tally.report(period, 0);
    expect(incidents && incidentWords(incidents)).toBe('2 opened, acknowledged after 1 min (median)');
  });

  test.each([
    ['one that was withdrawn does not count', [1, -2], '1 opened, not acknowledged'],
    ['the one that stayed does', [1, -2, 5], '1 opened, acknowledged after 5 min'],
    ['and so does an earlier one that lapsed', [1, 4, -5], '1 opened, acknowledged after 1 min'],
  ] as const)('of acknowledgements, %s', (_, minutes, words) => {
    const tally = new ReportTally();
    const entries = minutes.map((at) => ({
      ...{ kind: at > 0 ? ('acknowledged' as const) : ('unacknowledged' as const) },
      ...{ atMs: Math.abs(at) * minute, check: '', by: '', text: '' },
    }));
    tally.addIncident({ openedMs: 0, acknowledgedMs: 0, entries });
    const { incidents } = tally.report(period, 0);
    expect(incidents && incidentWords(incidents)).toBe(words);
  });

  test.each([
    [null, '–'],
    [100, '100.0 %'],
    [99.999, '99.99 %'],
    [0, '0.00 %'],
  ])('an uptime of %s is %s', (percent, words) => {
    expect(percentWords(percent)).toBe(words);
  });
});
