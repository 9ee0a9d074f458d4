/** Incidents of a check that is moved to another project while it is down, over a real socket: where it is in one, and what is sent. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertTimeline } from '../../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
let uuid = '';

beforeEach(async () => {
  timeline = await AlertTimeline.start();
  await admin('project create', { name: 'other', plan: 'paid' });
  await timeline.integration('theirs', { project: 'other', repeatS: 300 });
  await timeline.integration('collected', { project: 'other', collectS: 60 });
  ({ uuid } = await timeline.check('job', { timeout: 86_400, grace: 3600 }));
});
afterEach(() => timeline.stop());

const admin = (command: string, args: Readonly<Record<string, string>>) =>
  timeline.knell.app.admin({ command, args }, () => {});
const move = async (project: string): Promise<void> => {
  await admin('check move', { check: uuid, project, channels: 'all' });
  await timeline.advance(0);
};
/** Of each project: stage, whether the check is down in it, and the entries of each incident. */
const listed = (name: string): readonly string[] => {
  const { read } = timeline.knell.app.engine;
  const project = read.projects().find((one) => one.name === name);
  if (!project) throw new Error('no such project');
  return read
    .incidents(project.id, Number.MAX_SAFE_INTEGER, 10)
    .map(({ stage, entries }) => `${stage}: ${entries.map(({ kind, text }) => `${kind} ${text}`.trim())}`);
};

const away = 'left It was moved to another project.,resolved';
const here = 'It was down when it was moved here from another project.';

test('goes on in the other project from then on, and again in the first one when it comes back', async () => {
  await timeline.ping('job', '/fail');
  await timeline.later(5);
  await move('other');
  expect(listed('default')).toEqual([`resolved: opened,${away}`]);
  expect(listed('other')).toEqual([`open: opened ${here}`]);
  const [opened] = timeline.storedIncidents().filter(({ stage }) => stage === 'open');
  expect(opened?.openedMs).toBe(timeline.clock.nowMs());
  await timeline.advance(8000);
  await move('default');
  await timeline.restart();
  expect(listed('default')).toEqual([`open: opened,${away},reopened ${here}`]);
  expect(listed('other')).toEqual([`resolved: opened ${here},${away}`]);
  expect(timeline.sent).toEqual(['job DOWN']);
  await timeline.ping('job');
  expect(await timeline.until(2)).toEqual(['job DOWN', 'job UP']);
  expect(timeline.incidentStages()).toEqual(['resolved (job)', 'resolved (job)']);
});

test('sends nothing by itself; what follows is sent as if it had opened then', async () => {
  await timeline.ping('job', '/fail');
  await move('other');
  await timeline.later(30);
  expect(timeline.sent).toEqual(['job DOWN']);
  await timeline.ping('job');
  await timeline.until(3);
  expect(timeline.sent.slice(1)).toEqual(['job UP', 'job UP']);
  await timeline.ping('job', '/fail');
  await timeline.later(1);
  await timeline.until(5);
  expect(timeline.sentTo('theirs')).toEqual(['job UP', 'job DOWN']);
  expect(timeline.sentTo('collected')).toEqual(['job UP', 'job DOWN']);
});

test('is none of a check that is up, and none of one that no incident had', async () => {
  await timeline.ping('job');
  await move('other');
  expect(timeline.incidentStages()).toEqual([]);
  await move('default');
  await timeline.snooze('job', 60);
  await timeline.ping('job', '/fail');
  await move('other');
  expect(timeline.incidentStages()).toEqual([]);
  await timeline.later(60);
  expect(listed('other')).toEqual(['open: opened']);
  await timeline.later(1);
  await timeline.until(2);
  expect(timeline.sent).toEqual(['job DOWN', 'job DOWN']);
});

test('ends where the check is moved away, for that check only', async () => {
  await timeline.check('app', { timeout: 86_400, depends_on: 'job' });
  await timeline.ping('job', '/fail');
  await timeline.ping('app', '/fail');
  await move('other');
  expect(timeline.incidentStages()).toEqual(['open (job) app', 'open job']);
});
