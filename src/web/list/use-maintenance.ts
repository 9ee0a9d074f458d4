/** The maintenance windows that are on: asked for once the list is there, since nobody waits for them. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ActiveMaintenanceView, ActiveWindowView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { useEvery } from '../core/use-every.ts';

const askEveryMs = 60_000;
/** The list comes first; later the line above it would move rows under the pointer. */
const afterListMs = 300;

export interface Maintenance {
  /** Those that are on; the one that ends last first. */
  readonly windows: readonly ActiveWindowView[];
  readonly checks: number;
}

const none: Maintenance = { windows: [], checks: 0 };

/** `isThere`: whether the list is. What could not be asked is asked again a minute later. */
export function useMaintenance(project: string, isThere: boolean, nowMs: number): Maintenance {
  const [data, setData] = useState<ActiveMaintenanceView | null>(null);
  const look = useCallback(() => {
    if (isThere) ask<ActiveMaintenanceView>(`/web/in/${project}/maintenance/active`).then(setData, () => {});
  }, [project, isThere]);
  useEffect(() => {
    const timer = setTimeout(look, afterListMs);
    return () => clearTimeout(timer);
  }, [look]);
  useEvery(askEveryMs, look);
  if (!data) return none;
  return { windows: data.windows.filter(({ untilMs }) => untilMs > nowMs), checks: data.checks };
}
