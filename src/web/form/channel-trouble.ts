/** Why an integration would notify nobody now, as the forms of checks say it. Pure. */
import type { ChannelView, PageState } from '../../domain/views/page-view.ts';
import { momentWords } from '../core/words.ts';

/** Milliseconds of failing after which it is said, as in the line above every page. */
const saidAfterMs = 60_000;

export type ServerFacts = Pick<PageState, 'missing' | 'nowMs'>;

interface Trouble {
  readonly mark: 'paused' | 'late' | 'down';
  readonly words: string;
}

/** In the words of the list of integrations; null where nothing is known to be wrong. */
export function troubleOf(
  { kind, disabled, unverified, failingSinceMs }: ChannelView,
  { missing, nowMs }: ServerFacts,
): Trouble | null {
  const lacks = missing[kind] ?? [];
  if (disabled) return { mark: 'paused', words: 'Turned off' };
  if (lacks.length > 0) return { mark: 'late', words: `Cannot send: needs ${lacks.join(', ')}` };
  if (unverified) return { mark: 'late', words: 'Not verified' };
  return failingSinceMs === 0 || nowMs - failingSinceMs < saidAfterMs
    ? null
    : { mark: 'down', words: `Failing since ${momentWords(failingSinceMs, nowMs)}` };
}
