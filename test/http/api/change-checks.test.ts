import { describe, expect, it } from 'vitest';
import { checkFields } from '../../../src/domain/check/check-fields.ts';
import { createApi } from '../../../src/http/api/api.ts';
import { asProjectId } from '../../../src/lib/ids.ts';
import { givenFields } from '../../../src/spec/check-spec.ts';
import { ApiEngine, makeChannel, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { otherValueOf, shownWith } from '../../support/engine/check-fields.ts';
import { type Received, send } from '../../support/wire/http-call.ts';

interface Answer extends Omit<Received, 'json'> {
  readonly json: Readonly<Record<string, unknown>>;
}

function house(projectIndex = 0) {
  const engine = new ApiEngine();
  const { read, change } = engine;
  const route = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const key = engine.key(projectIndex, 'read-write');
  const post = async (url: string, json: unknown = {}): Promise<Answer> => {
    const answer = await send(route, { method: 'POST', url, key, json });
    return { ...answer, json: Object(answer.json) };
  };
  return {
    engine,
    post,
    create: (json: unknown, version = 3): Promise<Answer> => post(`/api/v${version}/checks/`, json),
    update: (number: number, json: unknown): Promise<Answer> => post(`/api/v3/checks/${uuid(number)}`, json),
    delete: (number: number) => send(route, { method: 'DELETE', url: `/api/v3/checks/${uuid(number)}`, key }),
  };
}

describe('every field of a check', () => {
  it.each(givenFields)('%s can be given when a check is created and when it is updated', async (name) => {
    const { create, update, engine } = house();
    const value = otherValueOf(name);
    const json = { [checkFields[name].json]: value };
    expect((await create(json)).status).toBe(201);
    engine.add(makeCheck(7, shownWith(name)));
    expect((await update(7, json)).json).toMatchObject(json);
    expect([...engine.checks.values()].map(({ config }) => config[name])).toEqual([value, value]);
    // Left out, it stays.
    expect((await update(7, {})).json).toMatchObject(json);
  });
});

describe('creating a check', () => {
  it('answers 201 with the check, made of defaults', async () => {
    const { create, engine } = house();
    const answer = await create({});
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      name: '',
      status: 'new',
      n_pings: 0,
      timeout: 86_400,
      grace: 3600,
      channels: '',
    });
    expect(engine.checks.size).toBe(1);
  });

  it('takes the slug from the name in v2 and not in v3', async () => {
    const { create } = house();
    expect((await create({ name: 'My Job' }, 2)).json).toMatchObject({ slug: 'my-job' });
    expect((await create({ name: 'My Job' }, 3)).json).toMatchObject({ slug: '' });
  });

  it('answers in the version that was asked', async () => {
    const { create } = house();
    expect((await create({}, 1)).json.update_url).toMatch(/^http:\/\/k\/api\/v1\/checks\//);
  });

  it('changes nothing when a parameter is wrong', async () => {
    const { create, engine } = house();
    const answer = await create({ name: 'a', timeout: 1 });
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'json validation error: timeout is too small' },
    ]);
    expect((await create({ channels: 'nobody' })).json).toEqual({
      error: 'invalid channel identifier: nobody',
    });
    expect(engine.checks.size).toBe(0);
  });

  it("assigns the project's integrations, not those of others", async () => {
    const { create, engine } = house();
    const foreign = { ...makeChannel(3, 'foreign'), projectId: asProjectId('p2') };
    engine.channels = [makeChannel(2, 'b'), makeChannel(1, 'a'), foreign];
    const both = [makeChannel(1, '').id, makeChannel(2, '').id].join(',');
    expect((await create({ channels: '*' })).json.channels).toBe(both);
    expect((await create({ channels: 'b,a' })).json.channels).toBe(both);
    expect((await create({ channels: 'foreign' })).status).toBe(400);
  });

  it('is refused at the limit of the plan, where an upsert that matches is not', async () => {
    const { create, engine } = house(1);
    for (let i = 1; i <= 20; i += 1) expect((await create({ name: `check ${i}` })).status).toBe(201);
    const answer = await create({ name: 'one too many' });
    expect([answer.status, Object.keys(answer.json)]).toEqual([403, ['error']]);
    expect((await create({ name: 'check 7', unique: ['name'] })).status).toBe(200);
    expect(engine.checks.size).toBe(20);
  });

  it('is put off while the disk is full', async () => {
    const { create, update, engine } = house();
    engine.add(makeCheck(1));
    engine.writable = false;
    for (const answer of [await create({}), await update(1, {})]) {
      expect([answer.status, Object.keys(answer.json)]).toEqual([503, ['error']]);
      expect(Number(answer.headers['Retry-After'])).toBeGreaterThan(0);
    }
  });
});

describe('an upsert', () => {
  it('updates the check that matches and answers 200', async () => {
    const { create, engine } = house();
    engine.add(makeCheck(1, { name: 'a', tags: 'old' }));
    const answer = await create({ name: 'a', tags: 'new', unique: ['name'] });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ uuid: uuid(1), tags: 'new' });
    expect(engine.checks.size).toBe(1);
  });

  it('means the oldest of several', async () => {
    const { create, engine } = house();
    engine.add(makeCheck(1, { name: 'b' }), makeCheck(2, { name: 'a' }), makeCheck(3, { name: 'a' }));
    expect((await create({ name: 'a', unique: ['name'] })).json.uuid).toBe(uuid(2));
  });

  it('leaves what it does not name as it is', async () => {
    const { create, engine } = house();
    engine.add(makeCheck(1, { name: 'a', desc: 'kept', kind: 'cron', schedule: '5 * * * *' }));
    const answer = await create({ name: 'a', grace: 60, unique: ['name'] });
    expect(answer.json).toMatchObject({ desc: 'kept', grace: 60, schedule: '5 * * * *' });
  });

  it('creates when nothing matches, or a named field is absent', async () => {
    const { create, engine } = house();
    engine.add(makeCheck(1), { ...makeCheck(2, { name: 'a' }), projectId: asProjectId('p2') });
    expect((await create({ name: 'a', unique: ['name'] })).status).toBe(201);
    expect((await create({ unique: ['name'] })).status).toBe(201);
    expect((await create({ name: 'a', unique: [] })).status).toBe(201);
  });

  it('does not create twice when the same one is sent twice at once', async () => {
    const { create, engine } = house();
    const both = await Promise.all([1, 2].map(() => create({ name: 'a', unique: ['name'] })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(engine.checks.size).toBe(1);
  });
});

describe('updating a check', () => {
  it('changes what is sent', async () => {
    const { update, engine } = house();
    engine.add(makeCheck(1, { name: 'a', desc: 'b' }));
    const answer = await update(1, { name: 'c', schedule: '* * * * *', timeout: 60, tz: 'Europe/Kiev' });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ name: 'c', desc: 'b', schedule: '* * * * *', tz: 'Europe/Kyiv' });
    expect(answer.json).not.toHaveProperty('timeout');
  });

  it('unassigns all integrations by an empty text, and keeps them when nothing is said', async () => {
    const { update, engine } = house();
    engine.channels = [makeChannel(1, 'a')];
    engine.add(makeCheck(1, { channels: [makeChannel(1, 'a').id] }));
    expect((await update(1, {})).json.channels).toBe(makeChannel(1, 'a').id);
    expect((await update(1, { channels: '' })).json.channels).toBe('');
  });

  it('looks for the check before it looks at the parameters', async () => {
    expect((await house().update(9, { name: 5 })).status).toBe(404);
  });
});

describe('pausing, resuming and deleting', () => {
  it('follow the states', async () => {
    const { post, engine } = house();
    engine.add(makeCheck(1, {}, { status: 'up' }));
    const url = `/api/v3/checks/${uuid(1)}`;
    const refused = await post(`${url}/resume`);
    expect([refused.status, refused.json]).toEqual([409, { error: 'check is not paused' }]);
    expect((await post(`${url}/pause`)).json).toMatchObject({ uuid: uuid(1), status: 'paused' });
    expect((await post(`${url}/resume`)).json).toMatchObject({ uuid: uuid(1), status: 'new' });
  });

  it('answers with the check as it was before deletion', async () => {
    const { delete: remove, engine } = house();
    engine.add(makeCheck(1, { name: 'a' }, { status: 'up' }));
    const answer = await remove(1);
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ name: 'a', status: 'up' })]);
    expect(engine.checks.size).toBe(0);
    expect((await remove(1)).status).toBe(404);
  });
});
