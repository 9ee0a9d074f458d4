/** What there may be only so many of: what is refused at the limit, and that the words name it. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Project } from '../../src/domain/accounts/project.ts';
import type { Engine, PingOutcome, PingRequest } from '../../src/engine/contract/engine.ts';
import { asUserId } from '../../src/lib/ids.ts';
import { minute } from '../../src/lib/units.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { startEngine } from '../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';
import { uuidOf } from '../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 4, 4);
let engine: Engine;
let project: Project;
let pingKey = '';

beforeEach(async () => {
  const clock = new SimulatedClock(startMs);
  engine = await startEngine({
    clock,
    store: await openSimulatedStore({
      machine: new SimulatedMachine(),
      scheduler: eventLoop,
      nowMs: () => startMs,
    }),
    bounds: {
      projectsMax: 3,
      channelsPerProjectMax: 2,
      usersMax: 2,
      statusPagesPerProjectMax: 2,
      maintenancePerProjectMax: 2,
      creations: { perMinute: 2, burst: 3, clientsMax: 10 },
    },
  });
  const made = await engine.change.createProject('one', 'paid', startMs);
  project = made.project;
  pingKey = made.ping.clear;
});

const users = ['ada', 'ben', 'eve'];
const userNamed = (name: string) =>
  engine.change.putUser({
    id: asUserId(uuidOf(0xf0, users.indexOf(name))),
    name,
    role: 'owner',
    passwordHash: '',
    createdAtMs: startMs,
  });

function ping(slug: string, atMs: number, key = pingKey): Promise<PingOutcome> {
  const request: PingRequest = {
    target: { by: 'slug', pingKey: key, slug, create: true },
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: 'GET',
    remoteAddr: '192.0.2.1',
    ua: '',
    body: new Uint8Array(0),
    searchable: { via: 'http', body: new Uint8Array(0) },
    receivedAtMs: atMs,
  };
  return new Promise((resolve) => engine.acceptPing(request, resolve, null));
}

describe('at its limit, and only there,', () => {
  test('a project is refused', async () => {
    await engine.change.createProject('two', 'paid', startMs);
    const three = await engine.change.createProject('three', 'paid', startMs);
    const refused = engine.change.createProject('four', 'paid', startMs);
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('3 projects'),
    });
    await engine.change.deleteProject(three.project.id, startMs);
    await engine.change.createProject('four', 'paid', startMs);
  });

  test('an integration is refused; one may still be edited', async () => {
    const create = (name: string) =>
      engine.change.createChannel(project.id, { kind: 'email', name, value: 'a@b.c' }, startMs);
    const first = await create('1');
    await create('2');
    await expect(create('3')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('at most 2 integrations'),
    });
    expect((await engine.change.editChannel(first.id, { name: 'other' })).name).toBe('other');
  });

  test('a user is refused; those there are may be changed', async () => {
    await userNamed('ada');
    await userNamed('ben');
    await expect(userNamed('eve')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('2 users'),
    });
    await userNamed('ben');
  });
});

describe('checks that pings create', () => {
  test('come as fast as a fleet is set up, then slowly; pings of those there are do not wait', async () => {
    const outcomes = ['a', 'b', 'c', 'd', 'a'].map((slug) => ping(slug, startMs));
    expect(await Promise.all(outcomes)).toEqual(['created', 'created', 'created', 'too-many-new', 'ok']);
    const other = await engine.change.createProject('two', 'paid', startMs);
    expect(await ping('d', startMs, other.ping.clear)).toBe('created');
    expect(await ping('d', startMs + minute / 2)).toBe('created');
    expect(await ping('e', startMs + minute / 2)).toBe('too-many-new');
    expect(engine.read.checkCount(project.id)).toBe(4);
  });

  test('do not use up what is allowed when they are refused for another reason', async () => {
    for (let at = 0; at < 10; at++) expect(await ping('x'.repeat(200), startMs)).toBe('slug-too-long');
    expect(await ping('a', startMs)).toBe('created');
  });
});
