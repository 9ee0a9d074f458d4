/** A leader whose log does not answer: most nats-servers are stopped. Every listener says so, and what was refused leaves no trace. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectCluster } from '../../src/cluster/joining/connect.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { findNatsServer, NatsServers, noNatsServer } from '../support/cluster/nats-server.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MailClient } from '../support/wire/mail-client.ts';

const natsServer = findNatsServer();
const name = 'only';

if (natsServer === null) test.skip(noNatsServer);
else
  describe('while the log of the cluster is silent', () => {
    let servers: NatsServers;
    let knell: Knell;

    beforeAll(async () => {
      servers = await NatsServers.start(natsServer);
      const link = await connectCluster({
        cluster: servers.urls().split(','),
        ...{ clusterName: 'knell', clusterCa: null, name, logger: silentLogger },
        signal: new AbortController().signal,
      });
      await link.createLog(1);
      const env = { KNELL_CLUSTER: 'nats://given', KNELL_NODE: name, KNELL_SMTP: '127.0.0.1:0' };
      knell = await Knell.start({ link, env });
      await knell.leading();
    });

    afterAll(async () => {
      await knell?.stop();
      await servers?.remove();
    });

    test('pings, mails and changes are refused with what is so, and go on when it answers', async () => {
      const { uuid } = await knell.create({ name: 'job', timeout: 3600 });
      const ping = () => knell.request(`/ping/${uuid}`);
      expect((await ping()).text).toBe('OK');
      servers.stop('n1');
      servers.stop('n2');

      // What is in flight waits for the log; what comes after two seconds is refused.
      const waiting = ping();
      await eventually(async () => {
        const { parts } = (await knell.request('/readyz')).json();
        expect(parts.journal.problem).toBe('the log of the cluster does not answer, pings are refused');
      });
      const answered = await ping();
      expect([answered.status, answered.text]).toEqual([
        503,
        'the log of the cluster does not answer, try again',
      ]);
      expect(answered.headers.get('retry-after')).toBe('10');
      const mail = await MailClient.greeted(knell.app.smtp);
      expect(await mail.send([`${uuid}@localhost`], 'Subject: done\r\n\r\nwell\r\n')).toMatch(
        /^451 .*the log of the cluster does not answer/,
      );
      const said = expect.stringContaining('the log of the cluster does not answer');
      const refused = async (): Promise<void> => {
        const created = await knell.api('POST', '/api/v3/checks/', { name: 'second' });
        expect([created.status, created.json().error]).toEqual([503, said]);
        expect((await knell.request('/api/v3/status/')).text).toEqual(said);
      };
      await refused();
      // For half a second it still knew that it is the leader, and answered itself: 500 is that path's own status.
      await eventually(async () => expect((await knell.request('/api/v3/status/')).status).toBe(503));
      await refused();

      await servers.restart('n1');
      await servers.restart('n2');
      expect((await waiting).text).toBe('OK');
      await eventually(async () => expect((await ping()).text).toBe('OK'));
      const numbers = (await knell.pings(uuid)).map(({ n }: { n: number }) => n);
      expect(numbers).toEqual(numbers.map((_: number, at: number) => numbers.length - at));
    });
  });
