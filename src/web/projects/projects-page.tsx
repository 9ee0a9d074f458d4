/** All projects with what they have of each status, those with the most trouble first. */

import { shownStatuses } from '../../domain/check/shown-status.ts';
import type { ProjectOverview } from '../../domain/views/page-view.ts';
import { roughSpan } from '../../domain/words/span-words.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, wallAddress } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useNow } from '../core/use-now.ts';
import { shownWords } from '../core/words.ts';
import { useOverview } from '../rows/use-overview.ts';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import '../style/overview.css';

export function Projects({ live }: PageProps) {
  const { overview, error, offsetMs } = useOverview({ project: '', key: '', rows: false });
  const nowMs = useNow(offsetMs);
  useTab(live.summary, 'Projects');
  if (!overview) return <Problem text={error} />;
  return (
    <>
      <div class="page-head">
        <h1>Projects</h1>
        <a class="button" href={wallAddress('')}>
          <Icon name="list" /> Wall view
        </a>
      </div>
      <Problem text={error} />
      <div class="overview card">
        <table>
          <thead>
            <tr>
              <th scope="col">Project</th>
              {shownStatuses.map((status) => (
                <th key={status} scope="col" class="figure">
                  {shownWords[status]}
                </th>
              ))}
              <th scope="col" class="figure">
                Checks
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.projects.map((project) => (
              <Line key={project.id} project={project} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Line({ project: { id, name, summary }, nowMs }: { project: ProjectOverview; nowMs: number }) {
  const { counts, all } = summary;
  const worst = shownStatuses.find((status) => counts[status] > 0) ?? 'new';
  const address = addressOf(id, 'checks');
  return (
    <tr class={worst}>
      <th scope="row">
        <Shape of={worst} />
        <span>
          <a href={address}>{name}</a>
          <span class="note">{noteOf(summary, nowMs)}</span>
        </span>
      </th>
      {shownStatuses.map((status) => (
        <td key={status} class={`figure ${status}${counts[status] === 0 ? ' none' : ''}`}>
          {counts[status] === 0 ? (
            0
          ) : (
            <a
              href={`${address}?status=${status}`}
              aria-label={`${counts[status]} ${shownWords[status]} in ${name}`}
            >
              {counts[status].toLocaleString()}
            </a>
          )}
        </td>
      ))}
      <td class="figure">{all.toLocaleString()}</td>
    </tr>
  );
}

function noteOf({ all, downSinceMs, lateUntilMs }: ProjectOverview['summary'], nowMs: number): string {
  if (all === 0) return 'No checks yet';
  if (downSinceMs !== null) return `Longest down ${roughSpan(nowMs - downSinceMs)}`;
  if (lateUntilMs !== null) return `Next down in ${roughSpan(lateUntilMs - nowMs)}`;
  return 'Nothing is down';
}
