/** What a sender sees when the disk fills up, and when there is space again. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { mountSmallDisk } from '../support/store/small-disk.ts';
import { MailClient } from '../support/wire/mail-client.ts';

let knell: Knell | null = null;

afterEach(() => knell?.stop());

test('on a full disk mails are put off with 451 and leave no trace, until there is space', async (context) => {
  const disk = mountSmallDisk(8_000_000);
  if (!disk)
    return context.skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
  const running = await Knell.start({ dataDir: join(disk.dir, 'data'), env: { KNELL_SMTP: '127.0.0.1:0' } });
  knell = running;
  const { uuid } = await running.create({ timeout: 3600 });
  const client = await MailClient.greeted(running.app.smtp);
  const send = (): Promise<string> => client.send([`${uuid}@localhost`], 'hello');
  expect(await send()).toMatch(/^250 /);

  disk.fill();
  const replies: string[] = [];
  for (let tries = 0; tries < 200 && !replies.at(-1)?.startsWith('451'); tries++) replies.push(await send());
  expect(replies.at(-1)).toMatch(/^451 4\.3\.0 .*disk is full/);
  const acknowledged = replies.filter((reply) => reply.startsWith('250')).length;
  expect((await running.check(uuid)).n_pings).toBe(1 + acknowledged);

  disk.free();
  await expect.poll(send, { interval: 100 }).toMatch(/^250 /);
  const { n_pings } = await running.check(uuid);
  client.vanish();
  await running.restart();
  expect((await running.check(uuid)).n_pings).toBe(n_pings);
});
