import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { Registry } from '../../src/engine/registry.ts';
import { asBadgeId, asCheckId, asKeyId, sha256Hex, uniqueKeyOf } from '../../src/lib/ids.ts';
import { checkWith, t0 } from '../support/checks.ts';

const id = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

function check(number: number, slug = ''): Check {
  const base = checkWith({ slug });
  return {
    ...base,
    id: asCheckId(id(number)),
    badgeId: asBadgeId(id(1000 + number)),
    createdAtMs: t0 + number,
  };
}

function registryWith(count: number, activeActorsMax = 10): Registry {
  const registry = new Registry(activeActorsMax);
  const { projectId } = check(0);
  registry.addProject({ id: projectId, name: 'p', plan: 'paid', badgeKey: 'bk', createdAtMs: t0 });
  for (let number = 0; number < count; number++) registry.addCheck(check(number, `job-${number}`));
  return registry;
}

const actorOf = (registry: Registry, number: number) => {
  const actor = registry.actor(id(number));
  if (!actor) throw new Error(`no check ${number}`);
  return actor;
};

describe('activation', () => {
  test('a ping on the fast path activates no actor, a change of status does', () => {
    const registry = registryWith(1);
    const actor = actorOf(registry, 0);
    registry.send(actor, { type: 'log', atMs: t0 });
    expect(actor.isActive).toBe(false);
    registry.send(actor, { type: 'success', atMs: t0, rid: null });
    expect([actor.isActive, actor.check.state.status]).toEqual([true, 'up']);
  });

  test('no more actors are active than may be: the oldest is passivated, and keeps its state', () => {
    const registry = registryWith(20, 3);
    for (let number = 0; number < 20; number++) {
      registry.send(actorOf(registry, number), { type: 'success', atMs: t0 + number, rid: null });
    }
    const active = [...registry.actors()].filter((actor) => actor.isActive).map((actor) => actor.check.id);
    expect(active).toEqual([id(17), id(18), id(19)]);
    for (const actor of registry.actors()) expect(actor.check.state.status).toBe('up');
    registry.send(actorOf(registry, 0), { type: 'fail', atMs: t0 + 99, rid: null });
    expect(actorOf(registry, 0).check.state).toMatchObject({ status: 'down', nPings: 2 });
  });

  test('an actor is passivated by the fast path, and the next decides on what that has made of the check', () => {
    const registry = registryWith(1);
    const actor = actorOf(registry, 0);
    registry.send(actor, { type: 'success', atMs: t0, rid: null });
    expect(actor.isActive).toBe(true);
    registry.send(actor, { type: 'success', atMs: t0 + 1000, rid: null });
    expect(actor.isActive).toBe(false);
    registry.send(actor, { type: 'log', atMs: t0 + 2000 });
    registry.send(actor, { type: 'fail', atMs: t0 + 3000, rid: null });
    expect(actor.check.state).toMatchObject({ status: 'down', nPings: 4, lastPingMs: t0 + 3000 });
  });

  test('going back to an older record works with and without an active actor', () => {
    const registry = registryWith(1);
    const actor = actorOf(registry, 0);
    const before = actor.check;
    registry.send(actor, { type: 'success', atMs: t0, rid: null });
    registry.replaceRecord(actor, before);
    expect(actor.check).toBe(before);
    registry.send(actor, { type: 'log', atMs: t0 });
    expect(actor.check.state).toMatchObject({ status: 'new', nPings: 1 });
  });
});

describe('indexes', () => {
  test('forget a check that is taken out, and know the same actor when it is put back', () => {
    const registry = registryWith(3);
    const actor = actorOf(registry, 1);
    const index = registry.projectIndex(actor.check.projectId);
    const key = uniqueKeyOf(actor.check.id);
    expect(index?.indexUniqueKeys(10)).toBe(true);
    expect(index?.byUniqueKey(key)).toBe(actor);
    registry.removeCheck(actor);
    expect([registry.actor(id(1)), index?.byUniqueKey(key), index?.bySlug('job-1').length]).toEqual([
      null,
      null,
      0,
    ]);
    expect(registry.actorByHandle(actor.handle)).toBeNull();
    registry.restoreCheck(actor);
    expect(index?.bySlug('job-1')).toEqual([actor]);
    expect([...(index?.actors() ?? [])].map(({ check: { id: own } }) => own)).toEqual([id(0), id(1), id(2)]);
  });

  test('of unique keys are built in batches, and miss nothing that comes or goes meanwhile', () => {
    const registry = registryWith(20);
    const index = registry.projectIndex(check(0).projectId);
    const found = (number: number) => index?.byUniqueKey(uniqueKeyOf(check(number).id)) ?? null;
    expect(index?.indexUniqueKeys(5)).toBe(false);
    expect([found(4), found(5)]).toEqual([actorOf(registry, 4), null]);
    registry.removeCheck(actorOf(registry, 2));
    registry.removeCheck(actorOf(registry, 15));
    const added = registry.addCheck(check(30));
    expect(found(30)).toBe(added);
    while (!index?.indexUniqueKeys(5));
    for (let number = 0; number < 20; number++) expect(found(number)).toBe(registry.actor(id(number)));
    expect(found(30)).toBe(added);
  });

  test('follow a slug that changes', () => {
    const registry = registryWith(1);
    const actor = actorOf(registry, 0);
    const before = actor.check;
    registry.send(actor, { type: 'update', atMs: t0, config: { ...before.config, slug: 'other' } });
    registry.reindex(actor, before);
    const index = registry.projectIndex(before.projectId);
    expect([index?.bySlug('job-0').length, index?.bySlug('other').length]).toEqual([0, 1]);
  });

  test('give a handle to another check only when the first is released', () => {
    const registry = registryWith(2);
    const gone = actorOf(registry, 0);
    registry.removeCheck(gone);
    expect(registry.addCheck(check(7)).handle).not.toBe(gone.handle);
    registry.disposeCheck(gone);
    expect(registry.addCheck(check(8)).handle).toBe(gone.handle);
  });

  test('find a key by what it hashes to, and no other', () => {
    const registry = registryWith(0);
    const key = {
      id: asKeyId('k'),
      projectId: check(0).projectId,
      scope: 'read-write' as const,
      hash: sha256Hex('secret'),
      clear: null,
      createdAtMs: t0,
    };
    registry.addKey(key);
    expect(registry.keyByClear('secret')).toBe(key);
    expect(registry.keyByClear('Secret')).toBeNull();
    registry.removeKey(key);
    expect(registry.keyByClear('secret')).toBeNull();
  });
});

test('creation times within a project never repeat', () => {
  const index = registryWith(2).projectIndex(check(0).projectId);
  const first = index?.nextCreatedAtMs(t0) ?? 0;
  expect(first).toBeGreaterThan(t0 + 1);
});

test('a project that is loaded twice, as after a fold that was cut off, keeps its checks', () => {
  const registry = registryWith(3);
  const { projectId } = check(0);
  registry.addProject({ id: projectId, name: 'renamed', plan: 'free', badgeKey: 'other', createdAtMs: t0 });
  const index = registry.projectIndex(projectId);
  expect([...(index?.actors() ?? [])].map((actor) => actor.check.id)).toEqual([id(0), id(1), id(2)]);
  expect(index?.project.name).toBe('renamed');
  expect([...registry.projectIndexes()]).toHaveLength(1);
});
