/** The link in the alert of an incident of several checks, followed by somebody without an account. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Knell } from '../support/knell.ts';
import { startMailed } from '../support/mailed-knell.ts';
import { eventually } from '../support/patience.ts';
import type { MailReceiver } from '../support/wire/receivers.ts';

// Its own Knell: links take so many requests a minute from one address.
let knell: Knell;
let inbox: MailReceiver;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ knell, inbox, stop } = await startMailed());
});

afterAll(() => stop());

async function team(value: string): Promise<string> {
  const args = {
    ...{ project: 'default', kind: 'email', name: 'email of the team', value },
    ...{ collectS: 1, checks: 'none' },
  };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

/** The link in the newest mail with one of these subjects. */
async function linkAbout(subjects: readonly string[]): Promise<{ subject: string; path: string }> {
  return eventually(async () => {
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const { subject = '', text } = mails.findLast((one) => subjects.includes(one.subject ?? '')) ?? {};
    const [, path] = /^Acknowledge: https:\/\/knell\.test(\/alert\/\S+)$/m.exec(text ?? '') ?? [];
    if (path === undefined) throw new Error(`no mail about ${subjects.join(' or ')} yet`);
    return { subject, path };
  });
}

const post = (path: string, what: string) =>
  knell.request(path, { method: 'POST', body: new URLSearchParams({ do: what }) });
const heldOf = async (uuid: string) => (await knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json();

/** Fails two checks at once, as nothing else is sure to fall into one second, and follows the mail about both. */
async function failTogether(names: readonly [string, string], channels: string) {
  const made = await Promise.all(names.map((name) => knell.create({ name, channels })));
  const fail = ({ uuid }: { uuid: string }) =>
    knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: 'no route' });
  await Promise.all(made.map(fail));
  const subjects = names.map((name) => `DOWN | ${name} and 1 more`);
  const { subject, path } = await linkAbout(subjects);
  const [first, second] = subject === subjects[0] ? made : made.toReversed();
  if (!first || !second) throw new Error('two checks are needed');
  return { made, first, second, path };
}

describe('the link in the alert of an incident', () => {
  test('acknowledges all of its checks, with a note for the others', async () => {
    const { made, first, path } = await failTogether(['east', 'west'], await team('team@example.org'));
    const shown = await knell.request(path);
    expect(shown.text).toContain(`<h1>${first.name} and 1 more are down</h1>`);
    expect(shown.text).toContain('name="note"');
    const body = new URLSearchParams({ do: 'acknowledge', note: 'The switch is being replaced.' });
    expect((await knell.request(path, { method: 'POST', body })).text).toContain('<h1>Acknowledged</h1>');
    for (const { uuid } of made)
      expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'team@example.org' } });
    const { incidents } = (await knell.api('GET', '/api/v3/incidents/?state=acknowledged')).json();
    const details = (await knell.api('GET', `/api/v3/incidents/${incidents[0].id}`)).json();
    expect(
      details.entries.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
    ).toContainEqual(['note', 'The switch is being replaced.']);
    expect((await knell.request(path)).text).toMatch(/Acknowledged by team@example\.org at \d\d:\d\d UTC\./);
    expect((await post(path, 'snooze-1h')).text).toContain('It is acknowledged, too');
  });

  test('snoozes all of them, also once its first check is up', async () => {
    const { first, second, path } = await failTogether(['north', 'south'], await team('night@example.org'));
    await knell.request(`/ping/${first.uuid}`);
    const page = await post(path, 'snooze-8h');
    expect(page.text).toContain('Nothing is sent about the checks that are down until then.');
    expect(await heldOf(second.uuid)).toMatchObject({ snoozed: { by: 'night@example.org' } });
    expect((await knell.request(path)).text).toContain('value="unsnooze"');
    expect((await post(path, 'unsnooze')).text).toContain('What is wrong with its checks is sent again.');
    expect(await heldOf(second.uuid)).toMatchObject({ snoozed: null });
    expect((await knell.request(path)).text).not.toContain('value="unsnooze"');
  });
});
