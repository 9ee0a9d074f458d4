/** The line above the list that says which maintenance is on, until when, and how many checks send no alerts meanwhile. */
import { useEffect, useState } from 'preact/hooks';
import type { ActiveMaintenanceView } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import { numberWords } from '../core/number-words.ts';
import { maintenanceAddress } from '../core/route.ts';
import { useEvery } from '../core/use-every.ts';
import { momentWords } from '../core/words.ts';
import { Notice } from '../ui/notice.tsx';

const askEveryMs = 60_000;
/** The list comes first; later the line would move rows under the pointer. */
const afterListMs = 300;

interface BannerProps {
  readonly project: string;
  readonly mayEdit: boolean;
  readonly nowMs: number;
}

/** Asks for it once the list is there: nobody waits for it. */
export function MaintenanceBanner(props: BannerProps) {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), afterListMs);
    return () => clearTimeout(timer);
  }, []);
  return isReady ? <Windows {...props} /> : null;
}

function Windows({ project, mayEdit, nowMs }: BannerProps) {
  const { data, reload } = useAsk<ActiveMaintenanceView>(`/web/in/${project}/maintenance/active`);
  useEvery(askEveryMs, reload);
  const windows = (data?.windows ?? []).filter(({ untilMs }) => untilMs > nowMs);
  const [first, ...others] = windows;
  if (!first) return null;
  const { checks } = data ?? { checks: 0 };
  return (
    <Notice short="Maintenance" to={mayEdit && <a href={maintenanceAddress(project)}>Maintenance</a>}>
      Maintenance <strong>{first.name}</strong> until {momentWords(first.untilMs, nowMs)}
      {others.length > 0 && `, and ${others.length} more`}
      <span class="tail">: no alerts about {checks === 1 ? '1 check' : `${numberWords(checks)} checks`}</span>
      .
    </Notice>
  );
}
