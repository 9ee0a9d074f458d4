/** A member's reports by mail on the page, as the server answers and the page in the browser share it. */
import type { ReportSettings } from '../accounts/user.ts';

/** `GET /web/reports`: of the one who asks. */
export interface ReportsView
  extends Pick<ReportSettings, 'frequency' | 'address' | 'isConfirmed' | 'lastError'> {
  /** Whether this server can send mail. */
  readonly canSend: boolean;
  /** IANA name: whose clock says when a period ends. */
  readonly timeZone: string;
  /** When the next one is sent; null: none will be. */
  readonly nextMs: number | null;
  /** Whether another address takes the current password: links for a new one go there. */
  readonly needsPassword: boolean;
}

/** `POST /web/reports`. */
export interface SavedReports {
  /** Why the address was not asked to agree; empty when it was, or need not be. */
  readonly verification: string;
}
