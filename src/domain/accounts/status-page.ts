/**
 * A public status page: what its owner chose to show of some checks, and the notices written for its readers. Plain facts.
 * Not here: what may be entered (`commands/contract/status-page-input`), what readers get (`http/status-page`).
 * Invariant: nothing in it names a check to a reader but the public name of a service, which its owner wrote.
 */
import type { CheckId, ProjectId, StatusPageId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';
import type { StatusPageValues } from './status-page-fields.ts';

/** Beginning of the path of a status page. */
export const statusPagePrefix = '/status/';

export const noticeStages = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type NoticeStage = (typeof noticeStages)[number];

export interface StatusPage extends StatusPageValues, Growing {
  readonly id: StatusPageId;
  readonly projectId: ProjectId;
  readonly services: readonly StatusService[];
  /** Newest first. */
  readonly notices: readonly StatusNotice[];
  readonly createdAtMs: number;
}

/** One line of the page: chosen checks, or those that have a tag. */
export interface StatusService extends Growing {
  /** Random; stays when the service is renamed. */
  readonly id: string;
  /** Name that readers see. */
  readonly name: string;
  /** Empty where there is a tag. */
  readonly checks: readonly CheckId[];
  readonly tag: string;
}

export interface StatusNotice extends Growing {
  /** Random; stays when the notice is updated. */
  readonly id: string;
  readonly title: string;
  /** Ids of the services that it is about; none: the page as a whole. */
  readonly services: readonly string[];
  /** Oldest first, at least one. */
  readonly updates: readonly NoticeUpdate[];
}

export interface NoticeUpdate extends Growing {
  readonly atMs: number;
  readonly stage: NoticeStage;
  readonly text: string;
}

/** Feeds cannot have them, and pages show nothing in their place: a title of nothing else would be an empty one. */
export function hasControls(text: string): boolean {
  return /(?![\t\n\r])\p{Cc}/u.test(text);
}

export function isResolved({ updates }: StatusNotice): boolean {
  return updates.at(-1)?.stage === 'resolved';
}

/** Span from the notice's first update to the one that resolved it; null while it is open. */
export function noticeSpan(notice: StatusNotice): {
  readonly fromMs: number;
  readonly untilMs: number | null;
} {
  const [first] = notice.updates;
  const last = notice.updates.at(-1);
  return { fromMs: first?.atMs ?? 0, untilMs: last && isResolved(notice) ? last.atMs : null };
}
