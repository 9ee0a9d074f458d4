/** The incidents of a project in memory: which of those that are resolved was resolved first. */
import { expect, test } from 'vitest';
import type { Incident } from '../../../src/domain/alerting/incident.ts';
import { left, openIncident, reopened } from '../../../src/domain/alerting/incident.ts';
import { Incidents } from '../../../src/engine/registry/incidents.ts';
import { checkOf } from '../../support/store/store-facts.ts';

const resolvedAt = (number: number, openedMs: number, resolvedMs: number): Incident => {
  const check = checkOf(number);
  return left(openIncident(check, openedMs), check.id, { atMs: resolvedMs, others: 0 });
};
const { projectId } = checkOf(1);

test('the one that was resolved first is found beside those that are open, whichever opened first', () => {
  const incidents = new Incidents();
  const [one, two] = [resolvedAt(1, 10, 40), resolvedAt(2, 20, 30)];
  incidents.put(openIncident(checkOf(3), 5));
  expect(incidents.firstResolved(projectId)).toBe(null);
  incidents.put(two);
  incidents.put(one);
  expect(incidents.firstResolved(projectId)).toBe(two);
  incidents.put(reopened(two, checkOf(2), { atMs: 50 }));
  expect(incidents.firstResolved(projectId)).toBe(one);
  incidents.remove(one.id);
  expect(incidents.firstResolved(projectId)).toBe(null);
});

test('so it is after a start, which reads them in another order', () => {
  const incidents = new Incidents();
  const [one, two, three] = [resolvedAt(1, 10, 40), resolvedAt(2, 20, 30), resolvedAt(3, 5, 50)];
  for (const incident of [three, one, two]) incidents.put(incident);
  incidents.settle();
  for (const incident of [two, one, three]) {
    expect(incidents.firstResolved(projectId)).toBe(incident);
    incidents.remove(incident.id);
  }
});
