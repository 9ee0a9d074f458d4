/** The page of the badges: one of the whole project, one of each tag, one of each check. */
import { useState } from 'preact/hooks';
import type { BadgeListAnswer } from '../../domain/views/api-answers.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { apiPath } from '../rows/api-check.ts';
import { useAllRows } from '../rows/use-rows.ts';
import { Problem } from '../ui/bits.tsx';
import { Badge, firstLook, LookChoice } from './badge.tsx';
import { CheckBadge } from './check-badge.tsx';
import '../style/panels.css';

/** Tags whose badges are shown at once: the server draws a picture for each. */
const tagsPerLook = 50;

export function Badges({ project, live }: PageProps) {
  const { data, error } = useAsk<BadgeListAnswer>(apiPath(project, 'badges/'));
  const [look, setLook] = useState(firstLook);
  const [shown, setShown] = useState(tagsPerLook);
  useTab(live.summary, 'Badges');
  const { '*': all, ...byTag } = data?.badges ?? {};
  const tags = Object.entries(byTag);
  return (
    <>
      <h1>Badges</h1>
      <p>
        Badges are public: anyone with the URL sees the status, nothing else. Paste the text beside a badge
        into a README, a wiki or a dashboard.
      </p>
      <Problem text={error} />
      <LookChoice look={look} change={setLook} />
      {all && (
        <ul class="plain card badges">
          <Badge name="All checks" of="all checks" label="status" urls={all} look={look} />
          {tags.slice(0, shown).map(([tag, urls]) => (
            <Badge key={tag} name={tag} of={tag} label={tag} urls={urls} look={look} />
          ))}
        </ul>
      )}
      {tags.length > shown && (
        <button type="button" onClick={() => setShown(shown + tagsPerLook)}>
          Show more tags ({tags.length - shown})
        </button>
      )}
      <CheckBadge rows={useAllRows(project, live)} project={project} look={look} />
    </>
  );
}
