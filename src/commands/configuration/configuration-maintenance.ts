/**
 * Maintenance windows as `config show` gives them, and the steps of `config apply` about them. Not here: those that somebody started at
 * once, which no file asks for.
 * Invariant: what these steps take is checked as what owners enter is.
 */
import type { Project } from '../../domain/accounts/project.ts';
import { type MaintenanceWindow, startedId } from '../../domain/alerting/maintenance.ts';
import {
  type ConfiguredMaintenance,
  maintenanceSettings,
} from '../../domain/configuration/maintenance-settings.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asMaintenanceId, isUuid, newUuid, sha256Hex } from '../../lib/ids.ts';
import type { MaintenanceContent } from '../../spec/maintenance-spec.ts';
import { type CommandRequest, textIn } from '../contract/command.ts';
import { maintenanceIn } from '../contract/maintenance-input.ts';
import { changed, projectIn } from './outdated-plan.ts';

export function configuredMaintenance(
  read: Pick<EngineRead, 'maintenance' | 'channel'>,
  { id }: Project,
): readonly ConfiguredMaintenance[] {
  return read
    .maintenance(id)
    .filter((window) => window.id !== startedId(id, window))
    .map((window) => ({ id: window.id, etag: etagOf(window, read), ...settingsAndScope(window, read) }));
}

type Channels = Pick<EngineRead, 'channel'>;

/** Without integrations that were deleted, unless all were: it would be maintenance, which it is not. */
function settingsAndScope(
  window: MaintenanceWindow,
  read: Channels,
): Omit<ConfiguredMaintenance, 'id' | 'etag'> {
  const there = window.integrations.filter((id) => read.channel(id)?.projectId === window.projectId);
  const integrations = [...(there.length === 0 ? window.integrations : there)].sort();
  return { ...maintenanceSettings(window), checks: [...window.checks].sort(), integrations };
}

function etagOf(window: MaintenanceWindow, read: Channels): string {
  return sha256Hex(JSON.stringify(settingsAndScope(window, read))).slice(0, 32);
}

export async function createMaintenance(request: CommandRequest): Promise<{ id: string }> {
  const { args, context, nowMs } = request;
  const { id: projectId } = projectIn(request);
  const asked = args.id === null ? newUuid() : textIn(args, 'id');
  if (!isUuid(asked) || context.engine.read.maintenanceWindow(asMaintenanceId(asked)))
    throw new KnellError('conflict', `a maintenance window has the id ${asked} already`);
  const window = { ...contentIn(request, null), projectId, createdAtMs: nowMs, by: '' };
  return context.engine.change.putMaintenance({ ...window, id: asMaintenanceId(asked) }, nowMs);
}

export async function editMaintenance(request: CommandRequest): Promise<{ id: string }> {
  const window = windowToChange(request);
  const content = contentIn(request, window);
  return request.context.engine.change.putMaintenance({ ...window, ...content }, request.nowMs);
}

export async function deleteMaintenance(request: CommandRequest): Promise<{ id: string }> {
  const { id } = windowToChange(request);
  await request.context.engine.change.deleteMaintenance(id);
  return { id };
}

/** A field that is left out of the file has its default, also in a window that exists. */
function contentIn(request: CommandRequest, before: MaintenanceWindow | null): MaintenanceContent {
  const { args, context, nowMs } = request;
  const { name, checks, tags, integrations, counts_as_downtime } = args;
  const { from, until, schedule, tz, duration, dates } = args;
  const calendar = { from, until, schedule, tz, duration, dates };
  const json = { name, checks, tags, integrations, counts_as_downtime, ...calendar };
  return maintenanceIn(json, before, { read: context.engine.read, project: projectIn(request), nowMs });
}

function windowToChange(request: CommandRequest): MaintenanceWindow {
  const id = asMaintenanceId(textIn(request.args, 'id'));
  const { read } = request.context.engine;
  const window = read.maintenanceWindow(id);
  if (window?.projectId !== projectIn(request).id || etagOf(window, read) !== request.args.expect)
    throw changed(`maintenance window ${window?.name ?? id}`);
  return window;
}
