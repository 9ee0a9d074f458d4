/**
 * One incident, as its page shows it, with what can be sent again and the descriptions of what is down. The list, and what people do with an incident, are the management API's, which the page uses.
 * Invariant: what is shown is durable, and an incident of another project is as one that does not exist.
 */
import type { IncidentCheck } from '../../../domain/alerting/incident.ts';
import type { IncidentCheckView, IncidentView } from '../../../domain/views/incident-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { asIncidentId } from '../../../lib/ids.ts';
import { incidentDetails } from '../../api/incidents/incident-json.ts';
import { incidentDescCharsMax } from '../../limits.ts';
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
  const details = await incidentDetails(incident, reader);
  const descs = await read.durably(() => incident.checks.map((check) => descOf(check, read, nowMs)));
  const checks = details.checks.map((check, at) => Object.assign({}, check, descs[at]));
  return jsonReply({ ...details, checks } satisfies IncidentView);
}

/** What to do about the check, which people look for while it is down. The page of the check has all of a long one. */
function descOf(
  { id, leftMs }: IncidentCheck,
  read: EngineRead,
  nowMs: number,
): Pick<IncidentCheckView, 'desc'> {
  const desc = leftMs === 0 ? (read.check(id, nowMs)?.config.desc ?? '') : '';
  if (desc === '') return {};
  if (desc.length <= incidentDescCharsMax) return { desc };
  // Only whole words: an address that is cut would be another one.
  return { desc: `${desc.slice(0, incidentDescCharsMax).replace(/\s*\S*$/, '')} …` };
}
