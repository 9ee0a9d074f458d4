/** How a report is read: of every check once, few in each turn of the event loop, and only what is durable. */
import { describe, expect, test } from 'vitest';
import type { Project } from '../../../src/domain/accounts/project.ts';
import { presentPeriod } from '../../../src/domain/accounts/report-period.ts';
import type { MemberRole, ProjectRole, User } from '../../../src/domain/accounts/user.ts';
import { acknowledged, openIncident } from '../../../src/domain/alerting/incident.ts';
import { type Check, defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import type { EngineRead } from '../../../src/engine/contract/engine.ts';
import { buildReport, projectsSeenBy } from '../../../src/engine/reads/build-report.ts';
import { asBadgeId, asCheckId, asProjectId, asUserId, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { hour, minute } from '../../../src/lib/units.ts';

const nowMs = Date.UTC(2026, 10, 18, 12, 20);
const period = presentPeriod('daily', 'UTC', nowMs);
const ada: User = {
  id: asUserId('00000000-0000-4000-8000-00000000000a'),
  name: 'ada',
  role: 'viewer',
  passwordHash: '',
  createdAtMs: 0,
};
const projectId = asProjectId('00000000-0000-4000-8000-000000000001');
const project: Project = { id: projectId, name: 'Acme', plan: 'paid', badgeKey: 'x', createdAtMs: 0 };

function checkOf(number: number): Check {
  const id = asCheckId(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
  return {
    id,
    projectId,
    badgeId: asBadgeId(id),
    createdAtMs: 0,
    config: { ...defaultConfig, name: `check ${number}` },
    state: { ...freshState, status: number === 7 ? 'down' : 'up' },
  };
}

const checks = Array.from({ length: 10_000 }, (_, number) => checkOf(number));
const seventh = checks[7]?.id;

const [first] = checks;
/** One before the period, one in it. */
const opened = first
  ? [period.fromMs - 1, period.fromMs].map((atMs) =>
      acknowledged(openIncident(first, atMs), 'ada', atMs + minute),
    )
  : [];

/** Counts what is asked for in one turn of the event loop. */
function countingReads() {
  let inTurn = 0;
  let most = 0;
  const ranges = new Set<string>();
  const read: Pick<EngineRead, 'checks' | 'countAhead' | 'uptimes' | 'incidents' | 'durably'> = {
    checks: () => checks,
    uptimes(id, asked) {
      if (inTurn++ === 0)
        setImmediate(() => {
          inTurn = 0;
        });
      most = Math.max(most, inTurn);
      for (const { fromMs, untilMs } of asked) ranges.add(`${fromMs} ${untilMs}`);
      return [
        {
          downMs: id === seventh ? 5 * minute : 0,
          watchedMs: 12 * hour + 20 * minute,
          outages: id === seventh ? 1 : 0,
        },
      ];
    },
    countAhead: async () => {},
    incidents: (_, beforeMs) => opened.filter(({ openedMs }) => openedMs < beforeMs),
    durably: async (look) => look(),
  };
  return { read, ranges, most: () => most };
}

describe('the report of 10,000 checks', () => {
  test('reads each of them, a few in every turn', async () => {
    const { read, most, ranges } = countingReads();
    const report = await buildReport(read, { projects: [project], period, nowMs });
    expect(report).toMatchObject({ checks: 10_000, watched: 10_000, affected: 1, outages: 1 });
    expect(report.incidents).toEqual({ count: 1, acknowledged: 1, medianMs: minute });
    expect(report.worst).toMatchObject([
      {
        name: 'check 7',
        status: 'down',
        uniqueKey: uniqueKeyOf(asCheckId(seventh ?? '')),
        downMs: 5 * minute,
      },
    ]);
    expect(most()).toBeLessThanOrEqual(50);
    // Up to the end of the hour: statistics are kept by the hour.
    expect([...ranges]).toEqual([`${period.fromMs} ${Date.UTC(2026, 10, 18, 13)}`]);
  });

  test('is of the projects that are asked for', async () => {
    const { read } = countingReads();
    expect(await buildReport(read, { projects: [], period, nowMs })).toMatchObject({ checks: 0, worst: [] });
  });

  test('shows a member of one project nothing of another', () => {
    const [own, other] = [project, { ...project, id: asProjectId('00000000-0000-4000-8000-000000000002') }];
    const all = { projects: () => [own, other] };
    const member = (role: MemberRole, projects: readonly ProjectRole[] = []) =>
      projectsSeenBy(all, { ...ada, role, projects });
    expect(member('none', [{ projectId: own.id, role: 'viewer' }])).toEqual([own]);
    expect(member('viewer', [{ projectId: other.id, role: 'none' }])).toEqual([own]);
    expect(member('none')).toEqual([]);
    expect(member('owner', [{ projectId: other.id, role: 'none' }])).toEqual([own, other]);
  });
});
