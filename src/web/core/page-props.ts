/** The props that every page within a project is given. */

import type { Role } from '../../domain/accounts/user.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import type { Live } from './live.ts';

export interface PageProps {
  readonly state: PageState;
  readonly project: string;
  readonly live: Live;
  /** Role of the user in this project. */
  readonly role: Role;
  readonly mayEdit: boolean;
  readonly reloadState: () => void;
}
