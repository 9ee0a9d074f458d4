/** Reports in a cluster: chosen and confirmed through any node, sent by the leader, and by the next one what it left. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';
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

test('reports are chosen and confirmed through a standby, and a new leader sends what is due, once', async () => {
  const { setUpUrl = null } = (await leader.app.leading) ?? {};
  const page = new PageClient(standby);
  await page.post('/web/set-password', { link: linkIn(setUpUrl), name: 'ada', password: goodPassword });
  await page.get('/web/state');
  const saved = await page.post('/web/reports', {
    frequency: 'daily',
    address: 'ada@example.org',
    present: goodPassword,
  });
  expect(saved.json()).toEqual({ verification: '' });
  const [question] = await inbox.until(1);
  const { text = '' } = await simpleParser(question?.text ?? '');
  const path = /^Confirm: http:\/\/knell\.test(\S+)$/m.exec(text)?.[1] ?? '';
  expect((await standby.request(path, { method: 'POST' })).text).toContain('Confirmed');
  expect((await page.get('/web/reports')).json()).toMatchObject({ isConfirmed: true });
  expect((await page.get('/web/reports/preview?frequency=daily')).json()).toMatchObject({ checks: 0 });
  // As if the leader had been away since long before.
  const [ada] = leader.app.engine.read.users();
  if (!ada?.reports) throw new Error('no reports');
  const { reports } = ada;
  await leader.app.engine.change.updateUser(ada.id, (user) => ({
    ...user,
    reports: { ...reports, reportedUntilMs: 1 },
  }));
  await leader.stop();
  const others = nodes.filter((node) => node !== leader);
  await Promise.race(others.map((node) => node.leading()));
  const mails = await inbox.until(2);
  const report = await simpleParser(mails[1]?.text ?? '');
  expect(report.subject).toBe('Daily report | no check was watched');
  const later = others[0] as Knell;
  const again = new PageClient(later);
  await again.signIn('ada');
  expect((await again.get('/web/reports')).json()).toMatchObject({ frequency: 'daily', lastError: '' });
  expect(inbox.all).toHaveLength(2);
});
