/**
 * The incidents of a project as comma-separated values.
 * Invariant: pure; the columns are always the same, and no cell is a formula.
 */
import { csvRow } from '../../lib/csv.ts';
import type { ListedIncidentView } from './incident-view.ts';

export const csvHead = csvRow([
  ...['id', 'state', 'title', 'opened', 'resolved', 'seconds', 'acknowledged', 'acknowledged_by'],
  ...['cause', 'checks', 'down', 'ended_by'],
]);

export function incidentCsv(incident: ListedIncidentView): string {
  const { id, state, title, opened, resolved, duration, acknowledged, acknowledged_by } = incident;
  const { cause, n_checks, n_down, endedBy } = incident;
  return csvRow([
    ...[id, state, title, opened, resolved ?? '', duration, acknowledged ?? '', acknowledged_by ?? ''],
    ...[cause ?? '', n_checks, n_down, endedBy ?? ''],
  ]);
}
