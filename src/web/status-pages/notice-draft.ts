/**
 * What is typed in the form of a notice and not published yet: it is in the form again when one comes back to it, in the same tab.
 * Invariant: it is gone once it is published or given up.
 */
import type { NoticeStage } from '../../domain/accounts/status-page.ts';

/** Fields of the form as they are. */
export interface NoticeDraft {
  readonly title: string;
  readonly stage: NoticeStage;
  readonly text: string;
  /** Ids of the services that are ticked. */
  readonly services: readonly string[];
}

/** Returns that of the form that sends to `path`; null if there is none. */
export function noticeDraft(path: string): NoticeDraft | null {
  const kept = sessionStorage.getItem(keyOf(path));
  return kept === null ? null : JSON.parse(kept);
}

export function keepDraft(path: string, draft: NoticeDraft): void {
  sessionStorage.setItem(keyOf(path), JSON.stringify(draft));
}

export function dropDraft(path: string): void {
  sessionStorage.removeItem(keyOf(path));
}

function keyOf(path: string): string {
  return `knell.notice.${path}`;
}
