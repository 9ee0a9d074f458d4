/** The second place of the settings: who may see a project, and in which role. */
import type { ProjectSettings } from '../../domain/views/page-view.ts';
import { Members } from '../account/members.tsx';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { useFocus } from '../core/use-focus.ts';
import { Problem } from '../ui/bits.tsx';
import { SettingsHead } from './settings-head.tsx';

export function MembersPage({ project, live, state, role }: PageProps) {
  const { data, error, reload } = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  useTab(live.summary, 'Members');
  useFocus(data ? `${data.members.length}` : '');
  const isOwner = role === 'owner';
  return (
    <>
      <SettingsHead at="members" {...{ state, project, role }} />
      <Problem text={isOwner ? error : 'Only owners can see the members.'} />
      {isOwner && data && (
        <Members
          project={project}
          members={data.members}
          reload={reload}
          self={state.user?.id ?? ''}
          isOwnerOfAll={state.user?.role === 'owner'}
          sendsMail={state.sendsMail}
          byProxy={state.byProxy}
        />
      )}
    </>
  );
}
