/** One check: how it is and why, where it is pinged, what has happened to it, and what can be done about it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type { Cause } from '../domain/flip.ts';
import type { ChannelView, CheckRow, CheckStory, ProjectSettings } from '../domain/page-view.ts';
import { shownStatusOf } from '../domain/shown-status.ts';
import { type ApiCheck, type ApiNotification, type ApiPing, apiPath } from './api-check.ts';
import { Next, Problem, Time } from './bits.tsx';
import { CheckActions } from './check-actions.tsx';
import { CheckForm } from './check-form.tsx';
import { CheckLog } from './check-log.tsx';
import { send, useAsk } from './door.ts';
import { tagsOf } from './filter.ts';
import type { PageProps } from './page-props.ts';
import { PingAddress } from './ping-address.tsx';
import { addressOf } from './route.ts';
import { StatusMark } from './status-mark.tsx';
import { useTab } from './tab.ts';
import { Durations, Timeline } from './timeline-view.tsx';
import { useFocus } from './use-focus.ts';
import { useNow } from './use-now.ts';
import { useRow } from './use-rows.ts';
import { scheduleWords, spanWords, statusWords } from './words.ts';

const runsShown = 60;

export function CheckPage(props: PageProps & { readonly id: string }) {
  const { project, id, live, mayEdit, state } = props;
  const { row, isKnown } = useRow(project, id, live);
  const version = useSettled(row);
  const check = useAsk<ApiCheck>(apiPath(project, `checks/${id}`), version);
  const story = useAsk<CheckStory>(`/web/in/${project}/checks/${id}/story`, version);
  const pings = useAsk<{ pings: ApiPing[] }>(apiPath(project, `checks/${id}/pings/`), version);
  const sent = useAsk<{ notifications: ApiNotification[] }>(
    apiPath(project, `checks/${id}/notifications/`),
    version,
  );
  const settings = useAsk<ProjectSettings>(`/web/in/${project}/settings`, version);
  const [editing, setEditing] = useState(false);
  const wasThere = useRef(false);
  const nowMs = useNow(live.offsetMs);
  useTab(live.summary, row?.name || 'Check');
  useFocus(editing ? 'form' : 'check');
  if (row) wasThere.current = true;
  // One that has just been made is not among the rows yet.
  if (isKnown && !row && (wasThere.current || check.error === noneSuch))
    return <Gone checks={addressOf(project, 'checks')} />;
  if (!row || !check.data || !settings.data) return <Problem text={check.error || settings.error} />;
  const { channels } = settings.data;
  if (editing)
    return (
      <Edit
        project={project}
        channels={channels}
        check={check.data}
        done={() => setEditing(false)}
        saved={check.reload}
      />
    );
  const durations = (pings.data?.pings ?? []).flatMap(({ duration }) =>
    duration === undefined ? [] : [duration],
  );
  return (
    <article>
      <h1>{row.name || row.slug || 'Unnamed check'}</h1>
      {check.data.desc !== '' && <p class="desc">{check.data.desc}</p>}
      <Now row={row} nowMs={nowMs} story={story.data}>
        <dt>Notifies</dt>
        <dd>
          <Notified row={row} channels={channels} integrations={addressOf(project, 'integrations')} />
        </dd>
      </Now>
      {mayEdit && <CheckActions row={row} project={project} edit={() => setEditing(true)} />}
      {check.data.ping_url !== undefined && (
        <PingAddress
          url={check.data.ping_url}
          mail={state.emailDomain === null ? null : `${id}@${state.emailDomain}`}
        />
      )}
      {story.data && <Timeline story={story.data} status={row.status} nowMs={nowMs} />}
      <Durations seconds={durations.slice(0, runsShown).reverse()} />
      <CheckLog
        pings={pings.data?.pings ?? []}
        changes={story.data?.changes ?? []}
        notifications={sent.data?.notifications ?? []}
        project={project}
        id={id}
        nowMs={nowMs}
      />
    </article>
  );
}

/** What the management API answers, as `messageOf` has it. */
const noneSuch = 'Not found';

function Gone({ checks }: { readonly checks: string }) {
  return (
    <>
      <Problem text="This check was deleted." />
      <p>
        <a href={checks}>Back to all checks</a>
      </p>
    </>
  );
}

const settleMs = 500;

/** How `version` was a moment ago. A busy check would otherwise be read anew with every ping. */
function useSettled<T>(version: T): T {
  const [settled, setSettled] = useState(version);
  const latest = useRef(version);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    latest.current = version;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setSettled(latest.current);
    }, settleMs);
  }, [version]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return settled;
}

interface NowProps {
  readonly row: CheckRow;
  readonly nowMs: number;
  readonly story: CheckStory | null;
  /** More of the list. */
  readonly children: ComponentChildren;
}

function Now({ row, nowMs, story, children }: NowProps) {
  const [last] = story?.changes ?? [];
  return (
    <section class="now">
      <p class="big">
        <StatusMark status={shownStatusOf(row)} />
      </p>
      <p>{whyOf(row, last?.to === row.status ? last.cause : null)}</p>
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
          <Next row={row} nowMs={nowMs} />
        </dd>
        <dt>{statusWords[row.status]} since</dt>
        <dd>
          <Time atMs={last?.atMs ?? story?.createdAtMs ?? null} nowMs={nowMs} />
        </dd>
        {row.tags !== '' && (
          <>
            <dt>Tags</dt>
            <dd>
              {tagsOf(row).map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))}
            </dd>
          </>
        )}
        {children}
      </dl>
    </section>
  );
}

interface NotifiedProps {
  readonly row: CheckRow;
  readonly channels: readonly ChannelView[];
  /** Their page. */
  readonly integrations: string;
}

/** A check without integrations looks fine until it is too late: so it is marked. */
function Notified({ row, channels, integrations }: NotifiedProps) {
  const assigned = channels.filter(({ id }) => row.channels.includes(id));
  if (assigned.length > 0)
    return <>{assigned.map(({ name, kind }) => name || channelForms[kind].title).join(', ')}</>;
  return (
    <>
      <strong>nobody</strong>. <a href={integrations}>Add an integration</a>
    </>
  );
}

function whyOf({ status, startedMs, nPings }: CheckRow, cause: Cause | null): string {
  switch (status) {
    case 'new':
      if (startedMs !== null) return "Running. You'll be alerted if it doesn't finish within the grace time.";
      if (cause === 'resume') return 'Resumed. Alerts start after the next ping.';
      return nPings === 0
        ? 'No pings yet. Alerts start after the first ping.'
        : 'No completed run yet. Alerts start after the first one.';
    case 'up':
      return startedMs === null
        ? 'The last ping arrived on time.'
        : 'Running now; the previous run was on time.';
    case 'grace':
      return "The ping is late. You'll be alerted when the grace time is over.";
    case 'down':
      return whyDown[cause ?? ''] ?? 'No ping arrived in time, or the job reported a failure.';
    case 'paused':
      return 'Paused. No pings are expected, and there are no alerts.';
  }
}

const whyDown: Readonly<Record<string, string>> = {
  timeout: 'No ping arrived in time.',
  fail: 'The job reported a failure.',
  update: 'Overdue under the new schedule.',
};

interface EditProps {
  readonly project: string;
  readonly channels: readonly ChannelView[];
  readonly check: ApiCheck;
  readonly done: () => void;
  readonly saved: () => void;
}

function Edit({ check, project, channels, done, saved }: EditProps) {
  const save = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
    await send('POST', apiPath(project, `checks/${check.uuid}`), fields);
    saved();
    done();
  };
  return (
    <>
      <h1>Edit {check.name || check.slug || 'the check'}</h1>
      <CheckForm check={check} channels={channels} label="Save" save={save} cancel={done} />
    </>
  );
}
