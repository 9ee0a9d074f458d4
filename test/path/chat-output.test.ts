/**
 * What chats show at a real receiver: of a long output the first errors, how many lines are left out, and the end, as a mail does. And
 * where their sentences end.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let receiver: HttpReceiver;
beforeEach(async () => {
  receiver = await HttpReceiver.start();
  knell = await Knell.start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});
afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

const copied = (from: number, until: number): string[] =>
  Array.from({ length: until - from }, (_, at) => `copied file number ${from + at} of the nightly set`);

async function failed(kind: string, value: string, body: string): Promise<string> {
  const args = { project: 'default', kind, name: kind, value };
  await knell.app.admin({ command: 'channel create', args }, () => {});
  const { uuid } = await knell.create({ name: 'db', channels: '*' });
  await knell.request(`/ping/${uuid}/fail`, { method: 'POST', body });
  await receiver.until(1);
  return receiver.all[0]?.body ?? '';
}

const long = [...copied(0, 40), 'error: disk is full', ...copied(40, 90), 'gave up'].join('\n');
const shown = [
  '… 40 lines left out',
  'error: disk is full',
  '… 45 lines left out',
  ...copied(85, 90),
  'gave up',
].join('\n');

test('a chat shows the first error and the end, and counts what is between', async () => {
  const sent = await failed('mattermost', receiver.url('/mattermost'), long);
  expect(JSON.parse(sent).attachments[0].text).toContain(`**Lines of the body:**\n\`\`\`\n${shown}\n\`\`\``);
});

test('so does a push message within its own limit', async () => {
  const value = JSON.stringify({ topic: 'ops', url: receiver.url(''), priority: 3 });
  expect(JSON.parse(await failed('ntfy', value, long)).message).toContain(`Lines of the body:\n${shown}`);
});

test('without an error before its end, the end is shown as before', async () => {
  const sent = await failed(
    'mattermost',
    receiver.url('/mattermost'),
    [...copied(0, 90), 'gave up'].join('\n'),
  );
  const { text } = JSON.parse(sent).attachments[0];
  expect(text).toMatch(/\*\*Last lines of the body \([\d,]+ characters before them are not shown\):\*\*/);
  expect(text).toContain(`${copied(88, 90).join('\n')}\ngave up\n`);
});

test('a sentence has one point at its end, whatever the names in it end with', async () => {
  const names = ['Wait...', `Copy ${'x'.repeat(90)}`];
  for (const name of names) {
    const { uuid } = await knell.create({ name });
    await knell.request(`/ping/${uuid}/fail`);
  }
  const sent = await failed('mattermost', receiver.url('/mattermost'), '');
  const [line] = /Also down: .*/.exec(JSON.parse(sent).attachments[0].text) ?? [];
  expect(line).toMatch(/^Also down: .*(?:Wait\.\.\.|…)$/);
  expect(line).not.toMatch(/\.{4}|…\./);
});
