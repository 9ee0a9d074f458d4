/** The project's integrations, and which check notifies which. */
import { useState } from 'preact/hooks';
import type { ProjectSettings } from '../domain/page-view.ts';
import { Problem } from './bits.tsx';
import { useAsk } from './door.ts';
import { Line } from './integration-line.tsx';
import { Matrix } from './matrix.tsx';
import { NewIntegration } from './new-integration.tsx';
import { Outbox } from './outbox.tsx';
import type { PageProps } from './page-props.ts';
import { useTab } from './tab.ts';
import { useFocus } from './use-focus.ts';
import { useAllRows } from './use-rows.ts';

export function Integrations({ state, project, live, role, mayEdit, reloadState }: PageProps) {
  const isOwner = role === 'owner';
  const { data, error, reload } = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  const rows = useAllRows(project, live);
  const [failed, setFailed] = useState('');
  useTab(live.summary, 'Integrations');
  const channels = data?.channels ?? [];
  const changed = (): void => {
    reload();
    reloadState();
  };
  useFocus(data ? String(channels.length) : '');
  return (
    <>
      <h1>Integrations</h1>
      <Problem text={error || failed} />
      {data && channels.length === 0 && (
        <p>None yet. An integration is where alerts go: email, Slack, a webhook…</p>
      )}
      <ul class="plain">
        {channels.map((channel) => (
          <Line
            key={channel.id}
            channel={channel}
            path={`/web/in/${project}/channels/${channel.id}`}
            mayEdit={mayEdit}
            isOwner={isOwner}
            channels={channels}
            changed={changed}
          />
        ))}
      </ul>
      {mayEdit && (
        <NewIntegration
          project={project}
          channels={channels}
          rows={rows}
          isOwner={isOwner}
          missing={state.missing}
          made={changed}
        />
      )}
      {channels.length > 0 && (
        <Outbox project={project} rows={rows} offsetMs={live.offsetMs} mayEdit={mayEdit} />
      )}
      {mayEdit && channels.length > 0 && (
        <Matrix channels={channels} rows={rows} project={project} failed={setFailed} />
      )}
    </>
  );
}
