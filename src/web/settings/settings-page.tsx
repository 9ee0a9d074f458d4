/** The settings of a project as a whole: its name, its export, and what can be done to it. Its keys are in `project-keys.tsx`. */

import type { ProjectSettings } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { useFocus } from '../core/use-focus.ts';
import { HandOver } from '../projects/hand-over.tsx';
import { DeleteProject, Rename } from '../projects/project-actions.tsx';
import { ProjectRetention } from '../projects/project-retention.tsx';
import { apiPath } from '../rows/api-check.ts';
import { Problem } from '../ui/bits.tsx';
import { Panel } from '../ui/panel.tsx';
import { Keys } from './project-keys.tsx';
import { SettingsHead } from './settings-head.tsx';

export function Settings({ project, live, state, role, reloadState }: PageProps) {
  const { data, error, reload } = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  useTab(live.summary, 'Settings');
  useFocus(data ? `${data.keys.length}` : '');
  const head = <SettingsHead at="project" {...{ state, project, role }} />;
  if (!data)
    return (
      <>
        {head}
        <Problem text={error} />
      </>
    );
  const isOwner = role === 'owner';
  const isOwnerOfAll = state.user?.role === 'owner';
  const { name, checks } = data.project;
  const renamed = (): void => {
    reload();
    reloadState();
  };
  return (
    <>
      {head}
      <h2>{name}</h2>
      <p>{extentWords(data.project)}</p>
      {isOwner && <Rename project={project} name={name} renamed={renamed} />}
      {isOwner && (
        <ProjectRetention
          project={project}
          retention={data.project.retention ?? ''}
          plan={data.project.plan}
          saved={reload}
        />
      )}
      <Keys {...{ data, project, isOwner, reload }} baseUrl={state.baseUrl} offsetMs={live.offsetMs} />
      <Panel title="Export" help="All checks as JSON, in the format of the API.">
        <a class="button" href={fromRoot(apiPath(project, 'checks/'))} download={`${name}-checks.json`}>
          Download JSON
        </a>
      </Panel>
      {isOwner && (
        <HandOver
          {...{ project, isOwnerOfAll }}
          offer={data.handOver}
          members={data.members}
          offsetMs={live.offsetMs}
          changed={reload}
        />
      )}
      {isOwner && (
        <DeleteProject
          project={project}
          name={name}
          checks={checks}
          only={isOwnerOfAll && state.projects.length === 1}
        />
      )}
    </>
  );
}

/** Says how many checks there are, and names the plan if it limits them. */
function extentWords({ checks, checksMax }: ProjectSettings['project']): string {
  if (checksMax !== null) return `${checks} of the ${checksMax} checks of the free plan.`;
  return `${checks} ${checks === 1 ? 'check' : 'checks'}.`;
}
