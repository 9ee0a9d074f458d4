/** Incidents: which checks are in which, over time. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Incident } from '../../../src/domain/alerting/incident.ts';
import { incidentReopenMs, incidentsKeptMax } from '../../../src/domain/limits.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { isLong } from '../../support/long.ts';
import { AlertTimeline } from '../../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

const incidents = () => timeline.storedIncidents();
const shown = () => timeline.incidentStages();

const kinds = (incident: Incident | undefined) => incident?.entries.map(({ kind }) => kind);

describe('an incident', () => {
  test('opens when a check goes down, and is resolved when it is up again', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.ping('job', '/fail');
    expect(shown()).toEqual(['open job']);
    await timeline.ping('job');
    expect(shown()).toEqual(['resolved (job)']);
    expect(kinds(incidents()[0])).toEqual(['opened', 'left', 'resolved']);
  });

  test('opens again where its check goes down soon, and is another one later', async () => {
    await timeline.check('job', { timeout: 86_400 });
    for (const end of ['/fail', '', '/fail', '']) await timeline.ping('job', end);
    expect(kinds(incidents()[0])).toEqual(['opened', 'left', 'resolved', 'reopened', 'left', 'resolved']);
    await timeline.advance(incidentReopenMs);
    await timeline.ping('job', '/fail');
    expect(shown()).toEqual(['open job', 'resolved (job)']);
  });

  test('opens again where its check joined last, also one that opened before another that it was in', async () => {
    await timeline.check('db', {});
    await timeline.check('app', {});
    await timeline.ping('db', '/fail');
    await timeline.clock.advance(1);
    for (const end of ['/fail', '']) await timeline.ping('app', end);
    await timeline.edit('app', { depends_on: 'db' });
    await timeline.ping('app', '/fail');
    expect(shown()).toEqual(['resolved (app)', 'open db app']);
    for (const name of ['db', 'app']) await timeline.ping(name);
    await timeline.edit('app', { depends_on: '' });
    await timeline.ping('app', '/fail');
    expect(shown()).toEqual(['resolved (app)', 'open (db) app']);
  });

  test('says that a check left it because it was paused: nobody knows that it came up', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.act('job', 'pause');
    expect(incidents()[0]?.entries.map(({ kind, text }) => [kind, text])).toEqual([
      ['opened', ''],
      ['left', 'It was paused.'],
      ['resolved', ''],
    ]);
  });

  test('that opens again is acknowledged by nobody', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    const [opened] = incidents();
    if (!opened) throw new Error('no incident');
    await timeline.knell.app.engine.change.acknowledgeIncident(opened.id, { by: 'ada', note: '' }, 1);
    await timeline.ping('job');
    expect(incidents()).toMatchObject([{ stage: 'resolved', acknowledgedBy: 'ada', acknowledgedMs: 1 }]);
    await timeline.ping('job', '/fail');
    expect(incidents()).toMatchObject([{ stage: 'open', acknowledgedBy: '', acknowledgedMs: 0 }]);
  });

  test('has the checks that depend on the one that is down, until all of them are up', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db' });
    await timeline.check('page', { depends_on: 'app' });
    await timeline.check('other', {});
    for (const name of ['db', 'app', 'page']) await timeline.ping(name, '/fail');
    await timeline.clock.advance(1);
    await timeline.ping('other', '/fail');
    expect(shown()).toEqual(['open other', 'open db app page']);
    await timeline.ping('db');
    expect(shown()[1]).toBe('open (db) app page');
    await timeline.ping('app');
    await timeline.ping('page');
    expect(shown()[1]).toBe('resolved (db) (app) (page)');
  });

  test('is none while too few failures or a snooze hold the alert back, and opens at the end of that', async () => {
    await timeline.check('rare', { alert_after: 2 });
    await timeline.check('quiet', {});
    await timeline.snooze('quiet', 10);
    await timeline.ping('rare', '/fail');
    await timeline.ping('quiet', '/fail');
    expect(shown()).toEqual([]);
    await timeline.ping('rare', '/fail');
    expect(shown()).toEqual(['open rare']);
    await timeline.later(10);
    expect(shown()).toEqual(['open quiet', 'open rare']);
  });

  test('goes on while a check that is up has to prove it', async () => {
    await timeline.check('job', { recover_after: 2 });
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    expect(shown()).toEqual(['open job']);
    await timeline.ping('job');
    expect(shown()).toEqual(['resolved (job)']);
  });

  test.each([
    ['paused', (): Promise<unknown> => timeline.act('job', 'pause')],
    ['deleted', () => timeline.remove('job')],
  ])('ends with its only check: %s', async (_, end) => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await end();
    expect(shown()).toEqual(['resolved (job)']);
  });

  test('is among the open ones until it is resolved, across a restart', async () => {
    const open = (): readonly string[] => {
      const { read } = timeline.knell.app.engine;
      return read
        .projects()
        .flatMap(({ id }) => read.openIncidents(id))
        .flatMap(({ checks }) => checks.map(({ name }) => name));
    };
    await timeline.check('job', {});
    await timeline.check('other', {});
    expect(open()).toEqual([]);
    for (const name of ['job', 'other']) await timeline.ping(name, '/fail');
    for (const { id } of incidents())
      await timeline.knell.app.engine.change.acknowledgeIncident(id, { by: 'ada', note: '' }, 1);
    expect(open()).toEqual(['job', 'other']);
    await timeline.ping('job');
    expect(open()).toEqual(['other']);
    await timeline.restart();
    expect(open()).toEqual(['other']);
    await timeline.ping('job', '/fail');
    expect([...open()].sort()).toEqual(['job', 'other']);
  });

  test('survives a restart', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db' });
    await timeline.ping('db', '/fail');
    await timeline.ping('app', '/fail');
    const before = incidents();
    await timeline.restart();
    expect(incidents()).toEqual(before);
    await timeline.ping('app');
    await timeline.ping('db');
    expect(shown()).toEqual(['resolved (db) (app)']);
  });

  test('of a project that is deleted is gone', async () => {
    const { change, read } = timeline.knell.app.engine;
    const { project } = await change.createProject('other', 'paid', timeline.clock.nowMs());
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    const [first] = read.projects();
    if (!first) throw new Error('no project');
    await change.deleteProject(first.id, timeline.clock.nowMs());
    await timeline.restart();
    expect(shown()).toEqual([]);
    expect(timeline.knell.app.engine.read.incidents(project.id, 9e15, 9)).toEqual([]);
  });
});

test.runIf(isLong)('the oldest of too many go, and none that is open', async () => {
  // Many checks at once: each round has few batches, and nobody is notified.
  const checksAtOnce = 50;
  const uuids: string[] = [];
  for (let at = 0; at < checksAtOnce; at++) {
    const { uuid } = await timeline.check(`job-${at}`, { timeout: 86_400, channels: '' });
    uuids.push(uuid);
  }
  await timeline.check('still', {});
  await timeline.ping('still', '/fail');
  const pingAll = (end: string): Promise<unknown> =>
    Promise.all(uuids.map((uuid) => timeline.knell.request(`/ping/${uuid}${end}`)));
  for (let opened = 0; opened <= incidentsKeptMax; opened += checksAtOnce) {
    await pingAll('/fail');
    await pingAll('');
    await timeline.clock.advance(incidentReopenMs);
  }
  expect(incidents()).toHaveLength(incidentsKeptMax);
  expect(shown().at(-1)).toBe('open still');
  for (const uuid of uuids) expect(timeline.knell.app.engine.read.incidentOf(asCheckId(uuid))).toBeNull();
});
