/**
 * What the page shows of maintenance beside the windows themselves: which are on, and what a form would do.
 * Invariants: who may see the checks of a project may see that nobody is notified of them; quiet hours are no maintenance.
 */
import { activeAt } from '../../../domain/alerting/calendar.ts';
import { isAbout, type MaintenanceWindow } from '../../../domain/alerting/maintenance.ts';
import { maintenanceView } from '../../../domain/views/maintenance-view.ts';
import type { ActiveMaintenanceView } from '../../../domain/views/page-view.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import { asMaintenanceId, type CheckId } from '../../../lib/ids.ts';
import { readMaintenance } from '../../../spec/maintenance-spec.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { shownId } from '../calls/shown-id.ts';

export async function showActiveMaintenance(call: ProjectCall): Promise<HttpReply> {
  const { context, project, role, nowMs } = call;
  const windows = context.engine.read
    .maintenance(project.id)
    .filter(({ integrations }) => integrations.length === 0)
    .flatMap((window) => {
      const active = activeAt(window, nowMs);
      return active ? [{ window, untilMs: active.untilMs }] : [];
    })
    .sort((a, b) => b.untilMs - a.untilMs);
  const { checks, counts } = await coveredBy(
    call,
    windows.map(({ window }) => window),
  );
  const view: ActiveMaintenanceView = {
    windows: windows.map(({ window, untilMs }) => ({
      ...{ id: window.id, name: window.name, untilMs, tags: window.tags },
      checks: window.checks.map((id) => shownId(role, id)),
      count: counts.get(window) ?? 0,
    })),
    checks,
  };
  return jsonReply(view);
}

interface Covered {
  /** How many checks the windows are about together. */
  readonly checks: number;
  /** How many each of them is about. */
  readonly counts: ReadonlyMap<MaintenanceWindow, number>;
}

/** Each check is looked at only where tags decide. */
async function coveredBy(
  { context: { engine }, project, nowMs }: ProjectCall,
  windows: readonly MaintenanceWindow[],
): Promise<Covered> {
  if (windows.length === 0) return { checks: 0, counts: new Map() };
  if (windows.every(({ tags }) => tags.length === 0)) {
    const all = engine.read.checkCount(project.id);
    const here = (ids: readonly CheckId[]): number =>
      ids.filter((id) => engine.read.check(id, nowMs)?.projectId === project.id).length;
    const isAll = windows.some(({ checks }) => checks.length === 0);
    const ids = new Set(windows.flatMap(({ checks }) => checks));
    return {
      checks: isAll ? all : here([...ids]),
      counts: new Map(windows.map((one) => [one, one.checks.length === 0 ? all : here(one.checks)])),
    };
  }
  const counts = new Map<MaintenanceWindow, number>();
  const slices = await visitChecks(engine.read, project.id, nowMs, (checks) => {
    let covered = 0;
    for (const check of checks) {
      const about = windows.filter((window) => isAbout(window, check));
      for (const window of about) counts.set(window, (counts.get(window) ?? 0) + 1);
      if (about.length > 0) covered++;
    }
    return covered;
  });
  return { checks: slices.reduce((sum, covered) => sum + covered, 0), counts };
}

/** The window that these fields would make, as if it were there. Nothing is changed. */
export function previewMaintenance({ json, project, nowMs }: ProjectCall): HttpReply {
  const { from, until, schedule, tz, duration, dates, ics } = json;
  const read = readMaintenance({ from, until, schedule, tz, duration, dates, ics }, null, nowMs);
  if (!read.ok) return jsonReply({ field: read.field, error: read.error }, 400);
  const id = asMaintenanceId('00000000-0000-4000-8000-000000000000');
  const window = { ...read.content, id, projectId: project.id, createdAtMs: nowMs, by: '' };
  return jsonReply(maintenanceView(window, nowMs));
}
