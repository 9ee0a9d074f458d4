/** The page that makes a check, from nothing or like another one. */
import { useState } from 'preact/hooks';
import type { ProjectSettings } from '../../domain/views/page-view.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, crontabPage, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { leaveUnasked } from '../core/typed.ts';
import { hasBegun } from '../core/use-steps.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { NotAllowed, NotLoaded } from '../ui/bits.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { say } from '../ui/toasts.tsx';
import { CheckForm } from './check-form.tsx';

export function NewCheck({ project, state, live, mayEdit, clone }: PageProps & { readonly clone: string }) {
  const settingsPath = `/web/in/${project}/settings`;
  const like = useAsk<ApiCheck>(clone === '' ? settingsPath : apiPath(project, `checks/${clone}`));
  const settings = useAsk<ProjectSettings>(settingsPath);
  const [last, setLast] = useState<Last | null>(null);
  const isClone = clone !== '';
  const cloned = isClone && like.data ? nameOf(like.data) : '';
  const made = last?.count ?? 0;
  useTab(live.summary, isClone ? `Clone ${cloned}` : 'New check');
  if (!mayEdit)
    return <NotAllowed title="New check" text="Your role is read-only. Ask an owner for access." />;
  if (!like.data || !settings.data) return <NotLoaded text={like.error || settings.error} />;
  const { channels } = settings.data;
  const assigned = channels.filter(({ notForNew }) => !notForNew);
  const everyone = { channels: assigned.map(({ id }) => id).join(',') };
  const save = async (fields: Readonly<Record<string, unknown>>, isAnother: boolean): Promise<void> => {
    const created = await send<ApiCheck>('POST', apiPath(project, 'checks/'), fields);
    // It takes the place of what was said of the check before: `u` is about the one that is in sight.
    const about = [created.uuid, ...(last === null ? [] : [last.created.uuid])];
    const sayCreated = (undone: () => void): void =>
      say(
        `${nameOf(created)} was created.`,
        async () => {
          await send('DELETE', apiPath(project, `checks/${created.uuid}`));
          undone();
        },
        about,
      );
    if (isAnother) {
      setLast({ count: made + 1, created, isUndone: false });
      scrollTo(0, 0);
      // What is typed into the next form meanwhile stays.
      sayCreated(() =>
        setLast((now) => (now?.created.uuid === created.uuid ? { ...now, isUndone: true } : now)),
      );
      return;
    }
    // The first steps go on where they were left, which is at the first check.
    const isFirst = hasBegun(project) && (live.summary?.all ?? 0) === 0;
    const place = addressOf(project, 'checks', isFirst ? '' : created.uuid);
    leaveFor(place);
    if (isFirst) return;
    sayCreated(() => {
      if (location.pathname === place) go(addressOf(project, 'checks'));
    });
  };
  return (
    <>
      <PageHead
        list="Checks"
        href={addressOf(project, 'checks')}
        title={isClone ? 'Clone' : 'New check'}
        {...(isClone ? { of: { name: cloned, href: addressOf(project, 'checks', clone) } } : {})}
      />
      <p class="faint">
        {isClone ? (
          'The clone gets a ping URL of its own, and begins without any pings.'
        ) : (
          <>
            Several at once: <a href={addressOf(project, 'new', crontabPage)}>paste a crontab</a>
          </>
        )}
      </p>
      {last !== null && <Created {...{ project, last }} carriesTags={!isClone} />}
      <CheckForm
        key={`${clone} ${made}`}
        project={project}
        check={isClone ? cloneOf(like.data, made) : last ? likeTheLast(last.created) : everyone}
        channels={channels}
        inherited={settings.data.project}
        state={state}
        label="Create check"
        another={isClone ? 'Create and clone again' : 'Create and add another'}
        // Who had none wants none for the clone.
        proposesSlug={!isClone || like.data.slug !== ''}
        save={save}
        cancel={() => leaveFor(addressOf(project, 'checks', clone))}
      />
    </>
  );
}

/** The check that was created a moment ago, after which another one follows. */
interface Last {
  readonly count: number;
  readonly created: ApiCheck;
  /** Whether it was deleted again. */
  readonly isUndone: boolean;
}

interface CreatedProps {
  readonly project: string;
  readonly last: Last;
  readonly carriesTags: boolean;
}

/** The message that it was created goes after some seconds, and readers of screens have it from there. */
function Created({ project, last: { created, isUndone }, carriesTags }: CreatedProps) {
  const { tags, uuid } = created;
  const name = isUndone ? (
    nameOf(created)
  ) : (
    <a href={addressOf(project, 'checks', uuid)}>{nameOf(created)}</a>
  );
  return (
    <p class="hint">
      {name} {isUndone ? 'was deleted again.' : 'was created.'}
      {carriesTags && tags !== '' && (
        <>
          {' '}
          The next one has its tags: <strong>{tags}</strong>.
        </>
      )}
    </p>
  );
}

function leaveFor(path: string): void {
  leaveUnasked();
  go(path);
}

/** A clone is a check of its own: without the UUID, its form is that of a new one. `made` is how many were created before it. */
function cloneOf({ uuid: _, ...check }: ApiCheck, made: number): Partial<ApiCheck> {
  const copy = made === 0 ? 'copy' : `copy ${made + 1}`;
  return { ...check, name: `${check.name} (${copy})`, slug: '' };
}

/** Returns the fields that are likely the same in the next check. */
function likeTheLast({ tags, channels, timeout, grace, schedule, tz }: ApiCheck): Partial<ApiCheck> {
  return {
    tags,
    channels,
    grace,
    ...(timeout === undefined ? {} : { timeout }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(tz === undefined ? {} : { tz }),
  };
}
