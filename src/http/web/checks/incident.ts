/**
 * One incident, as its page shows it, with what can be sent again. The list, and what people do with an incident, are the management API's, which the page uses.
 * Invariant: what is shown is durable, and an incident of another project is as one that does not exist.
 */
import type { IncidentView } from '../../../domain/views/incident-view.ts';
import { asIncidentId } from '../../../lib/ids.ts';
import { incidentDetails } from '../../api/incidents/incident-json.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { mayPing } from '../calls/shown-id.ts';
import { offersRetry } from './retries.ts';

/** Viewers see who was notified, as in the log of a check. */
export async function showIncident({ context, project, role, path, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const id = asIncidentId(path.id ?? '');
  const incident = await read.durably(() => read.incident(id));
  if (incident?.projectId !== project.id) return notFound;
  const { outbox } = context.commands;
  const deliveries = () => outbox.all();
  const isOffered = offersRetry(context);
  const reader = { read, readOnly: !mayPing(role), withNotifications: true, deliveries, isOffered, nowMs };
  return jsonReply((await incidentDetails(incident, reader)) satisfies IncidentView);
}
