/**
 * Integrations that are added on the vendor's own page, by the calls of the page: from the button to the message in the channel. In the
 * places of Slack and Discord are servers that do what their documents say (`support/wire/vendor-app`).
 */

import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Answer, type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { goodPassword, linkIn, ownerPage, PageClient, projectIn } from '../support/page/page-client.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { type AppVendor, appSettings, secrets, VendorApp } from '../support/wire/vendor-app.ts';

let clock: SimulatedClock;
let knell: Knell;
let app: VendorApp;
let owner: PageClient;
let project = '';

async function start(vendor: AppVendor, env: Readonly<Record<string, string>> = appSettings): Promise<void> {
  clock = new SimulatedClock(Date.now());
  const base = env.KNELL_BASE_URL ?? 'http://knell.test';
  app = await VendorApp.start(vendor, `${base}/connected`);
  knell = await Knell.start({ clock, env, logger });
  owner = await ownerPage(knell);
  project = await projectIn(owner);
}

afterEach(async () => {
  await knell.stop();
  await app.stop();
});

/** What the log says. */
const lines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
const listed = () => knell.app.admin({ command: 'channel list', args: { project: 'default' } }, () => {});

const inProject = (rest: string, of = project): string => `/web/in/${of}/${rest}`;
const begin = (kind: AppVendor, form: object = {}, who = owner): Promise<Answer> =>
  who.post(inProject('connect'), { kind, ...form });

/** The browser follows the address that the vendor has led it to: what the form that it arrives at sends. */
async function land(back: URL, who = owner): Promise<{ readonly state: string; readonly code: string }> {
  const answer = await who.get(`/connected${back.search}`);
  expect(answer.status).toBe(302);
  const { searchParams } = new URL(answer.headers.get('location') ?? '', 'http://knell.test');
  return { state: searchParams.get('state') ?? '', code: searchParams.get('code') ?? '' };
}

const finish = (sent: object, who = owner): Promise<Answer> => who.post(inProject('connect/finish'), sent);

/** From the button to the form that knows the code. */
async function allowed(kind: AppVendor, form: object = {}) {
  return land(app.allow((await begin(kind, form)).json().url));
}

const integrations = async (): Promise<readonly Json[]> =>
  (await owner.get(inProject('integrations'))).json().integrations;

describe('with apps at both', () => {
  test.each<[AppVendor, string]>([
    ['slack', '#ops'],
    ['discord', 'Knell'],
  ])('%s: the channel that was chosen gets alerts, and nobody sees how', async (kind, name) => {
    await start(kind);
    await knell.create({ name: 'job' });
    const texts: string[] = [];
    const keep = (answer: Answer): Answer => {
      texts.push(answer.text);
      return answer;
    };
    expect((await owner.get('/web/state')).json().connects).toEqual(['discord', 'slack']);
    const begun = keep(await begin(kind));
    const sent = await land(app.allow(begun.json().url));
    const added = keep(await finish(sent));
    expect([added.status, added.json()]).toEqual([
      201,
      { id: expect.any(String), name, checks: 1, wasThere: false },
    ]);
    const { id } = added.json();
    const tested = keep(await owner.post(inProject(`channels/${id}/test`)));
    expect(tested.json()).toEqual({ ok: true, error: '' });
    expect(app.chat.titles).toHaveLength(1);
    for (const path of ['integrations', 'settings', 'outbox', 'api/channels/'])
      keep(await owner.get(inProject(path)));
    keep(await owner.get('/web/audit.jsonl'));
    texts.push(lines.join('\n'), JSON.stringify(await listed()));
    const { entries } = keep(await owner.get('/web/audit')).json();
    expect(
      entries.find(({ action, subject }: Json) => action === 'created' && subject === 'integration'),
    ).toMatchObject({
      ...{ actor: { kind: 'member', name: 'ada' }, name, detail: kind },
    });
    for (const secret of secrets[kind]) expect(texts.join('\n')).not.toContain(secret);
  });

  test('what was typed into the form before is used: its name, its settings, its checks', async () => {
    await start('slack');
    const [one] = [await knell.create({ name: 'one' }), await knell.create({ name: 'two' })];
    const form = { name: 'Night shift', checks: [one.uuid], collectS: 60, late: true };
    const sent = await allowed('slack', form);
    const added = (await finish({ ...sent, ...form })).json();
    expect(added).toMatchObject({ name: 'Night shift', checks: 1 });
    expect((await integrations())[0]).toMatchObject({
      ...{ id: added.id, name: 'Night shift', collectS: 60, late: true, usedFor: 1 },
    });
  });

  test.each([
    [{ collectS: -1 }, 400],
    [{ name: 'x'.repeat(101) }, 400],
    [{ checks: ['00000000-0000-4000-8000-000000000000'] }, 400],
  ])('what is wrong in the form is said before the code is used: %o', async (form, status) => {
    await start('slack');
    expect((await begin('slack', form)).status).toBe(status);
    const sent = await allowed('slack');
    expect((await finish({ ...sent, ...form })).status).toBe(status);
    expect(app.exchanges).toEqual([]);
    expect((await finish(sent)).status).toBe(201);
  });

  test('an address of an own cannot be slipped in', async () => {
    await start('slack');
    const sent = await allowed('slack');
    const own = { value: 'https://evil.example.org/', fields: { value: 'https://evil.example.org/' } };
    const { id } = (await finish({ ...sent, ...own, kind: 'webhook' })).json();
    await owner.post(inProject(`channels/${id}/test`));
    expect(app.chat.titles).toHaveLength(1);
    expect((await integrations())[0]).toMatchObject({ kind: 'slack' });
  });

  test('a browser that comes back again adds no second one', async () => {
    await start('slack');
    await knell.create({ name: 'job' });
    const sent = await allowed('slack');
    const together = await Promise.all([finish(sent), finish(sent), finish(sent)]);
    const ids = new Set(together.map((answer) => answer.json().id));
    expect([ids.size, app.exchanges.length]).toEqual([1, 1]);
    await clock.advance(minute);
    const again = await finish(sent);
    const there = { id: [...ids][0], name: '#ops', checks: 1, wasThere: true };
    expect([again.status, again.json()]).toEqual([200, there]);
    // Somebody goes back to the page of the vendor, and allows it once more.
    const page = new URL('https://slack.com/oauth/v2/authorize');
    page.search = new URLSearchParams({
      ...{ client_id: 'slack-app', scope: 'incoming-webhook,chat:write', response_type: 'code' },
      ...{ redirect_uri: app.registered, state: sent.state },
    }).toString();
    expect((await finish(await land(app.allow(page.href)))).json()).toEqual(there);
    expect([app.exchanges.length, (await integrations()).length]).toEqual([1, 1]);
  });

  test('a restart in between changes nothing', async () => {
    await start('discord');
    const sent = await allowed('discord');
    await knell.restart();
    expect((await finish(sent)).status).toBe(201);
    await knell.restart();
    expect((await finish(sent)).json()).toMatchObject({ name: 'Knell', wasThere: true });
    expect(await integrations()).toHaveLength(1);
  });

  test('under a path, the vendor leads back under that', async () => {
    await start('slack', { ...appSettings, KNELL_BASE_URL: 'https://example.org/knell' });
    const { url } = (await begin('slack')).json();
    const back = app.allow(url);
    expect(back.pathname).toBe('/knell/connected');
    const answer = await owner.get(`/connected${back.search}`);
    expect(answer.headers.get('location')).toMatch(
      new RegExp(`^/knell/project/${project}/integrations/new/slack\\?state=`),
    );
    expect((await finish(await land(back))).status).toBe(201);
  });
});

describe('nothing is added', () => {
  beforeEach(() => start('slack'));
  afterEach(async () => expect(await integrations()).toEqual([]));

  const strange = 'This answer was not requested in this session';
  const refusedWith = async (sent: object, words: string, who = owner): Promise<void> => {
    const { status, text } = await finish(sent, who);
    expect([status, JSON.parse(text).error.toLowerCase()]).toEqual([
      409,
      expect.stringContaining(words.toLowerCase()),
    ]);
  };

  test('after ten minutes, and a new try works', async () => {
    const sent = await allowed('slack');
    await clock.advance(10 * minute);
    await refusedWith(sent, 'more than 10 minutes have passed: choose Add to Slack again');
    expect(app.exchanges).toEqual([]);
  });

  test('in another session, of the same user or of another', async () => {
    const sent = await allowed('slack');
    const { link } = (await owner.post('/web/users', { name: 'grace', role: 'editor' })).json();
    const grace = new PageClient(knell);
    await grace.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await grace.get('/web/state');
    await refusedWith(sent, strange, grace);
    const anew = new PageClient(knell);
    await anew.signIn('ada');
    await refusedWith(sent, strange, anew);
    await owner.post('/web/sign-out');
    expect((await finish(sent)).status).toBe(401);
    owner = anew;
    expect(app.exchanges).toEqual([]);
  });

  test('in another project, of another kind, or by a state that was changed', async () => {
    const { state, code } = await allowed('slack');
    const other = (await owner.post('/web/projects', { name: 'Other' })).json().id;
    const there = await owner.post(inProject('connect/finish', other), { state, code });
    expect([there.status, there.text]).toEqual([409, expect.stringContaining('was not requested')]);
    const [of = '', kind = '', kept = '', signature = ''] = state.split('.');
    const later = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(kept, 'base64url').toString()), untilMs: 9e15 }),
    ).toString('base64url');
    for (const parts of [
      [other, kind, kept, signature],
      [of, 'discord', kept, signature],
      [of, kind, later, signature],
      [of, kind, kept, 'A'.repeat(43)],
      [of, kind, kept],
      [],
    ])
      await refusedWith({ state: parts.join('.'), code }, strange);
    expect(app.exchanges).toEqual([]);
  });

  test('by somebody who may only read, or from another site', async () => {
    const sent = await allowed('slack');
    const { link } = (await owner.post('/web/users', { name: 'alan', role: 'viewer' })).json();
    const alan = new PageClient(knell);
    await alan.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await alan.get('/web/state');
    for (const answer of [await begin('slack', {}, alan), await finish(sent, alan)])
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining('your role does not allow'),
      ]);
    const forged = await owner.send('POST', inProject('connect/finish'), sent, { 'x-knell-csrf': 'x' });
    expect(forged.status).toBe(403);
    expect(app.exchanges).toEqual([]);
  });

  test('by opening an address', async () => {
    const back = app.allow((await begin('slack')).json().url);
    await land(back);
    for (const search of ['', '?code=x', '?code=x&state=x', `?state=${project}.mqtt.a.b`])
      expect((await owner.get(`/connected${search}`)).status).toBe(404);
    expect(app.exchanges).toEqual([]);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'does not take the code',
      () => app.forget(),
      /^slack does not accept this code any more: choose Add to Slack/i,
    ],
    [
      'does not know the app',
      () => {
        app.secret = 'another';
      },
      /KNELL_SLACK_CLIENT_ID or KNELL_SLACK_CLIENT_SECRET is wrong$/,
    ],
    ['is down', () => fail(503, 'xoxb-secret'), /refused it \(status 503\): choose Add to Slack again/],
    [
      'says a word',
      () => fail(200, '{"ok":false,"error":"org_login_required"}'),
      /refused it \(org_login_required\)/,
    ],
    ['names no channel', () => fail(200, '{"ok":true,"access_token":"xoxb-secret"}'), /named no channel/],
    [
      'does not know the address',
      () => fail(200, '{"ok":false,"error":"bad_redirect_uri"}'),
      /add the redirect URL http:\/\/knell\.test\/connected there$/,
    ],
    ['sends no end', () => fail(200, `{"ok":"${'x'.repeat(2_000_000)}"}`), /named no channel/],
    [
      'hangs up',
      () => fail(),
      /^slack cannot be reached \(.+\): try Add to Slack again later, or enter the address/i,
    ],
  ])('where the vendor %s', async (_title, prepare, words) => {
    const sent = await allowed('slack');
    prepare();
    const { status, text } = await finish(sent);
    expect([status, JSON.parse(text).error]).toEqual([409, expect.stringMatching(words)]);
    expect(text).not.toMatch(/secret"|xoxb/);
    expect(text.length).toBeLessThan(300);
  });

  function fail(status?: number, body = ''): void {
    app.failure = status === undefined ? 'hangs up' : { status, body };
  }
});

describe('without an app', () => {
  test.each([{}, { KNELL_SLACK_CLIENT_ID: 'slack-app' }, { KNELL_SLACK_CLIENT_SECRET: 'x' }])(
    'there is no such way: %o',
    async (env: Readonly<Record<string, string>>) => {
      await start('slack', env);
      expect((await owner.get('/web/state')).json()).not.toHaveProperty('connects');
      const { status, text } = await begin('slack');
      expect([status, text]).toEqual([409, expect.stringContaining('enter the address by hand')]);
    },
  );

  test('an owner sets one on the page, and it is there at once', async () => {
    await start('slack', {});
    for (const variable of ['KNELL_SLACK_CLIENT_ID', 'KNELL_SLACK_CLIENT_SECRET'] as const)
      await owner.post('/web/server-settings', { variable, value: appSettings[variable] });
    expect((await owner.get('/web/state')).json().connects).toEqual(['slack']);
    expect((await finish(await allowed('slack'))).status).toBe(201);
    expect((await owner.get('/web/server-settings')).text).not.toContain('slack-client-secret');
  });
});

test.runIf(isLong)(
  'what one node of a cluster has begun, another one finishes, also under another leader',
  async () => {
    const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
    app = await VendorApp.start('slack');
    const nodes: Knell[] = [];
    for (const name of ['a', 'b', 'c']) {
      const env = { ...appSettings, KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
      nodes.push(await Knell.start({ link: memoryLink(cluster, name), env }));
    }
    const leader = await Promise.race(nodes.map((node) => node.leading().then(() => node)));
    const [one, other] = nodes.filter((node) => node !== leader);
    if (!one || !other) throw new Error('there are not three');
    knell = other;
    const { setUpUrl = null } = (await leader.app.leading) ?? {};
    owner = new PageClient(one);
    await owner.post('/web/set-password', { link: linkIn(setUpUrl), name: 'ada', password: goodPassword });
    project = await projectIn(owner);
    const sent = await allowed('slack');
    await leader.stop();
    await Promise.race([one.leading(), other.leading()]);
    const there = new PageClient(other);
    there.cookie = owner.cookie;
    await there.get('/web/state');
    const added = await finish(sent, there);
    expect([added.status, added.json().name]).toEqual([201, '#ops']);
    expect((await finish(sent)).json()).toMatchObject({ id: added.json().id, wasThere: true });
    await one.stop();
  },
);
