/**
 * Maintenance windows: listed, created, changed, ended and deleted. It is an addition of Knell to the API. `spec/maintenance-spec` has
 * the fields of a request, `domain/views/maintenance-view` those of an answer.
 * Invariant: between the look-up of a window and the request for its change there is no await.
 */
import { InvalidField } from '../../../commands/contract/command.ts';
import { maintenanceIn } from '../../../commands/contract/maintenance-input.ts';
import type { MaintenanceWindow } from '../../../domain/alerting/maintenance.ts';
import {
  type MaintenanceAnswer,
  type MaintenanceListAnswer,
  maintenanceView,
  viewChangesAt,
} from '../../../domain/views/maintenance-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asMaintenanceId, uniqueKeyOf } from '../../../lib/ids.ts';
import type { MaintenanceContent } from '../../../spec/maintenance-spec.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ApiCall, pathPart } from '../call.ts';
import { refusalReply } from '../change-checks.ts';
import { authorOf } from './snooze.ts';

export function listMaintenance(call: ApiCall): Promise<HttpReply> {
  const { read, project } = call;
  return read.durably(() =>
    jsonReply({
      maintenance: read.maintenance(project.id).map((window) => shown(call, window)),
    } satisfies MaintenanceListAnswer),
  );
}

export function getMaintenance(call: ApiCall): Promise<HttpReply> {
  return call.read.durably(() => {
    const found = windowOf(call);
    return 'window' in found ? jsonReply(shown(call, found.window)) : found.refusal;
  });
}

export async function createMaintenance(call: ApiCall): Promise<HttpReply> {
  const { change, project, nowMs } = call;
  const given = contentIn(call, null);
  if ('refusal' in given) return given.refusal;
  const id = asMaintenanceId(change.ids.newUuid());
  const window = { ...given.content, id, projectId: project.id, createdAtMs: nowMs, by: authorOf(call) };
  return changeReply(call, change.putMaintenance(window, nowMs), 201);
}

export function updateMaintenance(call: ApiCall): Promise<HttpReply> {
  return actOn(call, async (window) => {
    const given = contentIn(call, window);
    if ('refusal' in given) return given.refusal;
    return changeReply(call, call.change.putMaintenance({ ...window, ...given.content }, call.nowMs));
  });
}

export function endMaintenance(call: ApiCall): Promise<HttpReply> {
  return actOn(call, ({ id }) => changeReply(call, call.change.endMaintenance(id, call.nowMs)));
}

/** Replies with the window as it was. */
export function deleteMaintenance(call: ApiCall): Promise<HttpReply> {
  return actOn(call, (window) =>
    changeReply(
      call,
      call.change.deleteMaintenance(window.id).then(() => window),
    ),
  );
}

const denied = errorReply(403, 'access denied: the maintenance window belongs to another project');

type WindowLookup = { readonly window: MaintenanceWindow } | { readonly refusal: HttpReply };

function windowOf(call: ApiCall): WindowLookup {
  const window = call.read.maintenanceWindow(asMaintenanceId(pathPart(call, 'window')));
  if (window === null) return { refusal: notFound };
  return window.projectId === call.project.id ? { window } : { refusal: denied };
}

/** The search is repeated if the data behind a refusal was rolled back. */
async function actOn(
  call: ApiCall,
  act: (window: MaintenanceWindow) => Promise<HttpReply>,
): Promise<HttpReply> {
  for (;;) {
    const found = windowOf(call);
    if ('window' in found) return act(found.window);
    const again = await call.read.durably(() => windowOf(call));
    if ('refusal' in again) return again.refusal;
  }
}

function contentIn(
  { json, read, project, nowMs }: ApiCall,
  before: MaintenanceContent | null,
): { readonly content: MaintenanceContent } | { readonly refusal: HttpReply } {
  try {
    return { content: maintenanceIn(json, before, { read, project, nowMs }) };
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    return { refusal: errorReply(400, `json validation error: ${error.message}`) };
  }
}

async function changeReply(
  call: ApiCall,
  change: Promise<MaintenanceWindow>,
  status = 200,
): Promise<HttpReply> {
  try {
    return jsonReply(shown(call, await change), status);
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return refusalReply(call, error);
  }
}

function shown(call: ApiCall, window: MaintenanceWindow): MaintenanceAnswer {
  const { nowMs, readOnly } = call;
  call.changesAt(viewChangesAt(window, nowMs));
  return maintenanceView(window, nowMs, readOnly ? uniqueKeyOf : String);
}
