import { describe, expect, it } from 'vitest';
import { createApi } from '../../../src/http/api/api.ts';
import { createBadges } from '../../../src/http/badges/badge-routes.ts';
import { asProjectId } from '../../../src/lib/ids.ts';
import { countTurns } from '../../support/count-turns.ts';
import { ApiEngine, makeChannel, makeCheck } from '../../support/engine/api-engine.ts';
import { httpRequest, send } from '../../support/wire/http-call.ts';

function house() {
  const engine = new ApiEngine();
  const { read, change } = engine;
  const api = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const badges = createBadges({ read, label: 'Mychecks' });
  return {
    engine,
    get: (url: string) => send(api, { url, key: engine.key(0, 'read-write') }),
    badge: (url: string) => send(badges, { url: url.replace('http://k', '') }),
  };
}

describe('the list of integrations', () => {
  it("has the project's own, without what they keep", async () => {
    const { engine, get } = house();
    const foreign = { ...makeChannel(3, 'c'), projectId: asProjectId('p2') };
    engine.channels = [makeChannel(2, 'Alice'), makeChannel(1, ''), foreign];
    expect((await get('/api/v3/channels/')).json).toEqual({
      channels: [
        { id: makeChannel(2, '').id, name: 'Alice', kind: 'email' },
        { id: makeChannel(1, '').id, name: '', kind: 'email' },
      ],
    });
  });
});

describe('the list of badges', () => {
  it('has the six addresses of each tag and of the whole', async () => {
    const { engine, get } = house();
    engine.add(makeCheck(1, { tags: 'web db' }), makeCheck(2, { tags: ' db  a/b' }));
    const { badges } = Object((await get('/api/v3/badges/')).json);
    expect(Object.keys(badges)).toEqual(['a/b', 'db', 'web', '*']);
    for (const urls of Object.values(badges)) {
      expect(Object.keys(Object(urls))).toEqual(['svg', 'svg3', 'json', 'json3', 'shields', 'shields3']);
    }
    expect(badges.db.svg).toMatch(/^http:\/\/k\/badge\/badge-p1\/[\w-]{8}-2\/db\.svg$/);
    expect(badges.db.shields3).toMatch(/^http:\/\/k\/badge\/badge-p1\/[\w-]{8}\/db\.shields$/);
    expect(badges['a/b'].json).toMatch(/\/a%2Fb\.json$/);
    expect(badges['*'].json3).toMatch(/^http:\/\/k\/badge\/badge-p1\/[\w-]{8}\.json$/);
  });

  it('is signed and rendered a hundred tags at a time, with turns of the event loop between', async () => {
    const engine = new ApiEngine();
    const { read, change } = engine;
    const api = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
    const names = Array.from({ length: 5000 }, (_, at) => `t${String(at).padStart(4, '0')}`);
    for (let at = 0; at < names.length; at += 50)
      engine.add(makeCheck(at + 1, { tags: [...names.slice(at, at + 50), names[0], '*'].join(' ') }));
    const turns = countTurns();
    const { body } = await api(httpRequest({ url: '/api/v3/badges/', key: engine.key(0, 'read-write') }));
    const parts = typeof body === 'object' && 'parts' in body ? body.parts : [];
    const tagsOfPart = parts.map((part) => Buffer.from(part).toString().split('"svg":').length - 1);
    expect(Math.max(...tagsOfPart)).toBe(100);
    expect(turns.stop()).toBeGreaterThan(tagsOfPart.length);
    const { badges } = JSON.parse(Buffer.concat(parts).toString());
    expect(Object.keys(badges)).toEqual([...names, '*']);
  });

  it('gives out addresses that work', async () => {
    const { engine, get, badge } = house();
    engine.add(makeCheck(1, { tags: 'x * __proto__ ünï' }, { status: 'down' }));
    const { badges } = Object((await get('/api/v3/badges/')).json);
    expect(Object.keys(badges)).toEqual(['__proto__', 'x', 'ünï', '*']);
    for (const urls of Object.values(badges)) {
      for (const url of Object.values(Object(urls))) expect((await badge(String(url))).status).toBe(200);
      expect((await badge(Object(urls).json)).json).toMatchObject({ status: 'down', total: 1 });
    }
  });
});
