/**
 * Finds the checks before and after one in the order of the list: for a check's page that was opened by its link, without a
 * list. `list/order` has the order.
 * Invariant: two ids are sent, however many checks there are.
 */
import type { NeighboursView } from '../../../domain/views/page-view.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf, shownId } from '../calls/shown-id.ts';
import { readListQuery } from '../list/query.ts';

/**
 * The query is that of the list; without one the usual order applies. A check that the query does not select has no neighbours.
 */
export async function showNeighbours(call: ProjectCall): Promise<HttpReply> {
  const { context, project, path, request, role, nowMs } = call;
  const id = await checkIdOf(call, path.id ?? '');
  if (
    context.engine.read.check(id as Parameters<typeof context.engine.read.check>[0], nowMs)?.projectId !==
    project.id
  )
    return notFound;
  const list = context.lists.of(project.id, nowMs);
  const { all } = await list.select(readListQuery(new URLSearchParams(request.query)), nowMs);
  const entries = await all();
  const place = entries.findIndex((entry) => entry.id === id);
  const at = (other: number): string | null => {
    const entry = place < 0 ? undefined : entries[other];
    return entry ? shownId(role, entry.id) : null;
  };
  return jsonReply({ previous: at(place - 1), next: at(place + 1) } satisfies NeighboursView);
}
