/** Which status pages show checks that are about to go: their readers will miss them. */
import type { CheckRow, StatusPagesView } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import { tagsOf } from '../rows/filter.ts';

interface ShownOnProps {
  readonly project: string;
  readonly rows: readonly CheckRow[];
}

/** Nothing while the pages are not known, and if none shows one of the checks. */
export function ShownOn({ project, rows }: ShownOnProps) {
  const { data } = useAsk<StatusPagesView>(`/web/in/${project}/status-pages`);
  const ids = new Set(rows.map(({ id }) => id));
  const tags = new Set(rows.flatMap(tagsOf));
  const titles = (data?.pages ?? [])
    .filter(({ services }) =>
      services.some(({ checks, tag }) => tags.has(tag) || checks.some((id) => ids.has(id))),
    )
    .map(({ title }) => title);
  if (titles.length === 0) return null;
  const [are, it] = [titles.length === 1 ? 'status page' : 'status pages', rows.length === 1 ? 'it' : 'them'];
  return (
    <p>
      The {are} <strong>{titles.join(', ')}</strong> will no longer show {it}.
    </p>
  );
}
