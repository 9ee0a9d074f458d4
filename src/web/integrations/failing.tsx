/**
 * The line at the head of every page of a project that says which integrations fail, and since when. The server does not publish
 * it, so it is asked for once a minute.
 */

import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { failingSaidMs } from '../../domain/limits.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { addressOf } from '../core/route.ts';
import { useEvery } from '../core/use-every.ts';
import { momentWords } from '../core/words.ts';
import { failingWords } from '../form/channel-trouble.ts';
import { Notice } from '../ui/notice.tsx';

const askEveryMs = 60_000;

interface FailingProps {
  readonly state: PageState;
  readonly project: string;
  /** Whether the page itself says of each integration how it works. */
  readonly isShownBelow: boolean;
  readonly reloadState: () => void;
}

/** Integrations whose kind this server lacks something for are named by `Unconfigured`. */
export function Failing({ state, project, isShownBelow, reloadState }: FailingProps) {
  const { nowMs, failing, unconfigured } = state;
  useEvery(askEveryMs, reloadState);
  // The one that fails longest comes first. Where it is said, all are counted: the list of integrations names them at once.
  const said = failing[project] ?? [];
  const [first, ...others] = said;
  if (!first || nowMs - first.sinceMs < failingSaidMs || isShownBelow) return null;
  const name = channelTitle(first);
  const unable = unconfigured[project]?.count ?? 0;
  const also =
    others.length === 0 ? '' : `, ${others.length} more ${others.length === 1 ? 'is' : 'are'} failing`;
  return (
    <Notice
      look="failing"
      short={shortWords(name, said.length, unable)}
      least={leastWords(said.length, unable)}
      to={<a href={addressOf(project, 'integrations')}>Integrations</a>}
    >
      <strong>{name}</strong> has been failing since {momentWords(first.sinceMs, nowMs)}
      {also}.
    </Notice>
  );
}

/** Where there is space for a few words only, those that cannot send are part of this line. */
function shortWords(name: string, failing: number, unable: number): string {
  return failing + unable === 1 ? `${name} fails` : failingWords(failing, unable);
}

/** In half a line: of those that fail and those that cannot send only how many they are together. */
function leastWords(failing: number, unable: number): string {
  return unable === 0 ? failingWords(failing, 0) : `${failing + unable} integrations broken`;
}
