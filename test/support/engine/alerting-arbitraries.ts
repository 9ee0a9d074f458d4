/** What holds alerts back, and incidents, at random. */
import fc from 'fast-check';
import { type Incident, incidentEntryKinds } from '../../../src/domain/alerting/incident.ts';
import { incidentStages } from '../../../src/domain/alerting/incident-machine.ts';
import { holdReasons } from '../../../src/domain/check/snooze.ts';
import { asCheckId, asIncidentId, asProjectId } from '../../../src/lib/ids.ts';
import { change, instant, text, uuid } from './basic-arbitraries.ts';

const withheld = {
  atMs: instant,
  untilMs: instant,
  wasDown: fc.boolean(),
  downAtMs: instant,
  withheld: fc.array(change, { maxLength: 3 }),
};
export const snooze = fc.record({ ...withheld, by: text });
export const hold = fc.record({ ...withheld, reason: fc.constantFrom(...holdReasons), about: text });
export const alerting = fc.record({
  outcomes: text,
  nextMissMs: instant,
  changesMs: fc.array(instant, { maxLength: 3 }),
});

export const anyIncident: fc.Arbitrary<Incident> = fc.record({
  id: uuid.map(asIncidentId),
  projectId: uuid.map(asProjectId),
  stage: fc.constantFrom(...incidentStages),
  openedMs: instant,
  resolvedMs: instant,
  acknowledgedBy: text,
  acknowledgedMs: instant,
  checks: fc.array(
    fc.record({
      ...{ id: uuid.map(asCheckId), name: text, joinedMs: instant, leftMs: instant },
      isDependent: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  more: fc.nat(),
  entries: fc.array(
    fc.record({
      ...{ atMs: instant, kind: fc.constantFrom(...incidentEntryKinds) },
      ...{ check: text, by: text, text },
    }),
    { maxLength: 3 },
  ),
});
