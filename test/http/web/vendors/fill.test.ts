/**
 * Forms that vendors fill in, by the calls of the page: where a browser is sent, and whose answer counts. The vendors' documents have
 * the names of the parameters: https://pushover.net/api/subscriptions,
 * https://developer.pagerduty.com/docs/app-integration-development/events-integration/
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../../../src/lib/units.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, ownerPage, PageClient } from '../../../support/page/page-client.ts';

const env = {
  KNELL_BASE_URL: 'https://knell.test/sub',
  KNELL_PUSHOVER_TOKEN: 'app-token',
  KNELL_PUSHOVER_SUBSCRIPTION_URL: 'https://pushover.net/subscribe/Knell-abc123',
  KNELL_PD_APP_ID: 'PX1AB2C',
};

let clock: SimulatedClock;
let knell: Knell;
let owner: PageClient;
let project = '';

async function start(given: Readonly<Record<string, string>> = env): Promise<void> {
  clock = new SimulatedClock(Date.now());
  knell = await Knell.start({ clock, env: given });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
}

const begin = (kind: string, by = owner, of = project) => by.post(`/web/in/${of}/fill/${kind}`);

/** The address to which the vendor sends the browser back. */
async function back(kind: string, by = owner): Promise<URL> {
  const url = new URL((await begin(kind, by)).json().url);
  return new URL(url.searchParams.get(kind === 'po' ? 'success' : 'redirect_url') ?? '');
}

/** What the page does once the browser is back, with what the vendor has added. */
async function finish(kind: string, address: URL, added: Readonly<Record<string, string>>, by = owner) {
  const url = new URL(address);
  for (const [name, text] of Object.entries(added)) url.searchParams.set(name, text);
  return by.post('/web/filled', { kind, query: url.search.slice(1) });
}

async function signedIn(): Promise<PageClient> {
  const page = new PageClient(knell);
  await page.signIn('ada');
  return page;
}

async function member(name: string, role: string): Promise<PageClient> {
  const { link } = (await owner.post('/web/users', { name, role })).json();
  const page = new PageClient(knell);
  await page.post('/web/set-password', { link: link.split('#')[1], password: goodPassword });
  await page.get('/web/state');
  return page;
}

const key = { pushover_user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' };
const config = (...keys: readonly Json[]) => ({
  config: JSON.stringify({ integration_keys: keys, account: { subdomain: 'acme', name: 'Acme' } }),
});
const service = (nth: number) => ({
  ...{ integration_key: `${nth}`.padStart(32, 'a'), name: `Service ${nth}`, id: `P${nth}`, type: 'service' },
});

afterEach(() => knell.stop());

describe('without the settings', () => {
  beforeEach(() => start({}));

  test('the page offers nothing, and the calls say what is missing', async () => {
    expect((await owner.get('/web/state')).text).not.toContain('fills');
    for (const kind of ['po', 'pd']) expect((await begin(kind)).status).toBe(409);
    expect((await begin('pd')).json().error).toBe(
      'an owner has to set this up for PagerDuty under Server first',
    );
    for (const kind of ['email', 'nonesuch', '__proto__', 'constructor'])
      expect((await begin(kind)).status).toBe(404);
  });

  test('an owner sets them on the page, without a restart', async () => {
    const set = (variable: string, value: string) => owner.post('/web/server-settings', { variable, value });
    expect((await set('KNELL_PD_APP_ID', 'P1&x=2')).status).toBe(400);
    expect((await set('KNELL_PUSHOVER_SUBSCRIPTION_URL', 'pushover')).status).toBe(400);
    expect((await set('KNELL_PD_APP_ID', 'PX1')).status).toBe(200);
    expect((await owner.get('/web/state')).json().fills).toEqual(['pd']);
    expect((await begin('pd')).json().url).toContain('app_id=PX1&');
  });
});

describe('with the settings', () => {
  beforeEach(() => start());

  test('the browser is sent to the vendor, with an address of Knell to come back to', async () => {
    expect((await owner.get('/web/state')).json().fills).toEqual(['pd', 'po']);
    expect((await new PageClient(knell).get('/web/state')).text).not.toContain('fills');
    const pushover = new URL((await begin('po')).json().url);
    expect(pushover.origin + pushover.pathname).toBe(env.KNELL_PUSHOVER_SUBSCRIPTION_URL);
    expect([...pushover.searchParams.keys()]).toEqual(['success', 'failure']);
    const pagerDuty = new URL((await begin('pd')).json().url);
    expect(pagerDuty.origin + pagerDuty.pathname).toBe('https://app.pagerduty.com/install/integration');
    expect(pagerDuty.searchParams.get('app_id')).toBe('PX1AB2C');
    expect(pagerDuty.searchParams.get('version')).toBe('2');
    for (const kind of ['po', 'pd']) {
      const { origin, pathname, searchParams } = await back(kind);
      expect([origin + pathname, [...searchParams.keys()]]).toEqual([
        `https://knell.test/sub/filled/${kind}`,
        ['state'],
      ]);
      // What the vendor sees proves nothing to Knell but that.
      expect(searchParams.get('state')).not.toContain(owner.csrf);
      expect((await knell.request(`/filled/${kind}`)).headers.get('content-type')).toContain('text/html');
    }
  });

  test('the answer fills the form, as often as somebody comes back, and creates nothing', async () => {
    const [pushover, pagerDuty] = [await back('po'), await back('pd')];
    for (let time = 0; time < 2; time++) {
      const filled = [{ name: '', fields: { user: key.pushover_user_key } }];
      expect((await finish('po', pushover, key)).json()).toEqual({ project, values: filled, error: '' });
    }
    const { values } = (await finish('pd', pagerDuty, config(service(1), service(2)))).json();
    expect(values).toEqual([
      { name: 'Service 1', fields: { value: service(1).integration_key } },
      { name: 'Service 2', fields: { value: service(2).integration_key } },
    ]);
    expect((await owner.get(`/web/in/${project}/integrations`)).json().integrations).toEqual([]);
  });

  test('who comes back for what is there already is shown which integration has it', async () => {
    const address = await back('pd');
    const fields = { value: service(1).integration_key };
    await owner.post(`/web/in/${project}/channels`, { kind: 'pd', name: 'Payments', fields });
    const { values } = (await finish('pd', address, config(service(1), service(2)))).json();
    expect(values.map(({ existing }: Json) => existing)).toEqual(['Payments', undefined]);
    const audit = await owner.get('/web/audit');
    const entry = { action: 'created', subject: 'integration', name: 'Payments', actor: { name: 'ada' } };
    expect(audit.json().entries[0]).toMatchObject(entry);
    expect(audit.text).not.toContain(service(1).integration_key);
  });

  test('it counts after a restart too, so on every node of a cluster', async () => {
    const address = await back('po');
    await knell.restart();
    expect((await finish('po', address, key)).json().error).toBe('');
  });

  test('it counts in the session that requested it, and in no other', async () => {
    const address = await back('po');
    const again = await signedIn();
    const refused = { project, values: [], error: expect.stringContaining('You have signed in again') };
    expect((await finish('po', address, key, again)).json()).toEqual(refused);
    const mallory = await member('mallory', 'editor');
    expect((await finish('po', await back('po', mallory), key)).json()).toEqual(refused);
    await owner.post('/web/sign-out');
    expect((await finish('po', address, key)).status).toBe(401);
  });

  test('it counts for half an hour', async () => {
    const address = await back('pd');
    clock.skip(30 * minute);
    expect((await finish('pd', address, config(service(1)))).json().error).toBe('');
    clock.skip(1);
    const late = (await finish('pd', address, config(service(1)))).json();
    expect(late).toEqual({
      project,
      values: [],
      error: expect.stringContaining('That took too long at PagerDuty'),
    });
  });

  test('a state that Knell has not made, or of another kind, is refused', async () => {
    const address = await back('po');
    const state = address.searchParams.get('state') ?? '';
    const [of = '', kind = '', encoded = '', signature = ''] = state.split('.');
    const later = Buffer.from(encoded, 'base64url')
      .toString()
      .replace(/"untilMs":/, '$&9');
    const states = [
      ...['', 'x', '.', '...', `${of}.${kind}.${encoded}.`, `${of}.pd.${encoded}.${signature}`],
      `${of.replace(/^./, 'f')}.${kind}.${encoded}.${signature.replace(/^./, '-')}`,
      `${of}.${kind}.${Buffer.from(later).toString('base64url')}.${signature}`,
      `${of}.${kind}.${encoded}.${signature}x`,
    ];
    for (const one of states) {
      address.searchParams.set('state', one);
      expect([one, (await finish('po', address, key)).status]).toEqual([one, 400]);
    }
    address.searchParams.set('state', state);
    expect((await finish('pd', address, config(service(1)))).status).toBe(400);
    expect((await finish('po', address, { ...key, more: 'x'.repeat(17_000) })).status).toBe(400);
  });

  test('a change is needed to begin and to finish: no address of another site does either', async () => {
    const address = await back('po');
    const stolen = new PageClient(knell);
    stolen.cookie = owner.cookie;
    expect((await begin('po', stolen)).status).toBe(403);
    expect((await finish('po', address, key, stolen)).status).toBe(403);
    expect((await owner.get(`/web/filled${address.search}`)).status).toBe(404);
  });

  test('only who may add integrations connects, and who no longer may gets nothing', async () => {
    const vera = await member('vera', 'viewer');
    expect((await begin('po', vera)).status).toBe(403);
    const edward = await member('edward', 'editor');
    const address = await back('po', edward);
    const { id } = (await edward.get('/web/state')).json().user;
    await owner.post(`/web/users/${id}`, { role: 'viewer' });
    expect((await finish('po', address, key, edward)).json()).toEqual({
      ...{ project, values: [], error: 'Your role is read-only. Ask an owner for access.' },
    });
    await owner.post(`/web/users/${id}`, { role: 'none' });
    expect((await finish('po', address, key, edward)).status).toBe(404);
  });

  test.each<[string, Json, string]>([
    ['po', { pushover_unsubscribed: '1' }, 'You have unsubscribed at Pushover'],
    ['po', { ...key, pushover_unsubscribed: '1' }, 'You have unsubscribed at Pushover'],
    ['po', { refused: '1' }, 'You have not subscribed at Pushover'],
    ['po', {}, 'Pushover has sent no user key'],
    ['po', { pushover_user_key: 'a|2' }, 'Pushover has sent no user key'],
    ['pd', {}, 'PagerDuty has sent no integration key'],
    ['pd', { config: 'no JSON' }, 'PagerDuty has sent no integration key'],
    ['pd', { config: '[]' }, 'PagerDuty has sent no integration key'],
    ['pd', config(null, 7, {}, { integration_key: 'a b' }), 'PagerDuty has sent no integration key'],
  ])('an answer of %s that is none is said: %j', async (kind, added, error) => {
    const { values, error: said } = (await finish(kind, await back(kind), added)).json();
    expect([values, said]).toEqual([[], expect.stringContaining(error)]);
  });

  test('of many services twenty are taken, with names that are one line', async () => {
    const many = Array.from({ length: 30 }, (_, nth) => ({
      ...service(nth),
      name: `On\ncall ${'x'.repeat(500)}`,
    }));
    const { values } = (await finish('pd', await back('pd'), config(...many.slice(0, 24)))).json();
    expect(values.length).toBe(20);
    expect(values[0].name).toMatch(/^On call x{92}$/);
  });
});
