/** The page of the badges: one of the whole project, one of each tag, one of each check. */
import { useMemo, useState } from 'preact/hooks';
import type { BadgeListAnswer } from '../../domain/views/api-answers.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { apiPath } from '../rows/api-check.ts';
import { tagsOf } from '../rows/filter.ts';
import { useAllRows, watchedMax } from '../rows/use-rows.ts';
import { Problem } from '../ui/bits.tsx';
import { Badge, countsWords, firstLook, LookChoice, labelled, shownOf } from './badge.tsx';
import { CheckBadge } from './check-badge.tsx';
import '../style/panels.css';

/** Tags whose badges are shown at once: the server draws a picture for each. */
const tagsPerLook = 50;

export function Badges({ project, live, state }: PageProps) {
  const { data, error } = useAsk<BadgeListAnswer>(apiPath(project, 'badges/'));
  const [look, setLook] = useState(firstLook);
  const [shown, setShown] = useState(tagsPerLook);
  useTab(live.summary, 'Badges');
  const { '*': all, ...byTag } = data?.badges ?? {};
  const tags = Object.entries(byTag);
  const name = state.projects.find(({ id }) => id === project)?.name ?? '';
  const rows = useAllRows(project, live);
  const notes = useMemo(() => notesOf(rows), [rows]);
  // Of many checks only the counts are live: whenever these change, any picture may be another one.
  const { counts } = live.summary ?? {};
  const others = counts && rows.length > watchedMax ? Object.values(counts).join(' ') : '';
  // All at once: what comes first would be moved by the rest.
  const isThere = data !== null && (rows.length > 0 || live.summary?.all === 0);
  return (
    <>
      <h1>Badges</h1>
      <p>Paste the text beside a badge into a README, a wiki or a dashboard. Badges are public.</p>
      <Problem text={error} />
      <LookChoice look={look} change={setLook} />
      {isThere && all && (
        <ul class="plain card badges">
          <Badge
            name="All checks"
            of="all checks"
            label={state.badgeLabel ?? name}
            urls={state.badgeLabel === null ? labelled(all, name) : all}
            look={look}
            note={notes.all.note}
            shows={`${notes.all.shown} ${others}`}
          />
        </ul>
      )}
      {isThere && <CheckBadge {...{ rows, project, look, others }} />}
      {isThere && tags.length > 0 && (
        <section class="card">
          <h2>Tags</h2>
          <ul class="plain badges">
            {tags.slice(0, shown).map(([tag, urls]) => (
              <Badge
                key={tag}
                name={tag}
                of={tag}
                label={tag}
                urls={urls}
                look={look}
                note={notes.byTag.get(tag)?.note ?? ''}
                shows={`${notes.byTag.get(tag)?.shown ?? ''} ${others}`}
              />
            ))}
          </ul>
          {tags.length > shown && (
            <button type="button" onClick={() => setShown(shown + tagsPerLook)}>
              Show more tags ({tags.length - shown})
            </button>
          )}
        </section>
      )}
      {isThere && (
        <p class="faint">
          Anyone with the URL of a badge sees its label and status; its JSON also says how many checks it
          counts. New and paused checks count as up, and so do late ones unless “late” is shown as a third
          state.
        </p>
      )}
    </>
  );
}

interface Notes {
  /** What the badges do not show: see `countsWords`. */
  readonly note: string;
  readonly shown: string;
}

function notesOf(rows: readonly CheckRow[]) {
  const byTag = new Map<string, CheckRow[]>();
  for (const row of rows)
    for (const tag of tagsOf(row)) {
      const those = byTag.get(tag) ?? [];
      byTag.set(tag, those);
      those.push(row);
    }
  const notes = (those: readonly CheckRow[]): Notes => ({ note: countsWords(those), shown: shownOf(those) });
  return { all: notes(rows), byTag: new Map([...byTag].map(([tag, those]) => [tag, notes(those)])) };
}
