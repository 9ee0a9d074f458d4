/** One check: how it is and why, where it is pinged, what has happened to it, and what can be done about it. */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, CheckStory, ProjectSettings } from '../domain/page-view.ts';
import { type ApiCheck, type ApiPing, apiPath } from './api-check.ts';
import { Problem, Time } from './bits.tsx';
import { CheckActions } from './check-actions.tsx';
import { CheckForm } from './check-form.tsx';
import { send, useAsk } from './door.ts';
import { Flips } from './flips.tsx';
import type { PageProps } from './page-props.ts';
import { PingAddress } from './ping-address.tsx';
import { PingLog } from './ping-log.tsx';
import { StatusMark } from './status-mark.tsx';
import { useTab } from './tab.ts';
import { Durations, Timeline } from './timeline-view.tsx';
import { useNow } from './use-now.ts';
import { scheduleWords, spanWords } from './words.ts';

const runsShown = 60;

export function CheckPage(props: PageProps & { readonly id: string }) {
  const { project, id, live, mayEdit, state } = props;
  const row = live.rows?.find((one) => one.id === id) ?? null;
  const version = useSettled(row ? `${row.nPings} ${row.status} ${row.name}` : '');
  const check = useAsk<ApiCheck>(apiPath(project, `checks/${id}`), version);
  const story = useAsk<CheckStory>(`/web/in/${project}/checks/${id}/story`, version);
  const pings = useAsk<{ pings: ApiPing[] }>(apiPath(project, `checks/${id}/pings/`), version);
  const [editing, setEditing] = useState(false);
  const nowMs = useNow(live.offsetMs);
  useTab(live.rows, row?.name || 'Check');
  if (live.rows !== null && row === null)
    return <Problem text="This check is gone: somebody has deleted it." />;
  if (!row || !check.data) return <Problem text={check.error} />;
  if (editing)
    return <Edit {...props} check={check.data} done={() => setEditing(false)} saved={check.reload} />;
  const durations = (pings.data?.pings ?? []).flatMap(({ duration }) =>
    duration === undefined ? [] : [duration],
  );
  return (
    <article>
      <h1>{row.name || row.slug || 'Unnamed check'}</h1>
      {check.data.desc !== '' && <p class="desc">{check.data.desc}</p>}
      <Now row={row} nowMs={nowMs} story={story.data} />
      {mayEdit && <CheckActions row={row} project={project} edit={() => setEditing(true)} />}
      <PingAddress url={check.data.ping_url} mail={`${id}@${state.emailDomain}`} />
      {story.data && <Timeline story={story.data} status={row.status} nowMs={nowMs} />}
      <Durations seconds={durations.slice(0, runsShown).reverse()} />
      <PingLog pings={pings.data?.pings ?? []} project={project} id={id} nowMs={nowMs} />
      <Flips changes={story.data?.changes ?? []} nowMs={nowMs} />
    </article>
  );
}

const settleMs = 300;

/** A busy check would otherwise be read anew with every ping. */
function useSettled(version: string): string {
  const [settled, setSettled] = useState(version);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(version), settleMs);
    return () => clearTimeout(timer);
  }, [version]);
  return settled;
}

function Now({ row, nowMs, story }: { row: CheckRow; nowMs: number; story: CheckStory | null }) {
  const [last] = story?.changes ?? [];
  return (
    <section class="now">
      <p class="big">
        <StatusMark status={row.status} started={row.startedMs !== null} />
      </p>
      <p>{whyOf(row)}</p>
      <dl>
        <dt>Expected</dt>
        <dd>
          {scheduleWords(row)}, grace time {spanWords(row.graceS)}
        </dd>
        <dt>Last ping</dt>
        <dd>
          <Time atMs={row.lastPingMs} nowMs={nowMs} none="never" />
        </dd>
        <dt>Next expected</dt>
        <dd>
          <Time atMs={row.nextPingMs} nowMs={nowMs} />
        </dd>
        <dt>So since</dt>
        <dd>
          <Time atMs={last?.atMs ?? null} nowMs={nowMs} />
        </dd>
      </dl>
    </section>
  );
}

function whyOf({ status, startedMs }: CheckRow): string {
  switch (status) {
    case 'new':
      return 'It has never pinged: Knell waits for the first ping, and does not ring before it.';
    case 'up':
      return startedMs === null ? 'It pinged in time.' : 'It pinged in time, and is running now.';
    case 'grace':
      return 'The ping is late; Knell rings when the grace time is over.';
    case 'down':
      return 'The ping did not come in time, or the job said that it failed.';
    case 'paused':
      return 'It is paused: nothing is expected, and Knell does not ring.';
  }
}

interface EditProps extends PageProps {
  readonly check: ApiCheck;
  readonly done: () => void;
  readonly saved: () => void;
}

function Edit({ check, project, done, saved }: EditProps) {
  const { data, error } = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  const save = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
    await send('POST', apiPath(project, `checks/${check.uuid}`), fields);
    saved();
    done();
  };
  if (!data) return <Problem text={error} />;
  return (
    <>
      <h1>Edit {check.name || check.slug || 'the check'}</h1>
      <CheckForm check={check} channels={data.channels} label="Save" save={save} cancel={done} />
    </>
  );
}
