/** That alerts of a listed incident did not get through, in words. Pure. */
import type { ListedIncidentView } from '../../domain/views/incident-view.ts';

/** Returns `2 of 4 alerts delivered` where some failed, or `Nobody was notified`; empty where all got through, or where that is not known. */
export function alertsWords({ alerts }: Pick<ListedIncidentView, 'alerts'>): string {
  if (alerts === undefined) return '';
  const { delivered, failed, waiting } = alerts;
  if (failed === 0) return 'Nobody was notified';
  if (delivered === 0) return 'No alert delivered';
  return `${delivered.toLocaleString()} of ${(delivered + failed + waiting).toLocaleString()} alerts delivered`;
}

/** The same of several that are one line: `Alerts missing in 2`. */
export function foldedAlertsWords(group: readonly Pick<ListedIncidentView, 'alerts'>[]): string {
  const count = group.filter(({ alerts }) => alerts !== undefined).length;
  return count === 0 ? '' : `Alerts missing in ${count.toLocaleString()}`;
}
