/** Whom Knell tells: the project's integrations, and which check tells which. */
import { useState } from 'preact/hooks';
import type { ChannelView, CheckRow, ProjectSettings } from '../domain/page-view.ts';
import { channelKinds } from '../domain/project.ts';
import { apiPath } from './api-check.ts';
import { Problem } from './bits.tsx';
import { messageOf, send, useAsk } from './door.ts';
import { Line } from './integration-line.tsx';
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
            changed={reload}
          />
        ))}
      </ul>
      {mayEdit && <NewIntegration project={project} made={reload} />}
      {mayEdit && channels.length > 0 && (
        <Matrix channels={channels} rows={live.rows ?? []} project={project} failed={setFailed} />
      )}
    </>
  );
}

/** What to type for the commonest kinds. */
const hints: Readonly<Record<string, string>> = {
  email: 'a mail address',
  webhook: '{"url_down": "https://…", "url_up": "https://…"}',
  slack: 'https://hooks.slack.com/…',
  discord: 'https://discord.com/api/webhooks/…',
  ntfy: '{"topic": "…", "url": "https://ntfy.sh"}',
  telegram: '{"id": 123}',
};

function NewIntegration({ project, made }: { readonly project: string; readonly made: () => void }) {
  const [error, setError] = useState('');
  const [kind, setKind] = useState('email');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    try {
      await send('POST', `/web/in/${project}/channels`, Object.fromEntries(new FormData(form)));
      form.reset();
      setError('');
      made();
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>Add one</legend>
        <label>
          Kind
          <select name="kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {channelKinds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Name
          <input name="name" maxLength={100} />
        </label>
        <label>
          Where it leads <span class="faint">{hints[kind] ?? ''}</span>
          <textarea name="value" rows={2} required />
        </label>
        <Problem text={error} />
        <button type="submit" class="main">
          Add
        </button>
      </fieldset>
    </form>
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
