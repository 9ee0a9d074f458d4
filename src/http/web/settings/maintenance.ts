/**
 * What the page shows of maintenance beside the windows themselves: which are on, what a form would do, and what the end of one sends.
 * Invariants: who may see the checks of a project may see that nobody is notified of them; quiet hours are no maintenance.
 */
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { activeAt } from '../../../domain/alerting/calendar.ts';
import {
  isAbout,
  type MaintenanceWindow,
  quietHoursOf,
  windowFor,
} from '../../../domain/alerting/maintenance.ts';
import type { Check } from '../../../domain/check/check.ts';
import { acceptsNotification, isUntriedReminder, recipientsOf } from '../../../domain/deliveries/delivery.ts';
import { maintenanceView } from '../../../domain/views/maintenance-view.ts';
import type { ActiveMaintenanceView, EndedMaintenanceView } from '../../../domain/views/page-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import { asMaintenanceId, type CheckId, type MaintenanceId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { readMaintenance } from '../../../spec/maintenance-spec.ts';
import { maintenanceEndSeenMax, maintenanceSentSearchedMax } from '../../limits.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall, WebContext } from '../calls/call.ts';
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

/** The checks of a window that are down, as they are before it ends. */
export interface DownInWindow {
  readonly window: MaintenanceWindow;
  readonly checks: readonly Check[];
}

/** Null of quiet hours, of a window that is not there, and where too many checks are down. */
export function downInWindow(
  { maintenanceWindow, checksDown }: Pick<EngineRead, 'maintenanceWindow' | 'checksDown'>,
  id: MaintenanceId,
): DownInWindow | null {
  const window = maintenanceWindow(id);
  if (window === null || window.integrations.length > 0) return null;
  const { count, checks } = checksDown(window.projectId);
  if (count > maintenanceEndSeenMax) return null;
  return { window, checks: [...checks].filter((check) => isAbout(window, check)) };
}

/** What is sent of them once it has ended. Only what is sure counts as sent. */
export function sentAtEnd(
  { engine: { read }, commands: { outbox } }: WebContext,
  { window, checks }: DownInWindow,
  nowMs: number,
): NonNullable<EndedMaintenanceView['atEnd']> {
  const waiting = new Set<CheckId>();
  if (checks.length > 0)
    for (const delivery of outbox.all())
      if (delivery.state === 'waiting' && !isUntriedReminder(delivery)) waiting.add(delivery.checkId);
  const windows = read.maintenance(window.projectId);
  const isSent = (check: Check): boolean =>
    isHeldOnlyByWindow(check) &&
    windowFor(windows, check, nowMs) === null &&
    [...recipientsOf(check.config.channels, { channelOf: (id) => read.channel(id) })].some(
      (channel) =>
        isNotifiedAtOnce(channel) && quietHoursOf(windows, { channelId: channel.id, check }, nowMs) === null,
    );
  const sent = checks.filter(isSent).length;
  const before = checks.filter((check) => !waiting.has(check.id) && wasSent(read, check)).length;
  return { sent, before, others: checks.length - sent - before };
}

function wasSent(read: EngineRead, { id, hold, snooze }: Check): boolean {
  const change = hold || snooze ? null : read.lastChange(id);
  if (change?.to !== 'down') return false;
  const since = { fromMs: change.atMs, untilMs: NEVER };
  return read
    .notifications(id, since, maintenanceSentSearchedMax)
    .some(
      ({ kind, outcome, changedAtMs }) =>
        kind === 'down' && outcome === 'delivered' && changedAtMs === change.atMs,
    );
}

/** Of an outage that nobody was notified of, with no other setting that may hold it back longer. */
function isHeldOnlyByWindow({ hold, snooze, config }: Check): boolean {
  return (
    hold?.reason === 'maintenance' &&
    !hold.wasDown &&
    !snooze &&
    config.dependsOn === '' &&
    config.alertAfter <= 1
  );
}

function isNotifiedAtOnce(channel: Channel): boolean {
  const { delayS, collectS, escalateS, tags, events } = settingsOf(channel);
  const isPlain = delayS + collectS + escalateS === 0 && tags === '' && events === '';
  return isPlain && acceptsNotification(channel, 'down');
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
