/**
 * Checks the input of owners and of the API about maintenance windows. Not here: the fields (`spec/maintenance-spec`).
 * Invariant: a window names only checks and integrations of its project; one that was deleted meanwhile is left out.
 */
import type { Project } from '../../domain/accounts/project.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import { type MaintenanceContent, readMaintenance } from '../../spec/maintenance-spec.ts';
import { InvalidField } from './command.ts';

interface MaintenanceInput {
  readonly read: Pick<EngineRead, 'check' | 'channel'>;
  readonly project: Project;
  readonly nowMs: number;
}

/** `before`: null for a new one. Throws an `InvalidField`. */
export function maintenanceIn(
  json: JsonObject,
  before: MaintenanceContent | null,
  { read, project, nowMs }: MaintenanceInput,
): MaintenanceContent {
  const given = readMaintenance(json, before, nowMs);
  if (!given.ok) throw new InvalidField(given.field, given.error);
  const checks = given.content.checks.filter((id) => {
    if (read.check(id, nowMs)?.projectId === project.id) return true;
    if (before?.checks.includes(id)) return false;
    throw new InvalidField('checks', `checks has ${id}, which is no check of this project`);
  });
  // Without its last check it would be about the whole project.
  if (checks.length === 0 && given.content.checks.length > 0 && given.content.tags.length === 0)
    throw new InvalidField('checks', 'all checks of this window were deleted: choose others');
  return { ...given.content, checks, integrations: integrationsIn(given.content, before, { read, project }) };
}

function integrationsIn(
  { integrations: given }: MaintenanceContent,
  before: MaintenanceContent | null,
  { read, project }: Pick<MaintenanceInput, 'read' | 'project'>,
): MaintenanceContent['integrations'] {
  const refuse = (problem: string): never => {
    throw new InvalidField('integrations', problem);
  };
  const integrations = given.filter((id) => {
    const channel = read.channel(id);
    const isOwn = channel?.projectId === project.id;
    if (isOwn && channel.kind !== 'group') return true;
    if (before?.integrations.includes(id)) return false;
    // What is sent to a group is sent to its integrations: its own quiet hours would do nothing.
    if (isOwn)
      return refuse(`integrations has ${id}, which is a group: give the integrations that are in it`);
    return refuse(`integrations has ${id}, which is no integration of this project`);
  });
  // Without its last integration it would be maintenance of all checks.
  if (integrations.length === 0 && given.length > 0)
    return refuse('all integrations of these quiet hours were deleted: choose others');
  return integrations;
}
