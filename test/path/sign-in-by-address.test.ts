/** An account is signed in to by its name, or by the address that it gets its mail at. Real mails. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MailFlows } from '../support/page/mail-flows.ts';
import { goodPassword, PageClient } from '../support/page/page-client.ts';

const address = 'ada@example.org';

let at: MailFlows;

beforeAll(async () => {
  at = await MailFlows.start();
});
afterAll(() => at?.stop());

const signsIn = async (name: string): Promise<number> => (await new PageClient(at.knell).signIn(name)).status;

/** A member whose reports go to the address once the link in the newest mail was followed. */
async function asked(name: string): Promise<string> {
  const before = at.inbox.all.length;
  const page = await at.member(name);
  // Mails about accounts are few an hour.
  await at.clock.advance(3_600_000);
  const reports = { frequency: 'weekly', address, present: goodPassword };
  expect((await page.post('/web/reports', reports)).status).toBe(200);
  await expect.poll(() => at.inbox.all.length).toBeGreaterThan(before);
  const { text } = await at.mail(address, /./);
  return /\/confirm-reports\/[\w.-]+/.exec(text)?.[0] ?? '';
}

const confirm = async (path: string): Promise<void> => {
  expect((await at.knell.request(path, { method: 'POST' })).status).toBe(200);
};

test('a confirmed address signs in, and gets a link, while only one account has it', async () => {
  const link = await asked('ada-l');
  // Nobody who reads its mail has agreed yet.
  expect(await signsIn(address)).toBe(401);
  await confirm(link);
  expect([await signsIn('Ada@Example.org'), await signsIn('ada-l')]).toEqual([200, 200]);
  expect((await new PageClient(at.knell).post('/web/forgotten-password', { name: address })).status).toBe(
    200,
  );
  expect((await at.mail(address, /password/i)).text).toContain('/set-password');
  // Two accounts get their mail there: nobody can say which of them is meant.
  await confirm(await asked('ada-b'));
  expect([await signsIn(address), await signsIn('ada-b')]).toEqual([401, 200]);
  // Whose name it is comes first.
  await at.member(address);
  expect(await signsIn(address)).toBe(200);
});
