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
  const { checks: count, used } = await coveredBy(
    call,
    windows.map(({ window }) => window),
  );
  const view: ActiveMaintenanceView = {
    windows: windows.map(({ window, untilMs }) => ({
      ...{ id: window.id, name: window.name, untilMs, tags: window.tags },
      checks: window.checks.map((id) => shownId(role, id)),
      ...(used.has(window) ? {} : { coversNone: true as const }),
    })),
    checks: count,
  };
  return jsonReply(view);
}

interface Covered {
  /** How many checks the windows are about. */
  readonly checks: number;
  /** Those windows that are about any. */
  readonly used: ReadonlySet<MaintenanceWindow>;
}

/** Each check is looked at only where tags decide. */
async function coveredBy(
  { context: { engine }, project, nowMs }: ProjectCall,
  windows: readonly MaintenanceWindow[],
): Promise<Covered> {
  if (windows.length === 0) return { checks: 0, used: new Set() };
  if (windows.every(({ tags }) => tags.length === 0)) {
    const all = engine.read.checkCount(project.id);
    const isHere = (id: CheckId) => engine.read.check(id, nowMs)?.projectId === project.id;
    const used = windows.filter(({ checks }) => (checks.length === 0 ? all > 0 : checks.some(isHere)));
    const isAll = windows.some(({ checks }) => checks.length === 0);
    const ids = new Set(windows.flatMap(({ checks }) => checks));
    return { checks: isAll ? all : [...ids].filter(isHere).length, used: new Set(used) };
  }
  const slices = await visitChecks(engine.read, project.id, nowMs, (checks) => {
    const about = checks.map((check) => windows.filter((window) => isAbout(window, check)));
    return { checks: about.filter((those) => those.length > 0).length, used: new Set(about.flat()) };
  });
  return {
    checks: slices.reduce((sum, { checks }) => sum + checks, 0),
    used: new Set(slices.flatMap(({ used }) => [...used])),
  };
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
