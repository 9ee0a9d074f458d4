/**
 * The line at the head of every page of a project that says which integrations fail, and since when. The server does not publish
 * it, so it is asked for once a minute.
 */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { addressOf } from '../core/route.ts';
import { useEvery } from '../core/use-every.ts';
import { momentWords } from '../core/words.ts';
import { Notice } from '../ui/notice.tsx';

type Facts = Pick<PageState, 'failing' | 'missing' | 'nowMs'>;

/** Milliseconds of failing after which it is said: a single failure that the next attempt mends is nothing to worry about. */
const saidAfterMs = 60_000;
const askEveryMs = 60_000;

export interface NotSending {
  readonly mark: 'down' | 'late';
  readonly words: string;
}

/** Why nothing of a project's integration arrives now, in the words of the page of the integrations; null where something does. */
export function notSending(
  { id, kind }: { readonly id: string; readonly kind: ChannelKind },
  { failing, missing, nowMs }: Facts,
  project: string,
): NotSending | null {
  const lacks = missing[kind] ?? [];
  if (lacks.length > 0) return { mark: 'late', words: `Cannot send, needs ${lacks.join(', ')}` };
  const one = failing[project]?.find((other) => other.id === id);
  if (!one || nowMs - one.sinceMs < saidAfterMs) return null;
  return { mark: 'down', words: `Failing since ${momentWords(one.sinceMs, nowMs)}` };
}

interface FailingProps {
  readonly state: PageState;
  readonly project: string;
  /** Whether the page itself says of each integration how it works. */
  readonly isShownBelow: boolean;
  readonly reloadState: () => void;
}

/** Integrations whose kind this server lacks something for are named by `Unconfigured`. */
export function Failing({ state, project, isShownBelow, reloadState }: FailingProps) {
  const { nowMs, failing, missing } = state;
  useEvery(askEveryMs, reloadState);
  const said = (failing[project] ?? []).filter(
    ({ kind, sinceMs }) => nowMs - sinceMs >= saidAfterMs && (missing[kind] ?? []).length === 0,
  );
  const [first, ...others] = said;
  if (!first || isShownBelow) return null;
  const name = first.name || kinds[first.kind].form.title;
  const also =
    others.length === 0 ? '' : `, ${others.length} more ${others.length === 1 ? 'is' : 'are'} failing`;
  return (
    <Notice
      look="failing"
      short={others.length === 0 ? `${name} fails` : `${said.length} integrations fail`}
      to={<a href={addressOf(project, 'integrations')}>Integrations</a>}
    >
      <strong>{name}</strong> has been failing since {momentWords(first.sinceMs, nowMs)}
      {also}.
    </Notice>
  );
}
