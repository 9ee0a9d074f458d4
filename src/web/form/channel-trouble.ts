/** Why an integration would notify nobody now, as the forms and the list of checks say it. Pure. */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { ChannelView, PageState } from '../../domain/views/page-view.ts';
import { momentWords } from '../core/words.ts';

/** Milliseconds of failing after which it is said: a single failure that the next attempt mends is nothing to worry about. */
export const saidAfterMs = 60_000;

export type ServerFacts = Pick<PageState, 'missing' | 'nowMs'>;

export interface Trouble {
  readonly mark: 'paused' | 'late' | 'down';
  readonly words: string;
}

type ChannelFacts = Pick<ChannelView, 'kind'> &
  Partial<Pick<ChannelView, 'disabled' | 'unverified' | 'failingSinceMs'>>;

/** In the words of the list of integrations; null where nothing is known to be wrong. */
export function troubleOf(
  { kind, disabled = false, unverified = false, failingSinceMs = 0 }: ChannelFacts,
  { missing, nowMs }: ServerFacts,
): Trouble | null {
  const lacks = missing[kind] ?? [];
  if (disabled) return { mark: 'paused', words: 'Turned off' };
  if (lacks.length > 0) return { mark: 'late', words: `Cannot send, needs ${lacks.join(', ')}` };
  if (unverified) return { mark: 'late', words: 'Not verified' };
  return failingSinceMs === 0 || nowMs - failingSinceMs < saidAfterMs
    ? null
    : { mark: 'down', words: `Failing since ${momentWords(failingSinceMs, nowMs)}` };
}

/** Of an integration of the list of checks, which is not sent more than its kind: what the state of the page says of it. */
export function troubleInList(
  { id, kind }: { readonly id: string; readonly kind: ChannelKind },
  { failing, ...server }: Pick<PageState, 'failing' | 'missing' | 'nowMs'>,
  project: string,
): Trouble | null {
  const failingSinceMs = failing[project]?.find((one) => one.id === id)?.sinceMs ?? 0;
  return troubleOf({ kind, failingSinceMs }, server);
}
