/**
 * What a list of checks orders, filters and counts by: less than a check, so that ten thousand are read in a moment. Pure.
 * Invariant: says what the check says.
 */
import type { ChannelId, CheckId } from '../../lib/ids.ts';
import { descCharsSearchedMax } from '../limits.ts';
import { shownName } from '../words/check-name.ts';
import { foldCase } from '../words/search-words.ts';
import type { Check, CheckState } from './check.ts';

export interface ListedCheck {
  readonly id: CheckId;
  readonly createdAtMs: number;
  readonly name: string;
  readonly slug: string;
  readonly tags: string;
  readonly desc: string;
  /** Expected so many seconds after the ping before; null for one with a schedule. */
  readonly timeoutS: number | null;
  readonly schedule: string;
  readonly tz: string;
  readonly channels: readonly ChannelId[];
  /** It is acknowledged, snoozed, or an alert of it is held back. */
  readonly isHandled: boolean;
  readonly state: CheckState;
}

/** The text that a search for checks reads: name as it is shown, slug, tags and the beginning of the description, folded. */
export function searchedText({
  name,
  slug,
  tags,
  desc,
}: Pick<ListedCheck, 'name' | 'slug' | 'tags' | 'desc'>): string {
  return foldCase(`${shownName({ name, slug })}\n${slug}\n${tags}\n${desc.slice(0, descCharsSearchedMax)}`);
}

export function listedOf({
  id,
  createdAtMs,
  config,
  acknowledgement,
  snooze,
  hold,
  state,
}: Check): ListedCheck {
  const { name, slug, tags, desc, kind, timeoutS, schedule, tz, channels } = config;
  return {
    ...{ id, createdAtMs, name, slug, tags, desc },
    timeoutS: kind === 'simple' ? timeoutS : null,
    ...{ schedule, tz, channels, state },
    isHandled: Boolean(acknowledgement ?? snooze ?? hold),
  };
}
