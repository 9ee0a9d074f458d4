/** The way back from a snooze. */
import type { CheckRow } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import { alertPath, undoSnoozePath } from '../rows/api-check.ts';

/** Gives a check the snooze back that its row has; without one it is as if it had not been snoozed. */
export function snoozeBack(project: string, { id, snoozedUntilMs }: CheckRow): Promise<unknown> {
  if (snoozedUntilMs === null || snoozedUntilMs <= Date.now())
    return send('POST', undoSnoozePath(project, id));
  return send('POST', alertPath(project, id, 'snooze'), { until: Math.round(snoozedUntilMs / 1000) });
}
