/**
 * Three Knells over a log in memory, whose leader is cut off, and two of which are: nobody says of a check that it is not there
 * without knowing it, and one node at most says that it leads.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { MailClient } from '../support/wire/mail-client.ts';

describe('a leader that is cut off', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes = new Map<string, Knell>();
  const ended = new Set<string>();
  let cut: string;
  let created: string;

  const nodeOf = (name: string): Knell => nodes.get(name) as Knell;
  const others = (): Knell[] => [...nodes].filter(([name]) => name !== cut).map(([, node]) => node);
  const ownersSaid = async (): Promise<number> => {
    const said = await Promise.all(
      [...nodes.values()].map(async (node) => (await fetch(node.app.metricsUrl ?? '')).text()),
    );
    return said.filter((text) => /^knell_cluster_leader 1$/m.test(text)).length;
  };

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) {
      const env = {
        ...{ KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name, KNELL_SMTP: '127.0.0.1:0' },
        KNELL_METRICS: '127.0.0.1:0',
      };
      const onBroken = (): void => void ended.add(name);
      nodes.set(name, await Knell.start({ link: memoryLink(cluster, name), env, onBroken }));
    }
    cut = await Promise.race([...nodes].map(async ([name, node]) => node.leading().then(() => name)));
    const { keys } = nodeOf(cut);
    for (const node of nodes.values()) node.keys = keys;
  });

  afterAll(async () => {
    cluster.reconnect(cut);
    await Promise.all([...nodes.values()].map((node) => node.stop()));
  });

  test('says 404 of no check, and 550 of no recipient, that another one may have created since', async () => {
    await eventually(async () => expect(await ownersSaid()).toBe(1));
    cluster.cutOff(cut);
    await Promise.race(others().map((node) => node.leading()));
    const [other] = others() as [Knell];
    await eventually(async () => {
      created = (await other.create({ name: 'since' })).uuid;
    });
    expect((await other.request(`/ping/${created}`)).text).toBe('OK');
    const mail = await MailClient.greeted(nodeOf(cut).app.smtp);
    await mail.ask('MAIL FROM:<job@example.org>');
    const asked = Promise.all([
      nodeOf(cut).request(`/ping/${created}`),
      nodeOf(cut).request(`/api/v3/checks/${created}`, {
        headers: { 'X-Api-Key': nodeOf(cut).keys.readWrite },
      }),
      mail.ask(`RCPT TO:<${created}@localhost>`),
    ]);
    const [ping, read, rcpt] = await asked;
    expect([ping.status, read.status, rcpt.slice(0, 3)]).toEqual([503, 503, '451']);
    for (const { headers } of [ping, read]) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await ownersSaid()).toBe(1);
  });

  test('is known to the others as soon as it is back: they, and it, know the check', async () => {
    const [other] = others() as [Knell];
    const mail = await MailClient.greeted(other.app.smtp);
    await mail.ask('MAIL FROM:<job@example.org>');
    expect(await mail.ask(`RCPT TO:<${created}@localhost>`)).toMatch(/^250 /);
    expect(await mail.ask('RCPT TO:<00000000-0000-4000-8000-000000000000@localhost>')).toMatch(/^550 /);
    cluster.reconnect(cut);
    await eventually(() => expect(ended).toContain(cut));
    expect(await ownersSaid()).toBe(1);
  });
});
