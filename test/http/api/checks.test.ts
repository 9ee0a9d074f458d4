import { describe, expect, it } from 'vitest';
import { checkFieldNames, checkFields } from '../../../src/domain/check/check-fields.ts';
import { checksPerSlice } from '../../../src/engine/contract/limits.ts';
import { createApi } from '../../../src/http/api/api.ts';
import { uniqueKeyOf } from '../../../src/lib/ids.ts';
import { countTurns } from '../../support/count-turns.ts';
import { ApiEngine, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { otherValueOf, shownValueOf, shownWith } from '../../support/engine/check-fields.ts';
import { send } from '../../support/wire/http-call.ts';

function house() {
  const engine = new ApiEngine();
  const { read, change } = engine;
  const route = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const get = (url: string, scope: 'read-write' | 'read-only' = 'read-write') =>
    send(route, { url, key: engine.key(0, scope) });
  const names = async (query: string): Promise<unknown> => {
    const { json } = await get(`/api/v3/checks/${query}`);
    return Object(json).checks.map((check: { name: string }) => check.name);
  };
  return { engine, get, names };
}

describe('every field of a check', () => {
  const shown = checkFieldNames.filter((name) => name !== 'kind');

  it.each(shown)(
    '%s is listed as each check has it, where its neighbours differ in nothing else',
    async (name) => {
      const { engine, get } = house();
      const plain = shownWith(name);
      const other = { ...plain, [name]: otherValueOf(name) };
      engine.add(makeCheck(1, plain), makeCheck(2, other), makeCheck(3, plain));
      const { json } = await get('/api/v3/checks/');
      const listed = Object(json).checks.map(
        (check: Record<string, unknown>) => check[checkFields[name].json],
      );
      const configs = [plain, other, plain].map((config) => makeCheck(1, config).config);
      expect(listed).toEqual(configs.map((config) => shownValueOf(name, config)));
      expect(listed[0]).not.toEqual(listed[1]);
    },
  );

  it('the kind of schedule is listed as each check has it', async () => {
    const { engine, get } = house();
    engine.add(makeCheck(1), makeCheck(2, { kind: 'cron' }), makeCheck(3));
    const { json } = await get('/api/v3/checks/');
    const listed = Object(json).checks.map((check: object) => ['timeout' in check, 'schedule' in check]);
    expect(listed).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ]);
  });

  it('the older names of keywords follow whether mail subjects are searched', async () => {
    const { engine, get } = house();
    const keywords = { successKw: 'ok', failureKw: 'bad' };
    engine.add(makeCheck(1, keywords), makeCheck(2, { ...keywords, filterSubject: true }));
    const { json } = await get('/api/v3/checks/');
    const listed = Object(json).checks.map((check: Record<string, unknown>) => [
      check.subject,
      check.subject_fail,
    ]);
    expect(listed).toEqual([
      ['', ''],
      ['ok', 'bad'],
    ]);
  });
});

describe('the list of checks', () => {
  it('is empty for an empty project', async () => {
    const answer = await house().get('/api/v3/checks/');
    expect([answer.status, answer.json]).toEqual([200, { checks: [] }]);
    expect(answer.headers['Content-Type']).toBe('application/json');
  });

  it('has the oldest first', async () => {
    const { engine, names } = house();
    engine.add(makeCheck(3, { name: 'c' }), makeCheck(4, { name: 'd' }));
    expect(await names('')).toEqual(['c', 'd']);
  });

  it('is filtered by slug', async () => {
    const { engine, names } = house();
    engine.add(makeCheck(1, { name: 'a', slug: 'x' }), makeCheck(2, { name: 'b', slug: 'x' }), makeCheck(3));
    expect(await names('?slug=x')).toEqual(['a', 'b']);
    expect(await names('?slug=y')).toEqual([]);
    expect(await names('?slug=')).toHaveLength(3);
    expect(await names('?slug=y&slug=x')).toHaveLength(2);
  });

  it('is filtered by tags, of which a check must have all', async () => {
    const { engine, names } = house();
    engine.add(makeCheck(1, { name: 'a', tags: 'x y' }), makeCheck(2, { name: 'b', tags: 'x  yy' }));
    expect(await names('?tag=x')).toEqual(['a', 'b']);
    expect(await names('?tag=x&tag=y')).toEqual(['a']);
    expect(await names('?tag=z')).toEqual([]);
    expect(await names('?tag=')).toEqual([]);
    expect(await names('?tag=x&tag=x')).toHaveLength(2);
  });

  it('reads tags percent-encoded and with plus signs', async () => {
    const { engine, names } = house();
    engine.add(makeCheck(1, { name: 'a', tags: 'größe' }), makeCheck(2, { name: 'b', tags: 'c++' }));
    expect(await names('?tag=gr%C3%B6%C3%9Fe')).toEqual(['a']);
    expect(await names('?tag=c%2B%2B')).toEqual(['b']);
    expect(await names('?tag=%FF')).toEqual([]);
  });

  it('shows a read-only key what it may see', async () => {
    const { engine, get } = house();
    engine.add(makeCheck(1));
    const answer = await get('/api/v3/checks/', 'read-only');
    expect(answer.json).toMatchObject({ checks: [{ unique_key: uniqueKeyOf(makeCheck(1).id) }] });
    expect(answer.text).not.toContain(uuid(1));
  });

  it('holds every check once, however many slices it takes', async () => {
    for (const count of [checksPerSlice - 1, checksPerSlice, checksPerSlice + 1, 3 * checksPerSlice]) {
      const { engine, names } = house();
      for (let i = 1; i <= count; i += 1) engine.add(makeCheck(i, { name: `n${i}` }));
      expect(await names('')).toEqual(Array.from({ length: count }, (_, i) => `n${i + 1}`));
    }
  });

  it('joins slices of which a filter leaves nothing', async () => {
    const { engine, names } = house();
    for (let i = 1; i <= 3 * checksPerSlice; i += 1) engine.add(makeCheck(i, { name: `n${i}` }));
    engine.add(
      makeCheck(2 * checksPerSlice, { name: 'a', slug: 's' }),
      makeCheck(5000, { name: 'b', slug: 's' }),
    );
    expect(await names('?slug=s')).toEqual(['a', 'b']);
  });

  it('does not show what was rolled back while it was read', async () => {
    const { engine, names } = house();
    engine.add(
      makeCheck(1, { name: 'not kept' }),
      makeCheck(2, { name: 'b' }),
      makeCheck(3, { name: 'undone' }),
    );
    engine.onRolledBack = () => {
      engine.checks.delete(uuid(1));
      engine.add(makeCheck(3, { name: 'before' }));
    };
    expect(await names('')).toEqual(['b', 'before']);
  });

  it('leaves turns to others between its slices', async () => {
    const { engine, names } = house();
    for (let i = 1; i <= 5 * checksPerSlice; i += 1) engine.add(makeCheck(i));
    const turns = countTurns();
    await names('');
    expect(turns.stop()).toBeGreaterThanOrEqual(5);
  });
});

describe('one check', () => {
  it('is found by its UUID and by its unique key', async () => {
    const { engine, get } = house();
    engine.add(makeCheck(1, { name: 'a' }));
    const byUuid = await get(`/api/v2/checks/${uuid(1)}`);
    const byKey = await get(`/api/v2/checks/${uniqueKeyOf(makeCheck(1).id)}`);
    expect(byUuid.json).toMatchObject({ name: 'a', update_url: `http://k/api/v2/checks/${uuid(1)}` });
    expect(byKey.json).toEqual(byUuid.json);
    const readOnly = await get(`/api/v2/checks/${uuid(1)}`, 'read-only');
    expect(readOnly.json).not.toHaveProperty('uuid');
  });
});
