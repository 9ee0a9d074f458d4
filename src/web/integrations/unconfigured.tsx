/** What this server lacks, and the integrations that it cannot send anything to for that reason. */

import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { ChannelView, PageState } from '../../domain/views/page-view.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { settingAddress } from '../core/route.ts';
import { Notice } from '../ui/notice.tsx';

type Missing = PageState['missing'];

/** Returns `Email needs KNELL_MAIL_URL`; empty when the kind can be used. */
export function missingWords(kind: ChannelKind, missing: Missing): string {
  const names = missing[kind] ?? [];
  return names.length === 0 ? '' : `${titles[kind]} needs ${names.join(', ')}`;
}

/** Returns why no test can be sent, as the rest of a sentence; empty if one can. */
export function untestableWords(
  { kind, unverified }: Pick<ChannelView, 'kind' | 'unverified'>,
  missing: Missing,
): string {
  return missingWords(kind, missing) || (unverified ? 'its address is not confirmed yet' : '');
}

interface UnconfiguredProps {
  readonly state: PageState;
  readonly project: string;
  /** Whether the page itself says of each integration what it lacks. */
  readonly isShownBelow: boolean;
}

/** The line at the head of every page of a project. */
export function Unconfigured({ state, project, isShownBelow }: UnconfiguredProps) {
  const lacking = state.unconfigured[project];
  if (lacking === undefined || isShownBelow) return null;
  const { count } = lacking;
  const lackingKinds = lacking.kinds.map(({ kind }) => kind);
  const [first] = lackingKinds;
  if (first === undefined) return null;
  const name = lacking.name || titles[first];
  const isOwner = state.user?.role === 'owner';
  return (
    <Notice
      look="unable"
      short={`${count === 1 ? name : `${count} integrations`} cannot send`}
      to={
        isOwner ? (
          <a href={settingAddress(state.missing[first]?.[0])}>Server settings</a>
        ) : (
          <span class="help">Ask an owner of this server.</span>
        )
      }
    >
      <strong>{name}</strong>
      {count > 1 && ` and ${count - 1} more`} cannot send:{' '}
      {lackingKinds.length === 1
        ? `${count === 1 ? 'it needs' : 'they need'} ${(state.missing[first] ?? []).join(', ')}.`
        : // The list has the names of the settings: of several kinds they would be lines above every page.
          `this server lacks settings for ${lackingKinds.map((kind) => titles[kind]).join(', ')}.`}
    </Notice>
  );
}
