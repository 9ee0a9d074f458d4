/**
 * What the page shows of maintenance beside the windows themselves: which are on, and what a form would do.
 * Invariants: who may see the checks of a project may see that nobody is notified of them; quiet hours are no maintenance.
 */
import { activeAt } from '../../../domain/alerting/calendar.ts';
import { isAbout, type MaintenanceWindow } from '../../../domain/alerting/maintenance.ts';
import { maintenanceView } from '../../../domain/views/maintenance-view.ts';
import type { ActiveMaintenanceView } from '../../../domain/views/page-view.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import { asMaintenanceId } from '../../../lib/ids.ts';
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
  const view: ActiveMaintenanceView = {
    windows: windows.map(({ window: { id, name, checks, tags }, untilMs }) => ({
      ...{ id, name, untilMs, tags },
      checks: checks.map((id) => shownId(role, id)),
    })),
    checks: await checksIn(
      call,
      windows.map(({ window }) => window),
    ),
  };
  return jsonReply(view);
}

/** How many checks the windows are about: each is looked at only where tags decide. */
async function checksIn(
  { context: { engine }, project, nowMs }: ProjectCall,
  windows: readonly MaintenanceWindow[],
): Promise<number> {
  if (windows.length === 0) return 0;
  if (windows.some(({ checks, tags }) => checks.length === 0 && tags.length === 0))
    return engine.read.checkCount(project.id);
  if (windows.every(({ tags }) => tags.length === 0)) {
    const ids = new Set(windows.flatMap(({ checks }) => checks));
    return [...ids].filter((id) => engine.read.check(id, nowMs)?.projectId === project.id).length;
  }
  const slices = await visitChecks(
    engine.read,
    project.id,
    nowMs,
    (checks) => checks.filter((check) => windows.some((window) => isAbout(window, check))).length,
  );
  return slices.reduce((sum, count) => sum + count, 0);
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
