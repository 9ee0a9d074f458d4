/** The audit log, for owners: who changed what, when, and from where. The filter is in the address. */

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { AuditEntryView, AuditView } from '../../domain/views/account-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { ask, messageOf, useRetry } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { serverPath, useSearch } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { zoneName } from '../core/time-style.ts';
import { useNow } from '../core/use-now.ts';
import { useWide } from '../core/use-wide.ts';
import { exactClock, exactTime } from '../core/words.ts';
import { Act, NotAllowed, Problem } from '../ui/bits.tsx';
import { backwardsWords, isBackwards } from '../ui/filter-parts.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Changes } from './audit-changes.tsx';
import { Exports, Filter } from './audit-filter.tsx';
import { foldsOf } from './audit-folds.ts';
import { placeAddress } from './audit-place.ts';
import { askedOf, chosenIn, takesParts } from './audit-query.ts';
import { allFieldsWords, allWords, dayHeading, detailWords, whatWords, whoWords } from './audit-words.ts';
import '../style/panels.css';

export function AuditLog({ live, state, project }: PageProps) {
  const query = useSearch().slice(1);
  useTab(live.summary, 'Audit log');
  const asked = askedOf(query);
  const { entries, members, named, next, problem, older } = useEntries(asked);
  const nowMs = useNow(live.offsetMs);
  // On a phone what is exported is chosen first.
  const isWide = useWide();
  if (state.user?.role !== 'owner')
    return <NotAllowed title="Audit log" text="Only owners can see it: ask one of them." />;
  return (
    <>
      <div class="page-head audit-head">
        <PageHead list="Server" href={fromRoot(serverPath)} title="Audit log" />
        {isWide && <Exports query={asked} />}
      </div>
      <p>
        Who changed what in all projects and on the server, when, and from where. Entries are kept for 90
        days. Times are in {zoneName()}.
      </p>
      <Filter query={query} members={members} projects={state.projects} />
      {!isWide && <Exports query={asked} />}
      <Problem text={backwardsWords('From', query) || problem} />
      {entries?.length === 0 && next === null && (
        <p class="faint" role="status">
          {chosenIn(query).length > 0 ? 'No entries match the filter.' : 'No entries.'}
        </p>
      )}
      {daysOf(entries ?? [], nowMs).map(({ words, ofDay }) => (
        <section key={words} aria-label={words}>
          <h2 class="audit-day">{words}</h2>
          <ol class="plain card audit">
            {foldsOf(ofDay).map(([first, ...others]) =>
              first === undefined ? null : others.length === 0 ? (
                <Entry key={first.id} entry={first} {...{ named, project }} />
              ) : (
                <Fold
                  key={first.id}
                  entries={[first, ...others]}
                  isCut={next !== null && others.at(-1) === entries?.at(-1)}
                  isPart={takesParts(query)}
                  {...{ named, project }}
                />
              ),
            )}
          </ol>
        </section>
      ))}
      {next !== null && (
        <Act run={older} failed={() => {}}>
          Load older entries
        </Act>
      )}
    </>
  );
}

interface Day {
  readonly words: string;
  readonly ofDay: AuditEntryView[];
}

/** Puts the entries, which are in the order of their instants, under their days. */
function daysOf(entries: readonly AuditEntryView[], nowMs: number): readonly Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const words = dayHeading(entry.atMs, nowMs);
    const day = days.at(-1);
    if (day?.words === words) day.ofDay.push(entry);
    else days.push({ words, ofDay: [entry] });
  }
  return days;
}

interface Entries extends AuditView {
  readonly query: string;
}

/** Loads the entries that the query wants, the newest first; `older` adds the next page. */
function useEntries(query: string) {
  const [found, setFound] = useState<Entries | null>(null);
  const [problem, setProblem] = useState('');
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const { asked, answered, failed } = useRetry(again);
  useEffect(() => {
    let isCurrent = true;
    asked();
    if (isBackwards(query)) return;
    ask<AuditView>(`/web/audit?${query}`).then(
      (answer) => {
        if (!isCurrent) return;
        setFound({ ...answer, query });
        setProblem('');
        answered();
      },
      (reason: unknown) => isCurrent && setProblem(failed(reason)),
    );
    return () => {
      isCurrent = false;
    };
  }, [query, round]);
  const older = async (): Promise<void> => {
    const wanted = new URLSearchParams(query);
    wanted.set('before', found?.next ?? '');
    try {
      const page = await ask<AuditView>(`/web/audit?${wanted}`);
      setFound((before) =>
        before?.query === query
          ? {
              ...before,
              entries: [...before.entries, ...page.entries],
              named: { ...before.named, ...page.named },
              next: page.next,
            }
          : before,
      );
    } catch (reason) {
      setProblem(messageOf(reason));
    }
  };
  const { entries = null, members = [], named = {}, next = null } = found ?? {};
  return { entries, members, named, next, problem, older };
}

interface EntryProps extends Pick<AuditView, 'named'> {
  readonly entry: AuditEntryView;
  /** The latest one: the page is of all. */
  readonly project: string;
}

interface FoldProps extends Pick<EntryProps, 'named' | 'project'> {
  /** Newest first. */
  readonly entries: readonly [AuditEntryView, ...AuditEntryView[]];
  /** Whether more of them may be among the older entries. */
  readonly isCut: boolean;
  /** Whether the filter may leave some of them out. */
  readonly isPart: boolean;
}

/** What was done to many checks by one action is one line, which opens. */
function Fold({ entries, isCut, isPart, named, project }: FoldProps) {
  const [first] = entries;
  const fields = first.action === 'changed' ? allFieldsWords(entries) : '';
  return (
    <li>
      <When atMs={first.atMs} />
      <details class="audit-fold">
        <summary>
          <strong>{whoWords(first, named)}</strong> {allWords(first, entries.length, { isCut, isPart })}{' '}
          {fields !== '' && <span class="faint detail">{fields}</span>}
        </summary>
        <ol class="plain audit">
          {entries.map((entry) => (
            <Entry key={entry.id} {...{ entry, named, project }} />
          ))}
        </ol>
      </details>
      <Where {...first} />
    </li>
  );
}

function When({ atMs }: Pick<AuditEntryView, 'atMs'>) {
  return (
    <time class="faint" dateTime={new Date(atMs).toISOString()} title={exactTime(atMs)}>
      {exactClock(atMs)}
    </time>
  );
}

function Where({ projectName, address }: Pick<AuditEntryView, 'projectName' | 'address'>) {
  return (
    <span class="parts faint">
      {projectName !== '' && <span>{projectName}</span>} {address !== '' && <span>{address}</span>}
    </span>
  );
}

function Entry({ entry, named, project }: EntryProps) {
  const { atMs, action, name, subject, changes } = entry;
  const isUnnamed = (subject === 'check' || subject === 'key') && name === '';
  const details = detailWords(entry);
  const href = placeAddress(entry, project);
  const linked = (words: string) => (href === null ? words : <a href={href}>{words}</a>);
  return (
    <li>
      <When atMs={atMs} />
      <span>
        <span>
          <strong>{whoWords(entry, named)}</strong> {whatWords(entry)} {isUnnamed && linked('without a name')}
          {!isUnnamed && subject !== 'session' && <strong>{linked(name)}</strong>}{' '}
          {details !== '' && details !== name && <span class="faint detail">{details}</span>}
        </span>
        {changes.length > 0 && <Changes {...{ subject, changes, named }} isNew={action === 'created'} />}
      </span>
      <Where {...entry} />
    </li>
  );
}
