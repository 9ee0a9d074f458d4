import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckConfig, Status } from '../../../src/domain/check/check.ts';
import type { BadgeUrls } from '../../../src/domain/views/api-answers.ts';
import { badgeUrls } from '../../../src/http/badges/badge-address.ts';
import { createBadges } from '../../../src/http/badges/badge-routes.ts';
import { asProjectId } from '../../../src/lib/ids.ts';
import { ApiEngine, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { type Received, send } from '../../support/wire/http-call.ts';

type CheckFacts = readonly [status: Status, config: Partial<CheckConfig>];

function house(...checks: readonly CheckFacts[]) {
  return houseCalled('Mychecks', ...checks);
}

function houseCalled(label: string, ...checks: readonly CheckFacts[]) {
  const engine = new ApiEngine();
  engine.add(...checks.map(([status, config], index) => makeCheck(index + 1, config, { status })));
  const signer = { badgeSecret: engine.read.badgeSecret, badgeKey: 'badge-p1' };
  const route = createBadges({ read: engine.read, label });
  return {
    engine,
    urls: (tag: string): BadgeUrls => badgeUrls('', signer, tag),
    get: (url: string, method = 'GET'): Promise<Received> => send(route, { url, method }),
  };
}

describe('the badge of a tag', () => {
  it('counts the checks that have it', async () => {
    const { get, urls } = house(
      ['up', { tags: 'db web' }],
      ['grace', { tags: 'db' }],
      ['new', { tags: 'db' }],
      ['down', { tags: 'dbx' }],
      ['down', { tags: '' }],
    );
    expect((await get(urls('db').json3)).json).toEqual({ status: 'late', total: 3, grace: 1, down: 0 });
    expect((await get(urls('db').json)).json).toEqual({ status: 'up', total: 3, grace: 1, down: 0 });
    expect((await get(urls('web').json3)).json).toEqual({ status: 'up', total: 1, grace: 0, down: 0 });
  });

  it('is down as soon as one is', async () => {
    const { get, urls } = house(['grace', { tags: 'a' }], ['down', { tags: 'a' }], ['up', { tags: 'a' }]);
    expect((await get(urls('a').json3)).json).toEqual({ status: 'down', total: 3, grace: 1, down: 1 });
  });

  it('is up when no check has it (any more)', async () => {
    expect((await house().get(house().urls('gone').json)).json).toMatchObject({ status: 'up', total: 0 });
  });

  it.each(['a/b', 'v1.2', 'v1.svg', 'größe', '%41', 'a+b', '..', '日本', '"<&', '__proto__'])(
    'has an address for the tag %s',
    async (tag) => {
      const { get, urls } = house(['down', { tags: `x ${tag}` }]);
      for (const url of [urls(tag).shields, urls(tag).shields3]) {
        expect((await get(url)).json).toEqual({
          schemaVersion: 1,
          label: tag,
          message: 'down',
          color: 'critical',
        });
      }
      expect((await get(urls(tag).svg)).status).toBe(200);
    },
  );

  it('is found when a proxy has decoded the slash in the tag', async () => {
    const { get, urls } = house(['up', { tags: 'a/b' }]);
    expect((await get(urls('a/b').json.replace('%2F', '/'))).json).toMatchObject({ total: 1 });
  });
});

describe('the badge of a project', () => {
  it('is called Mychecks and has no tag in its address', async () => {
    const { get, urls, engine } = house(['grace', {}], ['up', { tags: 'a' }], ['paused', {}]);
    engine.add({ ...makeCheck(9, {}, { status: 'down' }), projectId: asProjectId('p2') });
    expect(urls('*').svg).toMatch(/^\/badge\/badge-p1\/[\w-]{8}-2\.svg$/);
    expect((await get(urls('*').json3)).json).toEqual({ status: 'late', total: 3, grace: 1, down: 0 });
    expect((await get(urls('*').shields3)).json).toEqual({
      schemaVersion: 1,
      label: 'Mychecks',
      message: 'late',
      color: 'important',
    });
  });

  it('is a picture, too', async () => {
    const { get, urls } = house(['up', {}]);
    const svg = await get(urls('*').svg);
    expect(svg.headers['Content-Type']).toBe('image/svg+xml');
    expect(svg.text).toContain('<title>Mychecks: up</title>');
  });
});

describe('the badge of a project with a label of its own', () => {
  it('is called as its address says, but for what nothing may be called', async () => {
    const { get, urls } = house(['up', { tags: 'a' }]);
    const labelled = async (url: string, label: string) =>
      (await get(`${url}?label=${encodeURIComponent(label)}`)).json;
    expect(await labelled(urls('*').shields, 'North & <wind>')).toMatchObject({ label: 'North & <wind>' });
    expect((await get(`${urls('*').svg}?label=%3Cb%3E`)).text).toContain('<title>&lt;b&gt;: up</title>');
    for (const label of ['', ' ', '\n', 'a\u0000b', 'x'.repeat(101)])
      expect(await labelled(urls('*').shields, label)).toMatchObject({ label: 'Mychecks' });
    expect(await labelled(urls('a').shields, 'other')).toMatchObject({ label: 'a' });
  });

  it('is called so, and no tag is', async () => {
    const { get, urls } = houseCalled('<Ops & "Co">', ['up', { tags: 'a' }]);
    expect((await get(urls('*').shields)).json).toMatchObject({ label: '<Ops & "Co">' });
    const svg = (await get(urls('*').svg)).text;
    expect(svg).toContain('<title>&lt;Ops &amp; &quot;Co&quot;&gt;: up</title>');
    expect((await get(urls('a').shields)).json).toMatchObject({ label: 'a' });
  });
});

describe('the signature', () => {
  it('is needed, and right for one tag alone', async () => {
    const { get, urls } = house(['up', { tags: 'a b' }]);
    const { json } = urls('a');
    expect((await get(json.replace('/a.', '/b.'))).status).toBe(404);
    expect((await get(json.replace(/\/[\w-]{8}-2\//, '/xxxxxxxx-2/'))).status).toBe(404);
    expect((await get(json.replace('badge-p1', 'badge-p2'))).status).toBe(404);
    expect((await get(json.replace('-2/', '-3/'))).status).toBe(404);
    expect((await get(json)).status).toBe(200);
  });

  it('is another one in another installation', () => {
    const urlsOf = (badgeSecret: string) => badgeUrls('', { badgeSecret, badgeKey: 'k' }, 'a');
    expect(urlsOf('s1')).not.toEqual(urlsOf('s2'));
    expect(urlsOf('s1')).toEqual(urlsOf('s1'));
  });
});

describe('the badge of a check', () => {
  const of = (number: number, states: 2 | 3, format: string): string =>
    `/b/${states}/${uuid(number + 0xb000)}.${format}`;

  it('has two states or three', async () => {
    const { get } = house(['grace', { name: 'Backup' }]);
    expect((await get(of(1, 2, 'json'))).json).toEqual({ status: 'up', total: 1, grace: 1, down: 0 });
    expect((await get(of(1, 3, 'json'))).json).toEqual({ status: 'late', total: 1, grace: 1, down: 0 });
    expect((await get(of(1, 3, 'shields'))).json).toMatchObject({ label: 'Backup', message: 'late' });
    expect((await get(of(1, 2, 'svg'))).text).toContain('Backup: up');
  });

  it('does not show the UUID of a check without a name', async () => {
    const { get } = house(['down', {}], ['down', { slug: 'nightly' }]);
    expect((await get(of(1, 2, 'shields'))).json).toMatchObject({ label: 'unnamed' });
    expect((await get(of(2, 2, 'shields'))).json).toMatchObject({ label: 'nightly' });
  });

  it.each([
    `/b/2/${uuid(1)}.svg`,
    `/b/4/${uuid(0xb001)}.svg`,
    `/b/2/${uuid(0xb001)}.png`,
    `/b/2/${uuid(0xb001)}`,
    '/b/2/x.svg',
    '/badge/',
    '/badge/a/b/c.svg',
    '/badge/badge-p1/xxxxxxxx/%.svg',
    '/badge/badge-p1/xxxxxxxx.png',
  ])('is not at %s', async (url) => {
    const { get } = house(['up', {}]);
    const answer = await get(url);
    expect([answer.status, answer.json]).toEqual([404, { error: 'not found' }]);
  });
});

describe('every badge answer', () => {
  it('may be read by any page and kept by no cache', async () => {
    const { get, urls } = house(['up', {}]);
    for (const url of [urls('*').svg, urls('*').json, '/badge/nothing']) {
      expect((await get(url)).headers).toMatchObject({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, OPTIONS',
        'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
        Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      });
    }
  });

  it('is to GET alone', async () => {
    const { get, urls } = house();
    expect((await get(urls('*').svg, 'OPTIONS')).status).toBe(204);
    expect((await get(urls('*').svg, 'POST')).status).toBe(405);
    expect((await get(urls('*').svg, 'HEAD')).status).toBe(405);
  });

  it('comes whatever the path is', async () => {
    const { get } = house(['up', {}]);
    const path = fc.oneof(fc.string(), fc.webPath()).map((tail) => tail);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/badge/', '/b/', '/badge/badge-p1/'), path, async (start, tail) => {
        expect((await get(start + tail.replaceAll('?', ''))).status).toBe(404);
      }),
    );
  });
});

describe('an address that Healthchecks has given out', () => {
  const secret = 'the SECRET_KEY of a Healthchecks';
  /** As its `quote` and its `reverse`: letters, digits and `_.-~` as they are, all else as bytes, twice. */
  const twice = (tag: string): string => {
    const once = encodeURIComponent(tag).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    return once.replaceAll('%', '%25');
  };
  const signature = (tag: string): string =>
    createHmac('sha1', createHash('sha1').update(`badge-p1${secret}`).digest())
      .update(tag)
      .digest('base64url')
      .slice(0, 8);

  it.each(['prod', 'x/y', 'ä', '50%', 'a+b', '?', '#1', "it's", '日本', '%41', 'x%2Fy', 'v1.svg'])(
    'is that of the tag %s',
    async (tag) => {
      const { engine, get, urls } = house(['down', { tags: `x ${tag}` }], ['up', { tags: 'x' }]);
      engine.importedSecret = secret;
      for (const mark of ['', '-2'])
        for (const format of ['svg', 'json', 'shields']) {
          const reply = await get(`/badge/badge-p1/${signature(tag)}${mark}/${twice(tag)}.${format}`);
          expect([reply.status, format]).toEqual([200, format]);
          if (format === 'json') expect(reply.json).toEqual({ status: 'down', total: 1, grace: 0, down: 1 });
        }
      expect((await get(urls(tag).json)).json).toMatchObject({ total: 1 });
      expect((await get(`/badge/badge-p1/${signature('other')}/${twice(tag)}.svg`)).status).toBe(404);
    },
  );
});
