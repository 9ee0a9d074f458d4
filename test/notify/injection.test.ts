/** What people call their checks, and what jobs print, stays text wherever it is sent. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOfIncident, placeholders } from '../../src/integrations/contract/placeholders.ts';
import { mailOf } from '../../src/notify/channels/email.ts';
import { shellSender } from '../../src/notify/channels/shell.ts';
import { webhookRequest } from '../../src/notify/channels/webhook.ts';
import type { Notice } from '../../src/notify/contract/channel.ts';
import { createMailClient } from '../../src/notify/wire/send-mail.ts';
import { fill } from '../../src/notify/words/template.ts';
import { noticeOf } from '../support/engine/notices.ts';
import { bodyText } from '../support/wire/push-browser.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const nasty =
  'x\r\nBcc: all@example.org\r\n\r\nHello <script>alert(1)</script> $NAME $(touch /tmp/x) `id` "\\';

function named(name: string, notice: Notice): Notice {
  return { ...notice, check: { ...notice.check, config: { ...notice.check.config, name, tags: name } } };
}

function webhook(value: Readonly<Record<string, unknown>>, name: string, body = ''): Notice {
  const notice = named(name, noticeOf('webhook', 'down'));
  return { ...notice, body, channel: { ...notice.channel, value: JSON.stringify(value) } };
}

describe('a webhook', () => {
  test('keeps any name inside its part of the address, its header and its JSON string', () => {
    const value = {
      url_down: 'https://example.org/a/$NAME/b?n=$NAME',
      body_down: '{"name": "$NAME", "body": "$BODY", "again": $NAME_JSON, "exit": $EXITSTATUS}',
      headers_down: { 'X-Name': '$NAME', 'X-Bad\r\nName': 'x', Host: 'evil', 'content-length': '3' },
    };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (name, body) => {
        const request = webhookRequest(webhook(value, name, body));
        const url = new URL(request?.url ?? '');
        expect(url.origin).toBe('https://example.org');
        expect(url.searchParams.get('n')).toBe(name);
        expect(Object.keys(request?.headers ?? {})).toEqual(['Idempotency-Key', 'X-Name']);
        expect(request?.headers['X-Name']).toMatch(/^[\x20-\xff]*$/);
        expect(JSON.parse(bodyText(request?.body))).toEqual({ name, body, again: name, exit: 3 });
      }),
    );
  });

  test('does not search what it filled in for placeholders again', () => {
    const request = webhookRequest(
      webhook({ url_down: 'https://example.org/', body_down: 'n=$NAME' }, '$CODE'),
    );
    expect(request?.body).toBe('n=$CODE');
  });

  test('has the address of the check, as a part of an address too', () => {
    const value = { url_down: 'https://example.org/?see=$CHECK_URL', body_down: '{"see": "$CHECK_URL"}' };
    const notice = webhook(value, 'x');
    const request = webhookRequest(notice);
    expect(new URL(request?.url ?? '').searchParams.get('see')).toBe(notice.checkUrl);
    expect(JSON.parse(bodyText(request?.body))).toEqual({ see: notice.checkUrl });
  });

  test('replaces every placeholder that its form lists, but for those of an incident', () => {
    const listed = Object.keys(placeholders).filter((name) => !isOfIncident(name));
    const value = {
      url_down: 'https://example.org/',
      body_down: listed.map((name) => `${name}=$${name}`).join('\n'),
    };
    const lines = bodyText(webhookRequest(webhook(value, 'x', 'one'))?.body).split('\n');
    expect(lines.filter((line) => line.includes('$'))).toEqual([]);
    expect(lines).toContain('BODY_JSON="one"');
    const of = { url_down: 'https://example.org/', body_down: '$INCIDENT_ID $INCIDENT_TITLEs' };
    expect(webhookRequest(webhook(of, 'x'))?.body).toBe('$INCIDENT_ID $INCIDENT_TITLEs');
  });

  test('leaves alone a tag that the check does not have', () => {
    const value = { url_down: 'https://example.org/', body_down: '$TAG1 $TAG2 $TAG9 $TAGS' };
    expect(webhookRequest(webhook(value, 'a b'))?.body).toBe('a b $TAG9 a b');
  });
});

test('a template does not fill in twice', () => {
  const places = { notificationKind: 'down', get: (path: string) => (path === 'a' ? '{b}' : 'no') } as const;
  expect(fill({ x: '{a} {a|html}' }, places)).toEqual({ x: '{b} {b}' });
});

test('a mail keeps any name on its subject line, and any body out of its markup', async () => {
  const receiver = await MailReceiver.start();
  const limits = { connectMs: 2000, totalMs: 5000, connectionsMax: 1, replyCharsMax: 200 };
  const client = createMailClient(receiver.url, 'Knell <knell@example.org>', limits);
  const notice = named(nasty, { ...noticeOf('email', 'down'), body: nasty });
  expect(await client?.send(mailOf(notice, 'https://knell.example.org/u'))).toEqual({ kind: 'delivered' });
  const [received] = await receiver.until(1);
  expect(received?.to).toEqual(['ops@example.org']);
  const [head = ''] = received?.text.split('\r\n\r\n', 1) ?? [];
  expect(head).not.toMatch(/^Bcc:/im);
  expect(head).toMatch(/^Message-ID: <11111111-1111-4111-8111-111111111111@example\.org>$/im);
  expect(mailOf(notice, 'https://knell.example.org/u').html).not.toContain('<script>');
  client?.close();
  await receiver.stop();
});

test('a command gets any name as a value, never as a part of itself', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'knell-test-'));
  const file = join(dir, 'out');
  const notice = named(nasty, noticeOf('shell', 'down'));
  const value = JSON.stringify({
    cmd_down: `printf %s "$NAME" > ${file}; printf '|%s' "$KNELL_SECRET" >> ${file}`,
  });
  process.env.KNELL_SECRET = 'secret';
  const signal = new AbortController().signal;
  const outcome = await shellSender(true, 2000)({ ...notice, channel: { ...notice.channel, value } }, signal);
  delete process.env.KNELL_SECRET;
  expect(outcome).toEqual({ kind: 'delivered' });
  expect(readFileSync(file, 'utf8')).toBe(`${nasty}|`);
  rmSync(dir, { recursive: true });
});

test('a command that hangs is ended, with all it started; one that fails says so; off is off', async () => {
  const notice = noticeOf('shell', 'down');
  const command = (text: string): Notice => ({
    ...notice,
    channel: { ...notice.channel, value: JSON.stringify({ cmd_down: text }) },
  });
  const signal = new AbortController().signal;
  const shell = shellSender(true, 200);
  expect(await shell(command('sleep 30 & sleep 30'), signal)).toEqual({
    kind: 'failed',
    error: 'the command was ended by SIGKILL',
  });
  expect(await shell(command('exit 3'), signal)).toEqual({
    kind: 'failed',
    error: 'the command ended with 3',
  });
  expect(await shellSender(false, 200)(command('exit 0'), signal)).toMatchObject({ kind: 'refused' });
});
