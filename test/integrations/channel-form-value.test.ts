/** The forms of integrations: from fields to a value and back, for every kind. */

import { describe, expect, test } from 'vitest';
import { channelKinds } from '../../src/domain/accounts/project.ts';
import { type ChannelKind, kinds } from '../../src/integrations/all.ts';
import {
  changedFields,
  fieldError,
  fieldsOfValue,
  shownPart,
  valueOfFields,
} from '../../src/integrations/channel-form-value.ts';
import { channelAccepts, channelFields } from '../../src/integrations/channel-value.ts';
import { channelValues } from '../support/engine/notices.ts';

/** The same as a JSON object with other keys beside. */
const plainValues: Partial<Record<ChannelKind, string>> = {
  call: '+15555550100',
  discord: 'https://discord.com/api/webhooks/1/secret',
  email: 'ops@example.org',
  pd: '0123456789abcdef0123456789abcdef',
  signal: 'name.01',
  slack: 'https://hooks.slack.com/services/T/B/secret',
  po: 'userkey|1',
};

const meaning = (kind: ChannelKind, value: string) => {
  const { value: inner, service_key: key, ...fields } = channelFields(kind, value);
  const accepts = (['down', 'up'] as const).map((direction) => channelAccepts(kind, value, direction));
  const held = Object.entries(fields).filter(([, text]) => text !== '');
  return { inner: key ?? inner, fields: Object.fromEntries(held), accepts };
};

describe.each(channelKinds.map((kind) => ({ kind })))('of $kind', ({ kind }) => {
  const values = [channelValues[kind], plainValues[kind]].filter((value) => value !== undefined);

  test('the fields of a value are without error, and make one that means the same', () => {
    for (const value of values) {
      const texts = fieldsOfValue(kind, value);
      expect(fieldError(kind, texts, value)).toBeNull();
      const again = valueOfFields(kind, texts, value);
      expect(fieldsOfValue(kind, again)).toEqual(texts);
      const { fields, ...rest } = meaning(kind, value);
      expect(meaning(kind, again)).toMatchObject(rest);
      if (kind !== 'slack' && kind !== 'discord' && kind !== 'pd')
        expect(meaning(kind, again).fields).toMatchObject(fields);
    }
  });

  test('what is open is no secret, and what is needed is asked for', () => {
    const { fields, title, help = '', steps = [] } = kinds[kind].form;
    expect([title, help, ...steps].join(' ')).not.toContain('undefined');
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
    const texts = fieldsOfValue(kind, channelValues[kind]);
    for (const { name, open } of fields) if (open) expect(texts[name]).not.toMatch(/secret|token=/);
    const empty = fieldError(kind, {});
    expect(fields.map(({ name }) => name)).toContain(empty?.field);
    expect(empty?.error).toMatch(/^[A-Z]/);
  });
});

test.each<[ChannelKind, Record<string, string>, string, RegExp]>([
  ['email', { value: 'nobody', down: 'yes' }, 'value', /valid email address/],
  ['email', { value: 'a@example.org' }, 'down', /Tick at least one/],
  ['discord', { value: 'javascript:alert(1)' }, 'value', /https/],
  ['pd', { value: 'abc' }, 'value', /32 letters and digits/],
  ['pd', { value: `${'a'.repeat(31)}-` }, 'value', /32 letters and digits/],
  ['slack', { value: 'http://example.com/x' }, 'value', /begins with https:.*hooks.slack.com/],
  ['webhook', { url_up: 'ftp://x' }, 'url_up', /https/],
  ['webhook', { url_down: 'https://x', method_down: 'TRACE' }, 'method_down', /listed/],
  ['webhook', { url_down: 'https://x', headers_down: 'no header' }, 'headers_down', /one header per line/],
  ['webhook', { url_down: 'https://x', headers_up: 'X Y: z' }, 'headers_up', /one header per line/],
  ['webhook', { url_down: 'https://x', body_down: 'x'.repeat(10_000) }, '', /at most 10000/],
  ['webhook', { url_down: 'https://x', secret: 'mine' }, 'secret', /whsec_ and 24 to 64 random bytes/],
  ['telegram', { id: 'ops' }, 'id', /number/],
  ['telegram', { id: '5', thread_id: '1.5' }, 'thread_id', /number/],
  ['github', { repo: 'acme' }, 'repo', /owner\/name/],
  ['po', { user: 'a|b', priority: '0', priority_up: '0' }, 'user', /letters/],
  ['po', { user: 'ab', priority: '7', priority_up: '0' }, 'priority', /listed/],
  ['group', { value: 'x' }, '', /integration ids/],
  ['sms', { value: '0123', down: 'yes' }, 'value', /phone number/],
])('%s with %j is refused at "%s"', (kind, texts, field, error) => {
  expect(fieldError(kind, texts)).toEqual({ field, error: expect.stringMatching(error) });
});

test('a webhook is made of what was typed', () => {
  const texts = {
    url_down: 'https://example.org/$CODE',
    method_down: 'POST',
    body_down: '{"a": "$NAME"}\n',
    headers_down: 'Content-Type: application/json\n\nX-Time: 10:00',
    __proto__: 'x',
  };
  expect(JSON.parse(valueOfFields('webhook', texts))).toEqual({
    url_down: 'https://example.org/$CODE',
    method_down: 'POST',
    body_down: '{"a": "$NAME"}\n',
    headers_down: { 'Content-Type': 'application/json', 'X-Time': '10:00' },
  });
});

test('changing keeps what is secret and was not typed, and what the form does not know', () => {
  const { telegram, ntfy } = channelValues;
  const moved = changedFields('telegram', telegram, { typed: { id: '-7', thread_id: '' }, cleared: [] });
  expect(JSON.parse(valueOfFields('telegram', moved, telegram))).toEqual({
    id: -7,
    type: 'supergroup',
    name: 'ops',
  });
  const typed = { topic: '', url: 'https://n.example.org', token: '', priority: '1', priority_up: '0' };
  const kept = changedFields('ntfy', ntfy, { typed, cleared: [] });
  expect(kept).toEqual({ ...typed, topic: 'alerts', token: 'tk_secret' });
  const gone = changedFields('ntfy', ntfy, { typed, cleared: ['token'] });
  expect(JSON.parse(valueOfFields('ntfy', gone, ntfy))).toEqual({
    topic: 'alerts',
    url: 'https://n.example.org',
    priority: 1,
    priority_up: 0,
  });
});

test.each([
  ['https://example.org', 'https://example.org'],
  ['https://example.org/', 'https://example.org/'],
  ['https://example.org:8443/hooks/key', 'https://example.org:8443/…'],
  ['https://example.org?key=1', 'https://example.org/…'],
  ['https://user:word@example.org/a@b', 'https://example.org/…'],
  ['https://$SLUG.example.org/x', 'https://$SLUG.example.org/…'],
  ['https://a:b@c@example.org', 'https://example.org'],
  ['', ''],
])('of the address %j %j is shown', (text, shown) => {
  expect(shownPart({ input: 'line', part: 'template' }, text)).toBe(shown);
  expect(shownPart({ input: 'line' }, text)).toBe('');
});

test('of headers the names are shown', () => {
  expect(shownPart({ input: 'headers' }, 'X-Token: abc\nAuthorization: Bearer x:y')).toBe(
    'X-Token, Authorization',
  );
});

test('a header that is kept keeps its content, beside others that change', () => {
  const before = '{"url_down":"https://x","headers_down":{"Authorization":"Bearer x:y","X-Old":"1"}}';
  const typed = { headers_down: 'Authorization: •••\nX-New: 2\n' };
  const after = changedFields('webhook', before, { typed, cleared: [] });
  expect(JSON.parse(valueOfFields('webhook', after, before)).headers_down).toEqual({
    Authorization: 'Bearer x:y',
    'X-New': '2',
  });
  const unknown = changedFields('webhook', before, { typed: { headers_down: 'X-Other: •••' }, cleared: [] });
  expect(fieldError('webhook', unknown, before)).toEqual({
    field: 'headers_down',
    error: 'Write what X-Other contains: there is no header of that name yet.',
  });
});

test.each([
  ['backups-x7k2_B', null],
  ['https://ntfy.sh/foo', 'Enter a topic of letters'],
  ['foo/bar', 'Enter a topic of letters'],
  ['a'.repeat(65), 'Enter a topic of letters'],
])('the topic %j of ntfy is refused where the server would: %j', (topic, words) => {
  const error = fieldError('ntfy', { topic, url: 'https://ntfy.sh' })?.error ?? null;
  if (words === null) expect(error).toBeNull();
  else expect(error).toContain(words);
});
