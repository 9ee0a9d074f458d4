/** What this server lacks, and the integrations that it cannot send anything to for that reason. */

import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { settingAddress, useSearch } from '../core/route.ts';
import { Notice } from '../ui/notice.tsx';

type Missing = PageState['missing'];

/** Returns `Email needs KNELL_MAIL_URL`; empty when the kind can be used. */
export function missingWords(kind: ChannelKind, missing: Missing): string {
  const names = missing[kind] ?? [];
  return names.length === 0 ? '' : `${kinds[kind].form.title} needs ${names.join(', ')}`;
}

interface UnconfiguredProps {
  readonly state: PageState;
  readonly project: string;
  /** Whether the page itself says of each integration what it lacks. */
  readonly isShownBelow: boolean;
}

/** The line at the head of every page of a project. */
export function Unconfigured({ state, project, isShownBelow }: UnconfiguredProps) {
  const lacking = state.unconfigured[project] ?? [];
  const [first] = lacking;
  // The other view of the page, the matrix, has no space for it.
  const isMatrix = new URLSearchParams(useSearch()).get('view') === 'matrix';
  if (first === undefined || (isShownBelow && !isMatrix)) return null;
  const lackingKinds = [...new Set(lacking)];
  return (
    <Notice
      short={`${lacking.length === 1 ? kinds[first].form.title : lacking.length} cannot send`}
      to={
        state.user?.role === 'owner' ? (
          <a href={settingAddress(state.missing[first]?.[0])}>Server settings</a>
        ) : (
          <span class="help">Ask an owner of this server.</span>
        )
      }
    >
      {lacking.length === 1 ? '1 integration cannot send' : `${lacking.length} integrations cannot send`}:{' '}
      {lackingKinds.length === 1
        ? `${missingWords(first, state.missing)}.`
        : // The list has the names of the settings: of several kinds they would be lines above every page.
          `this server lacks settings for ${lackingKinds.map((kind) => kinds[kind].form.title).join(', ')}.`}
    </Notice>
  );
}
