/** Making a check, from nothing or like another one. */
import type { ProjectSettings } from '../../domain/views/page-view.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { hasBegun } from '../core/use-steps.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { Problem } from '../ui/bits.tsx';
import { CheckForm } from './check-form.tsx';

export function NewCheck({ project, live, mayEdit, clone }: PageProps & { readonly clone: string }) {
  const settingsPath = `/web/in/${project}/settings`;
  const like = useAsk<ApiCheck>(clone === '' ? settingsPath : apiPath(project, `checks/${clone}`));
  const settings = useAsk<ProjectSettings>(settingsPath);
  useTab(live.summary, 'New check');
  if (!mayEdit) return <Problem text="Your role is read-only. Ask an owner for access." />;
  if (!like.data || !settings.data) return <Problem text={like.error || settings.error} />;
  const { channels } = settings.data;
  const everyone = { channels: channels.map(({ id }) => id).join(',') };
  const check = clone === '' ? everyone : { ...like.data, name: `${like.data.name} (copy)`, slug: '' };
  const save = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
    const { uuid } = await send<ApiCheck>('POST', apiPath(project, 'checks/'), fields);
    // The first steps go on where they were left.
    go(hasBegun(project) ? addressOf(project, 'checks') : addressOf(project, 'checks', uuid));
  };
  return (
    <>
      <h1>New check</h1>
      <CheckForm
        check={check}
        channels={channels}
        label="Create check"
        proposesSlug
        save={save}
        cancel={() => go(addressOf(project, 'checks'))}
      />
    </>
  );
}
