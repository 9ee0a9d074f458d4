/** Accounts in a cluster: what was asked for at one node and its leader is confirmed and accepted at others, after the leader is gone. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, PageClient, projectIn } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
const nodes: Knell[] = [];
let inbox: MailReceiver;
let leader: Knell;
let standby: Knell;

beforeAll(async () => {
  inbox = await MailReceiver.start();
  for (const name of ['a', 'b', 'c']) {
    const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name, KNELL_MAIL_URL: inbox.url };
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env }));
  }
  leader = await Promise.race(nodes.map((node) => node.leading().then(() => node)));
  standby = nodes.find((node) => node !== leader) ?? leader;
});

afterAll(async () => {
  await Promise.all(nodes.filter((node) => node !== leader).map((node) => node.stop()));
  await inbox.stop();
});

const confirmPath = () =>
  eventually(async () => {
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const mail = mails.find(({ subject }) => subject?.startsWith('Confirm your new address'));
    const path = /http:\/\/knell\.test(\/confirm-address\/\S+)/.exec(mail?.text ?? '')?.[1];
    if (path === undefined) throw new Error('no such mail yet');
    return path;
  });

test('an address, an offer and a closed account are the same on every node, and with the next leader', async () => {
  const { setUpUrl = null } = (await leader.app.leading) ?? {};
  const owner = new PageClient(standby);
  await owner.post('/web/set-password', { link: linkIn(setUpUrl), name: 'ada', password: goodPassword });
  await owner.get('/web/state');
  const project = await projectIn(owner);
  const invited = async (name: string, role: string): Promise<PageClient> => {
    const body = { name, role, installation: 'none' };
    const { link } = (await owner.post(`/web/in/${project}/members`, body)).json();
    const page = new PageClient(standby);
    await page.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await page.get('/web/state');
    return page;
  };
  const grace = await invited('grace', 'owner');
  const joan = await invited('joan', 'editor');
  const alan = await invited('alan', 'viewer');
  const asked = await grace.post('/web/account', { name: 'grace@example.org', present: goodPassword });
  expect(asked.json()).toEqual({ asked: { to: 'grace@example.org', error: null } });
  const path = await confirmPath();
  expect((await grace.post(`/web/in/${project}/hand-over`, { name: 'joan' })).status).toBe(200);
  expect((await alan.post('/web/account/close', { name: 'alan', present: goodPassword })).status).toBe(200);

  await leader.stop();
  const others = nodes.filter((node) => node !== leader);
  await Promise.race(others.map((node) => node.leading()));
  expect((await standby.request(path)).text).toContain('Confirm your new address');
  expect((await standby.request(path, { method: 'POST' })).text).toContain('Your address was changed');
  expect((await standby.request(path, { method: 'POST' })).status).toBe(404);
  expect((await grace.get('/web/state')).json().user.name).toBe('grace@example.org');
  expect((await joan.get('/web/state')).json().offers).toHaveLength(1);
  expect((await joan.post(`/web/in/${project}/hand-over/accept`)).status).toBe(200);
  expect((await joan.get('/web/state')).json().projects[0].role).toBe('owner');
  expect((await grace.get('/web/state')).json().projects[0].role).toBe('editor');
  expect((await alan.get('/web/state')).json().user).toBeNull();
});
