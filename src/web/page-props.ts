/** What every page within a project is given. */
import type { PageState } from '../domain/page-view.ts';
import type { Role } from '../domain/user.ts';
import type { Live } from './live.ts';

export interface PageProps {
  readonly state: PageState;
  readonly project: string;
  readonly live: Live;
  /** Of the user, in this project. */
  readonly role: Role;
  readonly mayEdit: boolean;
  readonly reloadState: () => void;
}
