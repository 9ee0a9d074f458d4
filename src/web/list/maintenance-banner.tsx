/** The line above the list that says which maintenance is on, until when, and of how many checks no failure is sent meanwhile. */
import { numberWords } from '../core/number-words.ts';
import { maintenanceAddress } from '../core/route.ts';
import { momentWords, untilWords } from '../core/words.ts';
import type { Maintenance } from '../rows/use-maintenance.ts';
import { Notice } from '../ui/notice.tsx';

export interface BannerProps {
  readonly maintenance: Maintenance;
  readonly project: string;
  readonly mayEdit: boolean;
  /** How many checks there are. */
  readonly all: number;
  readonly nowMs: number;
}

export function MaintenanceBanner({ maintenance, project, mayEdit, all, nowMs }: BannerProps) {
  const { windows, checks } = maintenance;
  // One about no check holds no alert back: its own page says that it covers none.
  const [first, ...others] = windows.filter(({ count }) => count > 0);
  if (!first) return null;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const until = `until ${momentWords(first.untilMs, nowMs)}${more}`;
  return (
    <Notice
      // Without its name, which may be as long as two lines. Until when each check is in it, its row says.
      short={
        checks >= all
          ? `All in maintenance ${untilWords(first.untilMs, nowMs)}`
          : leastWords(checks, all, ' checks')
      }
      least={leastWords(checks, all, '')}
      to={mayEdit && <a href={maintenanceAddress(project)}>Maintenance</a>}
    >
      Maintenance {first.name.trim().toLowerCase() !== 'maintenance' && <strong>{first.name} </strong>}
      {until}
      <span class="tail">
        : failures of {checks === 1 ? '1 check' : `${numberWords(checks)} checks`} are not sent
      </span>
      .
    </Notice>
  );
}

function leastWords(checks: number, all: number, what: string): string {
  if (checks >= all) return 'All in maintenance';
  return `${numberWords(checks)}${checks === 1 ? what.replace(/s$/, '') : what} in maintenance`;
}
