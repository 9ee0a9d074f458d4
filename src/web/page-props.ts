/** What every page within a project is given. */
import type { PageState } from '../domain/page-view.ts';
import type { LiveRows } from './live-rows.ts';

export interface PageProps {
  readonly state: PageState;
  readonly project: string;
  readonly live: LiveRows;
  readonly mayEdit: boolean;
  readonly reloadState: () => void;
}
