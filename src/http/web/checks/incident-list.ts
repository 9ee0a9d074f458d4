/**
 * The incidents of a project as its page lists them: as the management API does, with how those ended that no job ended.
 * Invariant: what is shown is durable.
 */
import { isEndedByPause } from '../../../domain/alerting/incident-words.ts';
import type { IncidentsView } from '../../../domain/views/incident-view.ts';
import { parseIncidentQuery } from '../../api/incidents/incident-query.ts';
import { readIncidents } from '../../api/incidents/incidents.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';

export async function showIncidents({ context, request, project, nowMs }: ProjectCall): Promise<HttpReply> {
  const parsed = parseIncidentQuery(new URLSearchParams(request.query));
  if (!parsed.ok) return errorReply(400, parsed.error);
  const { shown, answer } = await readIncidents(context.engine.read, project.id, parsed.query, nowMs);
  const incidents = answer.incidents.map((listed, at) => {
    const { stage = 'open', entries = [] } = shown[at] ?? {};
    return stage === 'resolved' && isEndedByPause(entries)
      ? { ...listed, endedBy: 'pause' as const }
      : listed;
  });
  return jsonReply({ incidents, next: answer.next } satisfies IncidentsView);
}
