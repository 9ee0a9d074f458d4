/** Incidents that are acknowledged, as a whole or by their checks. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actorOf } from '../../../src/domain/accounts/audit.ts';
import { AlertTimeline } from '../../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

const incidents = () => timeline.storedIncidents();
const shown = () => timeline.incidentStages();

describe('acknowledging', () => {
  test('an incident acknowledges its checks, with a note; undone, both go on', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db' });
    await timeline.ping('db', '/fail');
    await timeline.ping('app', '/fail');
    const { change, read } = timeline.knell.app.engine;
    const [incident] = incidents();
    if (!incident) throw new Error('no incident');
    const nowMs = timeline.clock.nowMs();
    await change.acknowledgeIncident(incident.id, { by: 'Ada', note: 'replacing the disk' }, nowMs);
    expect(read.incident(incident.id)).toMatchObject({ stage: 'acknowledged', acknowledgedBy: 'Ada' });
    expect(read.incident(incident.id)?.entries.slice(2)).toMatchObject([
      { kind: 'acknowledged', by: 'Ada' },
      { kind: 'note', by: 'Ada', text: 'replacing the disk' },
    ]);
    for (const { id } of incident.checks)
      expect(read.check(id, nowMs)?.acknowledgement).toEqual({ atMs: nowMs, by: 'Ada' });
    await change.unacknowledgeIncident(incident.id, { by: 'Ada', note: '' }, nowMs);
    expect(read.incident(incident.id)?.stage).toBe('open');
    for (const { id } of incident.checks) expect(read.check(id, nowMs)?.acknowledgement).toBeUndefined();
  });

  test('its only check acknowledges the incident', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.act('job', 'acknowledge');
    expect(shown()).toEqual(['acknowledged job']);
  });

  test('of a check that is no longer acknowledged, it says who withdrew that', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    const { changeBy } = timeline.knell.app.engine;
    const [incident] = incidents();
    const id = incident?.checks[0]?.id;
    if (id === undefined) throw new Error('no incident');
    const atMs = timeline.clock.nowMs();
    const change = changeBy({ actor: actorOf('member', 'Ada'), atMs });
    await change.acknowledgeCheck(id, 'Ada', atMs);
    await change.unacknowledgeCheck(id, atMs);
    expect(shown()).toEqual(['open job']);
    expect(incidents()[0]?.entries.slice(1)).toMatchObject([
      { kind: 'acknowledged', by: 'Ada' },
      { kind: 'unacknowledged', by: 'Ada' },
    ]);
  });

  test('one that is resolved is refused, a note is not, and an empty or a long one is', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    const { change, read } = timeline.knell.app.engine;
    const [incident] = incidents();
    if (!incident) throw new Error('no incident');
    const by = { by: 'Ada', note: '' };
    await expect(change.acknowledgeIncident(incident.id, by, 1)).rejects.toThrow('this incident is resolved');
    await expect(change.noteIncident(incident.id, by, 1)).rejects.toThrow('a note needs a text');
    const long = { ...by, note: 'x'.repeat(1_001) };
    await expect(change.noteIncident(incident.id, long, 1)).rejects.toThrow('at most 1000 characters');
    await change.noteIncident(incident.id, { ...by, note: 'a disk was full' }, 1);
    expect(read.incident(incident.id)?.entries.at(-1)).toMatchObject({ text: 'a disk was full' });
  });
});
