/** What happened, in words. */
import { describe, expect, test } from 'vitest';
import { userAgentByHand } from '../../../src/domain/check/ping.ts';
import { hour, minute } from '../../../src/lib/units.ts';
import type { Notice } from '../../../src/notify/contract/channel.ts';
import { type Message, messageOf } from '../../../src/notify/words/render.ts';
import { noticeOf } from '../../support/engine/notices.ts';

type Kind = Notice['notificationKind'];

const message = (kind: Kind, facts: Partial<Notice> = {}): Message =>
  messageOf(noticeOf('slack', kind, facts));

const fact = ({ facts }: Message, name: string): string | undefined =>
  facts.find(([label]) => label === name)?.[1];

const ping = noticeOf('slack', 'down').ping;
const { atMs } = noticeOf('slack', 'down');
const failing = ping && { ...ping, atMs, signal: 'fail' as const };

describe('the headline', () => {
  test('is the exit status, when the job reported one', () => {
    expect(message('down', { cause: 'fail', ping: failing }).headline).toBe('Exit status 3.');
    const silent = failing && { ...failing, exitStatus: null };
    expect(message('down', { cause: 'fail', ping: silent }).headline).toBe('The job reported a failure.');
  });

  test('distinguishes a run that did not finish from one that did not start', () => {
    expect(message('down').headline).toBe('No ping arrived in time.');
    expect(message('down', { startedMs: atMs - hour }).headline).toBe(
      'Started 14:30 UTC+3, did not finish within the grace time.',
    );
    expect(message('down', { startedMs: atMs - minute }).headline).toBe(
      'No ping arrived in time. A run that started 15:29 UTC+3 has not finished.',
    );
  });

  test('says who marked a check as up by hand, and so does the last ping', () => {
    const byHand = ping && {
      ...ping,
      atMs,
      signal: 'success' as const,
      byHand: true,
      ua: userAgentByHand('Ada\n'),
    };
    const said = message('up', { ping: byHand });
    expect(said.headline).toBe('Marked as up by hand, by Ada.');
    expect(fact(said, 'Last ping')).toBe('Sat 15 Jun 15:30 UTC+3 (2 seconds ago), success, by hand, by Ada');
    const pretended = ping && { ...ping, signal: 'success' as const, ua: userAgentByHand('Ada') };
    expect(message('up', { ping: pretended }).headline).toBe('Recovered: a ping arrived.');
  });

  test('of a ping that did not come is not the exit status of the warning before', () => {
    const warned = ping && { ...ping, signal: 'warn' as const, exitStatus: 24 };
    const said = message('down', { ping: warned });
    expect(said.headline).toBe('No ping arrived in time.');
    expect(fact(said, 'Last ping')).toMatch(/, warning$/);
  });

  test('says of a test that it is one', () => {
    const tested = message('down', { test: true });
    expect([tested.title, tested.headline]).toEqual([
      'Test notification from Knell',
      'If you can read this, it works.',
    ]);
    expect(tested.facts).toEqual([]);
    expect(tested.context).toEqual([['Project', 'Acme']]);
    expect([tested.othersDown, tested.body.text]).toEqual(['', '']);
  });
});

describe('the facts', () => {
  test('begin with what is most important', () => {
    expect(message('up').facts.map(([label]) => label)).toEqual([
      ...['Down for', 'Run took', 'Last ping', 'Description'],
    ]);
    expect(message('up').context).toEqual([
      ['Project', 'Acme'],
      ['Tags', 'prod db'],
      ['Schedule', 'every day, grace 1 hour'],
    ]);
  });

  test('name the run only where the message is about it', () => {
    expect(fact(message('down', { cause: 'fail', ping: failing }), 'Run took')).toBe('12 min 34 s');
    expect(fact(message('down'), 'Run took')).toBeUndefined();
  });

  test('say when a ping was due, and how late the one was that came', () => {
    expect(fact(message('down'), 'Expected')).toBe('Sat 15 Jun 14:30 UTC+3 (1 hour ago)');
    expect(fact(message('late'), 'Expected')).toBe('Sat 15 Jun 14:30 UTC+3 (1 hour ago)');
    const came = { cause: 'fail', ping: failing } as const;
    expect(fact(message('down', came), 'Expected')).toBe('Sat 15 Jun 14:30 UTC+3 (1 hour late)');
    expect(fact(message('down', { ...came, expectedMs: atMs - 1000 }), 'Expected')).toBeUndefined();
    expect(fact(message('down', { expectedMs: null }), 'Expected')).toBeUndefined();
  });

  test('name the last ping with its exit status', () => {
    expect(fact(message('down'), 'Last ping')).toBe('Fri 14 Jun 14:30 UTC+3 (1 day 1 hour ago), log');
    expect(fact(message('down', { ping: failing }), 'Last ping')).toBe(
      'Sat 15 Jun 15:30 UTC+3 (2 seconds ago), exit status 3',
    );
    expect(fact(message('down', { ping: null }), 'Last ping')).toBe('never');
  });
});

describe('the other checks', () => {
  test.each([
    [0, 0, [], ''],
    [0, 5, [], 'No other check is down.'],
    [1, 5, ['a'], 'Also down: a.'],
    [2, 5, ['a', 'b'], 'Also down: a, b.'],
    [11, 50, ['a'], '11 other checks are down.'],
  ])('%i of %i', (count, of, names, text) => {
    expect(message('down', { othersDown: { count, of, names } }).othersDown).toBe(text);
  });
});

describe('the body', () => {
  const source = 'Subject: =?utf-8?Q?caf=C3=A9?=\r\nContent-Type: text/plain\r\n\r\nSGVsbG8=';

  test('is what the job printed', () => {
    expect(message('down').body).toEqual({ text: 'disk <99%>', cutChars: 0 });
  });

  test.each(['success', 'warn'] as const)(
    'of a %s is nothing that explains why no ping came since',
    (signal) => {
      const good = ping && { ...ping, signal };
      for (const kind of ['down', 'late'] as const) expect(message(kind, { ping: good }).body.text).toBe('');
      for (const cause of ['update', 'missed', 'hung'] as const)
        expect(message('down', { ping: good, cause }).body.text).toBe('');
      const mail = { subject: 'Backup report', text: 'All went well' };
      const byMail = message('down', { ping: good, mail });
      expect([byMail.body.text, fact(byMail, 'Subject')]).toEqual(['', undefined]);
      expect(message('down', { cause: 'fail', ping: failing }).body.text).toBe('disk <99%>');
      expect(message('up').body.text).toBe('disk <99%>');
    },
  );

  test('of a mail is its text, and the subject is a fact: never its source', () => {
    const byMail = ping && { ...ping, scheme: 'email' as const };
    const decoded = message('down', {
      ping: byMail,
      body: source,
      mail: { subject: 'café', text: 'Hello' },
    });
    expect(decoded.body.text).toBe('Hello');
    expect(fact(decoded, 'Subject')).toBe('café');
    expect(message('down', { ping: byMail, body: source }).body.text).toBe('');
  });
});

test('a title is one line, whatever the check is called', () => {
  const { check } = noticeOf('slack', 'down');
  const named = (name: string): string =>
    message('down', { check: { ...check, config: { ...check.config, name } } }).title;
  expect(named('a\r\nb\u2028c')).toBe('a b c is DOWN');
  expect(named('')).toBe(`${check.id} is DOWN`);
  expect([...named('🛎'.repeat(300))]).toHaveLength(100 + ' is DOWN'.length);
});
