/** Whom Knell tells: the project's integrations, and which check tells which. */
import { useState } from 'preact/hooks';
import type { ChannelView, CheckRow, ProjectSettings } from '../domain/page-view.ts';
import { apiPath } from './api-check.ts';
import { Problem } from './bits.tsx';
import { messageOf, send, useAsk } from './door.ts';
import { Line } from './integration-line.tsx';
import { NewIntegration } from './new-integration.tsx';
import type { PageProps } from './page-props.ts';
import { useTab } from './tab.ts';

export function Integrations({ project, live, mayEdit }: PageProps) {
  const { data, error, reload } = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  const [failed, setFailed] = useState('');
  useTab(live.rows, 'Integrations');
  const channels = data?.channels ?? [];
  return (
    <>
      <h1>Integrations</h1>
      <Problem text={error || failed} />
      {data && channels.length === 0 && (
        <p>
          None yet. An integration is somebody or something that Knell tells when a check goes down or comes
          back.
        </p>
      )}
      <ul class="plain">
        {channels.map((channel) => (
          <Line
            key={channel.id}
            channel={channel}
            path={`/web/in/${project}/channels/${channel.id}`}
            mayEdit={mayEdit}
            channels={channels}
            changed={reload}
          />
        ))}
      </ul>
      {mayEdit && <NewIntegration project={project} channels={channels} made={reload} />}
      {mayEdit && channels.length > 0 && (
        <Matrix channels={channels} rows={live.rows ?? []} project={project} failed={setFailed} />
      )}
    </>
  );
}

const matrixMax = 200;

interface MatrixProps {
  readonly channels: readonly ChannelView[];
  readonly rows: readonly CheckRow[];
  readonly project: string;
  readonly failed: (error: string) => void;
}

/** Which check tells whom; a tick is saved at once. */
function Matrix({ channels, rows, project, failed }: MatrixProps) {
  const assign = (row: CheckRow, id: string, on: boolean): void => {
    const others = row.channels.filter((one) => one !== id);
    const body = { channels: (on ? [...others, id] : others).join(',') };
    send('POST', apiPath(project, `checks/${row.id}`), body).then(
      () => failed(''),
      (reason: unknown) => failed(messageOf(reason)),
    );
  };
  return (
    <section>
      <h2>Which check tells whom</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="wide" tabIndex={0} aria-label="Which check tells whom">
        <table>
          <thead>
            <tr>
              <th scope="col">Check</th>
              {channels.map(({ id, name, kind }) => (
                <th key={id} scope="col">
                  {name || kind}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, matrixMax).map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.name || row.slug || 'Unnamed check'}</th>
                {channels.map(({ id, name, kind }) => (
                  <td key={id}>
                    <input
                      type="checkbox"
                      aria-label={`${row.name || row.slug} tells ${name || kind}`}
                      checked={row.channels.includes(id)}
                      onChange={(event) => assign(row, id, event.currentTarget.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > matrixMax && (
        <p class="faint">The first {matrixMax} checks; the others are assigned on their own pages.</p>
      )}
    </section>
  );
}
