/** The maintenance windows that are on. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ActiveMaintenanceView, ActiveWindowView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { noteSeen, seenLast } from '../core/stale.ts';
import { useEvery } from '../core/use-every.ts';

const askEveryMs = 60_000;

export interface Maintenance {
  /** Those that are on; the one that ends last first. */
  readonly windows: readonly ActiveWindowView[];
  readonly checks: number;
  /** Asks again, of what the reader has changed. */
  readonly look: () => void;
}

/**
 * `isThere`: whether what the page is for has come, which they must not hold up. What could not be asked is asked again a minute
 * later.
 */
export function useMaintenance(project: string, nowMs: number, isThere = true): Maintenance {
  const [data, setData] = useState<ActiveMaintenanceView | null>(null);
  const look = useCallback(() => {
    const path = `/web/in/${project}/maintenance/active`;
    if (!isThere) return;
    ask<ActiveMaintenanceView>(path).then(
      (answer) => {
        noteSeen(path, answer);
        setData(answer);
      },
      // What is in maintenance must not look as if somebody dealt with it.
      () => setData((before) => before ?? seenLast<ActiveMaintenanceView>(path)?.answer ?? null),
    );
  }, [project, isThere]);
  useEffect(look, [look]);
  useEvery(askEveryMs, look);
  const { windows = [], checks = 0 } = data ?? {};
  return { windows: windows.filter(({ untilMs }) => untilMs > nowMs), checks, look };
}
