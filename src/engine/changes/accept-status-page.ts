/**
 * Status pages: created, changed and deleted. `commands/contract/status-page-input` checks what is entered.
 * Invariants: no two have the same slug, and every page belongs to a project that is there.
 */
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { KnellError } from '../../lib/errors.ts';
import type { StatusPageId } from '../../lib/ids.ts';
import { statusPageDeletedFact, statusPageFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { appended } from './appended.ts';

export async function putStatusPage(context: EngineContext, page: StatusPage): Promise<StatusPage> {
  const { registry, bounds } = context;
  const { statusPages } = registry;
  if (!registry.projectIndex(page.projectId)) throw new KnellError('not-found', 'no such project');
  const other = statusPages.bySlug(page.slug);
  if (other && other.id !== page.id)
    throw new KnellError('conflict', `another status page has the address ${page.slug}`, { field: 'slug' });
  const before = statusPages.get(page.id);
  const most = bounds.statusPagesPerProjectMax;
  if (!before && statusPages.of(page.projectId).length >= most)
    throw new KnellError('conflict', `a project has at most ${most} status pages: delete one first`);
  statusPages.put(page);
  const undo = (): void => {
    if (before) statusPages.put(before);
    else statusPages.remove(page.id);
  };
  await appended(
    context,
    { type: 'put', kind: 'status-page', fact: page },
    undo,
    statusPageFact(registry, before, page),
  );
  return page;
}

export async function deleteStatusPage(context: EngineContext, id: StatusPageId): Promise<void> {
  const { statusPages } = context.registry;
  const page = statusPages.get(id);
  if (!page) throw new KnellError('not-found', 'this status page was deleted');
  statusPages.remove(id);
  const undo = (): void => statusPages.put(page);
  const fact = statusPageDeletedFact(context.registry, page);
  await appended(context, { type: 'removed', kind: 'status-page', id }, undo, fact);
}
