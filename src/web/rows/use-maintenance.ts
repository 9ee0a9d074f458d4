/** The maintenance windows that are on: asked for together with the page that shows them, so that what they say seldom moves it. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ActiveMaintenanceView, ActiveWindowView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { useEvery } from '../core/use-every.ts';

const askEveryMs = 60_000;

export interface Maintenance {
  /** Those that are on; the one that ends last first. */
  readonly windows: readonly ActiveWindowView[];
  readonly checks: number;
  /** Asks again, of what the reader has changed. */
  readonly look: () => void;
}

/** What could not be asked is asked again a minute later. */
export function useMaintenance(project: string, nowMs: number): Maintenance {
  const [data, setData] = useState<ActiveMaintenanceView | null>(null);
  const look = useCallback(() => {
    ask<ActiveMaintenanceView>(`/web/in/${project}/maintenance/active`).then(setData, () => {});
  }, [project]);
  useEffect(look, [look]);
  useEvery(askEveryMs, look);
  const { windows = [], checks = 0 } = data ?? {};
  return { windows: windows.filter(({ untilMs }) => untilMs > nowMs), checks, look };
}
