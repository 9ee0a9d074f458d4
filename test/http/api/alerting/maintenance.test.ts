/** Maintenance windows through the API of a running Knell, on a simulated clock. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../../../src/lib/ids.ts';
import { hour, minute } from '../../../../src/lib/units.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';

/** A Monday, at noon. */
const start = Date.UTC(2026, 4, 4, 12);
const list = '/api/v3/maintenance/';

let clock: SimulatedClock;
let knell: Knell;
beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});
afterEach(() => knell.stop());

async function created(json: object): Promise<Json> {
  const answer = await knell.api('POST', list, json);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json();
}

const windows = async (key?: string): Promise<Json> =>
  (await knell.api('GET', list, undefined, key)).json().maintenance;

test('is created, on at its time, off after it, and on again by its schedule', async () => {
  const made = await created({ name: 'Nights', tags: ['db'], schedule: '0 22 * * *', duration: '2h' });
  expect(made).toMatchObject({
    ...{ name: 'Nights', checks: [], tags: ['db'], from: null, until: null, dates: [] },
    ...{ schedule: '0 22 * * *', tz: 'UTC', duration: 7200, counts_as_downtime: false, by: 'API key' },
    ...{ active: false, active_since: null, until_active: null, times: '0 22 * * * (UTC) for 2 hours' },
    next: [4, 5, 6].map((day) => ({
      from: `2026-05-0${day}T22:00:00+00:00`,
      until: `2026-05-0${day + 1}T00:00:00+00:00`,
    })),
  });
  await clock.advance(11 * hour);
  const [window] = await windows();
  expect(window).toMatchObject({
    ...{ active: true, active_since: '2026-05-04T22:00:00+00:00', until_active: '2026-05-05T00:00:00+00:00' },
  });
  expect(window.next[0].from).toBe('2026-05-05T22:00:00+00:00');
  await clock.advance(hour);
  expect((await knell.api('GET', `${list}${made.uuid}`)).json().active).toBe(false);
});

test('an edit changes what it says, of one that is on too', async () => {
  const { uuid } = await created({ duration: '1h' });
  await clock.advance(30 * minute);
  const edited = await knell.api('POST', `${list}${uuid}`, { until: '2026-05-04T15:00:00Z', tags: 'db' });
  expect(edited.json()).toMatchObject({
    ...{ from: '2026-05-04T12:00:00+00:00', until_active: '2026-05-04T15:00:00+00:00', tags: ['db'] },
  });
  const refused = await knell.api('POST', `${list}${uuid}`, { until: '2026-05-04T11:00:00Z' });
  expect([refused.status, refused.json()]).toEqual([
    400,
    { error: 'json validation error: until is not after from' },
  ]);
});

test('is ended before its time, and deleted', async () => {
  const { uuid } = await created({ duration: '1h' });
  await clock.advance(minute);
  const ended = await knell.api('POST', `${list}${uuid}/end`);
  expect(ended.json()).toMatchObject({ active: false, next: [], until: '2026-05-04T12:01:00+00:00' });
  expect((await knell.api('POST', `${list}${uuid}/end`)).status).toBe(409);
  expect((await knell.api('DELETE', `${list}${uuid}`)).json().uuid).toBe(uuid);
  expect((await knell.api('DELETE', `${list}${uuid}`)).status).toBe(404);
  expect(await windows()).toEqual([]);
});

test('is about checks of its project only; a read-only key sees no UUID of them, and changes nothing', async () => {
  const { uuid } = await knell.create({ name: 'nightly' });
  const made = await created({ checks: [uuid], duration: 3600 });
  expect(made.checks).toEqual([uuid]);
  const { readOnly } = knell.keys;
  expect((await windows(readOnly))[0].checks).toEqual([uniqueKeyOf(asCheckId(uuid))]);
  for (const path of [list, `${list}${made.uuid}`, `${list}${made.uuid}/end`])
    expect((await knell.api('POST', path, { duration: 60 }, readOnly)).status).toBe(401);
  const other = await knell.app.engine.change.createProject('other', 'paid', start);
  expect((await knell.api('GET', `${list}${made.uuid}`, undefined, other.readWrite.clear)).status).toBe(403);
  const answer = await knell.api('POST', list, { checks: [uuid], duration: 60 }, other.readWrite.clear);
  expect([answer.status, answer.json().error]).toEqual([
    400,
    `json validation error: checks has ${uuid}, which is no check of this project`,
  ]);
});

test('a check that was deleted leaves a window that is edited, but for its last one', async () => {
  const ids = [];
  for (const name of ['a', 'b']) ids.push((await knell.create({ name })).uuid);
  const { uuid } = await created({ checks: ids, duration: 3600 });
  await knell.api('DELETE', `/api/v3/checks/${ids[0]}`);
  expect((await knell.api('POST', `${list}${uuid}`, { name: 'x' })).json().checks).toEqual([ids[1]]);
  await knell.api('DELETE', `/api/v3/checks/${ids[1]}`);
  const refused = await knell.api('POST', `${list}${uuid}`, { name: 'y' });
  expect([refused.status, refused.json().error]).toEqual([400, expect.stringContaining('choose others')]);
});

test('is kept across a restart', async () => {
  const made = await created({ schedule: '0 22 * * *', duration: '2h' });
  await knell.restart();
  expect(await windows()).toEqual([made]);
});

test('quiet hours are those of integrations of the project, and of no group', async () => {
  const { change, read } = knell.app.engine;
  const [project] = read.projects();
  if (!project) throw new Error('no project');
  const channel = (kind: 'ntfy' | 'group', value: string) =>
    change.createChannel(project.id, { kind, name: kind, value }, clock.nowMs());
  const phone = await channel('ntfy', '{"topic":"x","url":"https://ntfy.invalid","priority":3}');
  const group = await channel('group', phone.id);
  const times = { name: 'Nights', schedule: '0 22 * * *', duration: '8h' };
  expect(await created({ ...times, integrations: [phone.id] })).toMatchObject({ integrations: [phone.id] });
  for (const [id, error] of [
    [group.id, 'which is a group: give the integrations that are in it'],
    ['00000000-0000-4000-8000-000000000000', 'which is no integration of this project'],
  ]) {
    const { status, text } = await knell.api('POST', list, { ...times, integrations: [id] });
    expect([status, text]).toEqual([400, expect.stringContaining(`integrations has ${id}, ${error}`)]);
  }
});
