/**
 * Reads a report: every check of some projects, with what is kept of its statistics.
 * Invariant: it says nothing that is not durable, and no turn of the event loop reads for over a few milliseconds.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Project } from '../../domain/accounts/project.ts';
import type { ReportPeriod } from '../../domain/accounts/report-period.ts';
import { withReported } from '../../domain/accounts/report-settings.ts';
import { maySee, type User } from '../../domain/accounts/user.ts';
import type { Check } from '../../domain/check/check.ts';
import { countedStatusOf, shownStatusOf } from '../../domain/check/shown-status.ts';
import { type Uptime, uptimeOf } from '../../domain/runs/run-statistics.ts';
import { endOfHour, type TimeRange, watchedSince } from '../../domain/runs/time-ranges.ts';
import { type Report, ReportTally } from '../../domain/views/report.ts';
import type { Clock } from '../../lib/clock.ts';
import { type UserId, uniqueKeyOf } from '../../lib/ids.ts';
import { hour } from '../../lib/units.ts';
import type { Engine, EngineRead } from '../contract/engine.ts';
import { reportedChecksPerTurn } from '../contract/limits.ts';

interface ReportAsk {
  readonly projects: readonly Project[];
  readonly period: ReportPeriod;
  /** With which it is compared; left out for none. */
  readonly before?: TimeRange;
  readonly nowMs: number;
}

export async function buildReport(
  read: Pick<EngineRead, 'checks' | 'countAhead' | 'uptimes' | 'incidents' | 'durably'>,
  { projects, period, before, nowMs }: ReportAsk,
): Promise<Report> {
  const tally = new ReportTally();
  // Statistics are kept by the hour: of a period that is in flight, the hour that is counts too.
  const range = { fromMs: period.fromMs, untilMs: Math.min(period.untilMs, endOfHour(nowMs)) };
  const count = async (project: Project, checks: readonly Check[]): Promise<void> => {
    // A deadline that has just passed made a status change, which is counted once it is durable.
    await read.durably(() => null);
    for (const { id } of checks) await read.countAhead(id, nowMs);
    const uptimes = await read.durably(() => checks.map((check) => uptimeIn(read, check, { range, nowMs })));
    if (before)
      for (const uptime of await read.durably(() =>
        checks.flatMap(({ id }) => read.uptimes(id, [before], nowMs)),
      ))
        tally.addBefore(uptime);
    for (const [at, { id, config, state }] of checks.entries()) {
      const { watchedSinceMs, uptime = none } = uptimes[at] ?? {};
      const status = shownStatusOf(state);
      tally.add(
        {
          ...{ name: config.name, status, uniqueKey: uniqueKeyOf(id) },
          ...{ projectId: project.id, project: project.name },
          isWaiting: countedStatusOf(status, state.nPings) === 'waiting',
          ...(watchedSinceMs == null ? {} : { watchedSinceMs }),
        },
        uptime,
      );
    }
    await nextTurn();
  };
  for (const project of projects) {
    let some: Check[] = [];
    for (const check of read.checks(project.id, nowMs)) {
      if (some.push(check) < reportedChecksPerTurn) continue;
      await count(project, some);
      some = [];
    }
    await count(project, some);
    const incidents = await read.durably(() =>
      read.incidents(project.id, period.untilMs, Number.POSITIVE_INFINITY),
    );
    for (const incident of incidents) {
      const { openedMs } = incident;
      if (openedMs >= period.fromMs) tally.addIncident(incident);
      else if (before && openedMs >= before.fromMs && openedMs < before.untilMs) tally.addIncidentBefore();
    }
  }
  return tally.report(period, nowMs);
}

interface Watched {
  readonly uptime?: Uptime | undefined;
  /** Null where it was watched all the time, or not at all, and for a check that was not down: no line says it. */
  readonly watchedSinceMs: number | null;
}

function uptimeIn(
  read: Pick<EngineRead, 'uptimes'>,
  { id, createdAtMs }: Check,
  { range, nowMs }: { readonly range: TimeRange; readonly nowMs: number },
): Watched {
  const [uptime] = read.uptimes(id, [range], nowMs);
  const lastedMs = Math.min(nowMs, range.untilMs) - range.fromMs;
  if (!uptime || uptime.downMs === 0 || uptime.watchedMs >= lastedMs - hour)
    return { uptime, watchedSinceMs: null };
  const asked = { range, createdAtMs, nowMs };
  return { uptime, watchedSinceMs: watchedSince((ranges) => read.uptimes(id, ranges, nowMs), asked) };
}

const none = uptimeOf({ downMs: 0, watchedMs: 0, outages: 0 });

/** A report shows its reader no other project. */
export function projectsSeenBy(read: Pick<EngineRead, 'projects'>, user: User): readonly Project[] {
  return read.projects().filter(({ id }) => maySee(user, id));
}

/** The reads for the module that sends the reports, which has no engine. */
export function reportReads({ read, change }: Pick<Engine, 'read' | 'change'>, clock: Clock) {
  return {
    users: () => read.users(),
    report: (user: User, period: ReportPeriod) =>
      buildReport(read, { projects: projectsSeenBy(read, user), period, nowMs: clock.nowMs() }),
    reported: (id: UserId, { untilMs }: ReportPeriod, error: string) =>
      change.updateUser(id, (user) => withReported(user, untilMs, error)),
  };
}
