/** What every page within a project is given. */
import type { PageState } from '../domain/page-view.ts';
import type { Live } from './live.ts';

export interface PageProps {
  readonly state: PageState;
  readonly project: string;
  readonly live: Live;
  readonly mayEdit: boolean;
  readonly reloadState: () => void;
}
