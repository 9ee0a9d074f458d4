import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/domain/accounts/project.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import { noHandle } from '../../../src/engine/registry/hashed-handles.ts';
import { Registry } from '../../../src/engine/registry/registry.ts';
import { asBadgeId, asChannelId, asCheckId, asKeyId, sha256Hex, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { checkWith, t0 } from '../../support/engine/checks.ts';

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

function registryWith(count: number): Registry {
  const registry = new Registry();
  const { projectId } = check(0);
  registry.addProject({ id: projectId, name: 'p', plan: 'paid', badgeKey: 'bk', createdAtMs: t0 });
  for (let number = 0; number < count; number++) registry.addCheck(check(number, `job-${number}`));
  return registry;
}

const handleOf = (registry: Registry, number: number): number => {
  const handle = registry.handleOf(id(number));
  if (handle < 0) throw new Error(`no check ${number}`);
  return handle;
};

test('a check that changed without an actor, and back, is what it was', () => {
  const registry = registryWith(1);
  const handle = handleOf(registry, 0);
  const before = registry.check(handle);
  registry.send(handle, { type: 'success', atMs: t0, rid: null });
  registry.send(handle, { type: 'success', atMs: t0 + 1000, rid: null });
  registry.send(handle, { type: 'fail', atMs: t0 + 3000, rid: null });
  expect(registry.check(handle).state).toMatchObject({ status: 'down', nPings: 3, lastPingMs: t0 + 3000 });
  registry.replace(handle, before);
  expect(registry.check(handle)).toBe(before);
  registry.send(handle, { type: 'log', atMs: t0 });
  expect(registry.check(handle).state).toMatchObject({ status: 'new', nPings: 1 });
});

describe('indexes', () => {
  test('forget a check that is taken out, and know the same handle when it is put back', () => {
    const registry = registryWith(3);
    const handle = handleOf(registry, 1);
    const index = registry.projectIndex(registry.projectId(handle));
    const key = uniqueKeyOf(registry.id(handle));
    expect(index?.indexUniqueKeys(10)).toBe(true);
    expect(index?.byUniqueKey(key)).toBe(handle);
    registry.removeCheck(handle);
    expect([registry.handleOf(id(1)), index?.byUniqueKey(key), index?.bySlug('job-1')]).toEqual([
      noHandle,
      noHandle,
      noHandle,
    ]);
    expect(registry.has(handle)).toBe(false);
    registry.restoreCheck(handle);
    expect(index?.bySlug('job-1')).toEqual(handle);
    expect(Array.from(index?.handles() ?? [], (one) => registry.id(one))).toEqual([id(0), id(1), id(2)]);
  });

  test('of unique keys are built in batches, and miss nothing that comes or goes meanwhile', () => {
    const registry = registryWith(20);
    const index = registry.projectIndex(check(0).projectId);
    const found = (number: number) => index?.byUniqueKey(uniqueKeyOf(check(number).id)) ?? noHandle;
    expect(index?.indexUniqueKeys(5)).toBe(false);
    expect([found(4), found(5)]).toEqual([handleOf(registry, 4), noHandle]);
    registry.removeCheck(handleOf(registry, 2));
    registry.removeCheck(handleOf(registry, 15));
    const added = registry.addCheck(check(30));
    expect(found(30)).toBe(added);
    while (!index?.indexUniqueKeys(5));
    for (let number = 0; number < 20; number++) expect(found(number)).toBe(registry.handleOf(id(number)));
    expect(found(30)).toBe(added);
  });

  test('follow a slug that changes', () => {
    const registry = registryWith(1);
    const handle = handleOf(registry, 0);
    const before = registry.check(handle);
    registry.send(handle, { type: 'update', atMs: t0, config: { ...before.config, slug: 'other' } });
    registry.reindex(handle, before);
    const index = registry.projectIndex(before.projectId);
    expect([index?.bySlug('job-0'), index?.bySlug('other')]).toEqual([noHandle, handle]);
  });

  test('find the project of an integration while both exist', () => {
    const registry = registryWith(0);
    const index = registry.projectIndex(check(0).projectId);
    if (!index) throw new Error('no project');
    const channel: Channel = {
      ...{ id: asChannelId(id(1)), projectId: index.project.id, kind: 'email' },
      ...{ name: '', value: 'a@example.org', createdAtMs: t0 },
    };
    index.addChannel(channel);
    expect(registry.projectOfChannel(channel.id)).toBe(index);
    registry.removeProject(index.project);
    expect(registry.projectOfChannel(channel.id)).toBeNull();
    registry.restoreProject(index);
    expect(registry.projectOfChannel(channel.id)).toBe(index);
    index.removeChannel(channel.id);
    expect(registry.projectOfChannel(channel.id)).toBeNull();
  });

  test('give a handle to another check only when the first is released', () => {
    const registry = registryWith(2);
    const gone = handleOf(registry, 0);
    registry.removeCheck(gone);
    expect(registry.addCheck(check(7))).not.toBe(gone);
    registry.disposeCheck(gone);
    expect(registry.addCheck(check(8))).toBe(gone);
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
  expect(Array.from(index?.handles() ?? [], (handle) => registry.id(handle))).toEqual([id(0), id(1), id(2)]);
  expect(index?.project.name).toBe('renamed');
  expect([...registry.projectIndexes()]).toHaveLength(1);
});
