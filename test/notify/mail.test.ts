/** What alert mails say: their words by a table, what is cut, what links, what stays text. */

import { describe, expect, test } from 'vitest';
import { defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { userAgentByHand } from '../../src/domain/check/ping.ts';
import type { NotificationKind } from '../../src/domain/deliveries/delivery.ts';
import { hour, minute } from '../../src/lib/units.ts';
import { mailOf } from '../../src/notify/channels/email.ts';
import type { HeldDown, Notice } from '../../src/notify/contract/channel.ts';
import { fullTime, relativeText, shortTime } from '../../src/notify/mail/times.ts';
import { noticeOf } from '../support/engine/notices.ts';

const unsubscribeUrl = 'https://knell.example.org/unsubscribe/x';

interface Facts extends Partial<Notice> {
  readonly config?: Partial<Notice['check']['config']>;
  readonly state?: Partial<Notice['check']['state']>;
}

function notice(kind: NotificationKind, { config = {}, state = {}, ...facts }: Facts = {}): Notice {
  const plain = noticeOf('email', kind, facts);
  const check = {
    ...plain.check,
    config: { ...plain.check.config, name: 'Nightly backup', ...config },
    state: { ...plain.check.state, ...state },
  };
  return { ...plain, check };
}

const mail = (...given: Parameters<typeof notice>) => mailOf(notice(...given), unsubscribeUrl);
const { atMs } = noticeOf('email', 'down');
const pingAt = (facts: Partial<NonNullable<Notice['ping']>>): Pick<Notice, 'ping'> => {
  const { ping } = noticeOf('email', 'down');
  return { ping: ping && { ...ping, atMs, ...facts } };
};
const byHand = pingAt({ byHand: true, ua: userAgentByHand('Ada') });
const failed = { cause: 'fail', ...pingAt({ signal: 'fail' }) } as const;

describe('the subject', () => {
  test.each<readonly [string, NotificationKind, Facts]>([
    ['DOWN | Nightly backup', 'down', {}],
    ['UP | Nightly backup', 'up', {}],
    ['LATE | Nightly backup', 'late', {}],
    ['TEST | Acme', 'down', { test: true }],
    ['DOWN | a b', 'down', { config: { name: 'a\r\nb' } }],
    ['DOWN | 33333333-3333-4333-8333-333333333333', 'down', { config: { name: '' } }],
    ['DOWN | exe.png', 'down', { config: { name: '\u202eexe.png' } }],
  ])('is %s', (subject, kind, facts) => {
    expect(mail(kind, facts).subject).toBe(subject);
  });
});

describe('of an outage that is over by now', () => {
  const over = { atMs: atMs + 7 * minute, isUpSince: true };
  const nowMs = atMs + 30 * hour;

  test('the mail says so first, and nothing that would be true of one that lasts', () => {
    const { text, subject } = mail('down', { over, nowMs });
    expect(subject).toBe('DOWN | Nightly backup');
    expect(text).toMatch(
      /^Nightly backup was down\n\nIt went down at Sat 15 Jun, 15:30:05 and has been up since Sat 15 Jun, 15:37:05\. No ping/,
    );
    expect(text).toMatch(/\nWent down: Sat 15 Jun 2024, 15:30:05/);
    expect(text).not.toContain('Down since');
  });

  test('it does not say that the check is up where it is not', () => {
    expect(mail('down', { over: { ...over, isUpSince: false }, nowMs }).text).toContain(
      'It went down at Sat 15 Jun, 15:30:05 and that outage was over at Sat 15 Jun, 15:37:05.',
    );
  });
});

describe('what happened', () => {
  test.each<readonly [string, NotificationKind, Facts]>([
    ['The job failed: exit status 3 after 12 min 34 s.', 'down', failed],
    ['The job reported a failure.', 'down', { cause: 'fail', runMs: null, ...pingAt({ exitStatus: null }) }],
    ['No ping arrived in time. It was expected at 14:30:05, 1 h ago.', 'down', {}],
    ['No ping arrived within the grace time of 1 h.', 'down', { expectedMs: null }],
    [
      'The run that started at 14:00:05 did not finish within the grace time of 1 h.',
      'down',
      { startedMs: atMs - 90 * minute },
    ],
    ['Its schedule was changed, and by the new one its ping is overdue.', 'down', { cause: 'update' }],
    ['A ping arrived after 1 h 30 min of downtime.', 'up', {}],
    ['A ping arrived.', 'up', { downtimeMs: null }],
    ['Marked as up by hand, by Ada, after 1 h 30 min of downtime.', 'up', byHand],
    ['Marked as up by hand, by Ada.', 'up', { ...byHand, downtimeMs: null }],
    // What a job calls itself is no name of a person.
    ['A ping arrived.', 'up', { downtimeMs: null, ...pingAt({ ua: userAgentByHand('Ada') }) }],
    ['Its ping is 2 s late.', 'late', {}],
    [
      'Its ping is 2 s late. If none arrives until 16:30:05, the check goes down.',
      'late',
      { state: { downAtMs: atMs + hour } },
    ],
    ['This is a test: nothing has happened.', 'down', { test: true }],
  ])('is said: %s', (words, kind, facts) => {
    const { text, html } = mail(kind, facts);
    expect(text.split('\n')[2]).toContain(words);
    expect(html).toContain(words);
  });
});

describe('the labelled lines', () => {
  test('say since when, what the run did, what was expected, and when the last ping came', () => {
    const { text } = mail('down', failed);
    const lines = text.split('\n');
    for (const line of [
      'Down since: Sat 15 Jun 2024, 15:30:05 (Europe/Riga), 2 s ago',
      'Exit status: 3',
      'Run: Took 12 min 34 s',
      'Last success: Fri 14 Jun, 14:30:05, 1 d 1 h ago, took 1 min 58 s',
      'Expected: 14:30:05; the run started 47 min 26 s late',
      'Last ping: 15:30:05, 2 s ago: failure, ping #7, from 192.0.2.1',
      'Schedule: Every day, grace time 1 h',
      'Project: Acme',
      'Tags: prod, db',
      'Description: Nightly.',
    ])
      expect(lines).toContain(line);
  });

  test('say of when it was expected how late the run began, or the ping came where none did', () => {
    const expected = (facts: object): string =>
      /^Expected: (.*)$/m.exec(mail('down', { ...failed, ...facts }).text)?.[1] ?? '';
    expect(expected({ runMs: null })).toBe('14:30:05; the ping came 1 h late');
    expect(expected({ runMs: hour - 19 * 1000 })).toBe('14:30:05; the run started on time');
    expect(expected({ runMs: 2 * hour })).toBe('14:30:05; the run started on time');
  });

  test('have the last success of a check that is not up, where there was one', () => {
    expect(mail('up').text).not.toContain('Last success');
    expect(mail('down', { lastSuccess: null }).text).not.toContain('Last success');
    const { text } = mail('late', { lastSuccess: { atMs: atMs - hour, runMs: null } });
    expect(text).toMatch(/^Last success: 14:30:05, 1 h ago$/m);
  });

  test('say of a failure nothing of the run that comes next', () => {
    const { text } = mail('down', { ...failed, expectedMs: atMs + hour });
    expect(text).not.toMatch(/^Expected:/m);
    expect(mail('down', { ...failed, expectedMs: atMs - hour }).text).toMatch(/^Expected: 14:30:05; /m);
  });

  test('of a missing ping say nothing of the run before', () => {
    const { text } = mail('down');
    expect(text).not.toMatch(/^(Exit status|Run):/m);
    expect(text).toContain(
      'Last ping: Fri 14 Jun, 14:30:05, 1 d 1 h ago: log entry, ping #7, from 192.0.2.1',
    );
  });

  test('have the schedule in words, and the next ping of a check that is up', () => {
    const config = { kind: 'cron', schedule: '15 2 * * *', tz: 'Europe/Berlin' } as const;
    const { text } = mail('up', { config, state: { expectedAtMs: atMs + 26 * hour } });
    expect(text).toContain('Schedule: Daily at 02:15 (Europe/Berlin), grace time 1 h');
    expect(text).toContain('Next run: Sun 16 Jun, 17:30:05, in 1 d 1 h');
  });

  test('have the next run of a check that is down where the clock says when it is', () => {
    const config = { kind: 'cron', schedule: '15 2 * * *', tz: 'Europe/Riga' } as const;
    expect(mail('down', { config }).text).toContain('Next run: Sun 16 Jun, 02:15:00, in 10 h 44 min');
    expect(mail('down').text).not.toContain('Next run');
  });
});

test('the page of the check is linked in the text, by the title and by a button', () => {
  const { checkUrl } = notice('down');
  const { text, html } = mail('down');
  expect(text).toContain(`View check: ${checkUrl}`);
  expect(html.split(`<a href="${checkUrl}"`).length).toBe(3);
});

test('the first link of the description is beside the button', () => {
  const { text, html } = mail('down', { config: { desc: 'Read https://wiki.example.org/a, then call.' } });
  expect(text).toContain('Open runbook: https://wiki.example.org/a\n');
  expect(html).toContain('>Open runbook</a>');
  expect(mail('down').text).not.toContain('runbook');
});

test('what one can do comes behind the output and before the facts, and nothing is to be done about a recovery', () => {
  const { text } = mail('down');
  const places = ['disk <99%>', 'View check: ', 'Acknowledge: ', 'Snooze: ', 'Down since: '].map((part) =>
    text.indexOf(part),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(text).toContain('Acknowledge: https://knell.example.org/alert/TOKEN\n');
  expect(mail('late').text).not.toContain('Acknowledge');
  expect(mail('late').text).toContain('Snooze: https://knell.example.org/alert/TOKEN?snooze\n');
  expect(mail('up').text).not.toMatch(/Snooze|Acknowledge/);
});

test('without a link in the description there is no runbook', () => {
  expect(mail('down').text).not.toContain('runbook');
});

test('a link in the description works as it is, and its last full stop is not part of it', () => {
  const url = 'https://wiki.example.org/run_book?a=1&b=2#disk';
  const { text, html } = mail('down', { config: { desc: `See (${url}).` } });
  expect(text).toContain(`Description: See (${url}).`);
  expect(html).toContain(`<a href="${url.replace('&', '&#38;')}"`);
});

describe('the other checks that are down', () => {
  test('are linked, with since when and why they are down', () => {
    const { text, html } = mail('down');
    const [queue] = notice('down').othersDownChecks;
    expect(text).toContain(`- Mail queue, no pings yet: ${queue?.url}`);
    expect(text).toMatch(/^- disk_space, down since 13:30:05 · failed: https/m);
    expect(html).toContain(`<a href="${queue?.url}"`);
  });

  test('say of a run that took one down that it did not finish', () => {
    const [queue] = notice('down').othersDownChecks;
    const went = () => ({ atMs, from: 'grace', to: 'down', cause: 'timeout' }) as const;
    const wordsOf = (startedMs: number): string => {
      const run = { startedMs, graceMs: hour };
      return mail('down', { othersDownChecks: queue ? [{ ...queue, went, run }] : [] }).text;
    };
    expect(wordsOf(atMs - hour)).toMatch(/^- Mail queue, down since .* · did not finish: https/m);
    expect(wordsOf(atMs - hour / 2)).toMatch(/^- Mail queue, down since .* · no ping: https/m);
  });

  test('say of which nothing is expected: somebody has acknowledged, snoozed or planned that', () => {
    const [, disk] = notice('down').othersDownChecks;
    const wordsOf = (...held: readonly HeldDown[]): string =>
      mail('down', { othersDownChecks: disk ? [{ ...disk, held }] : [] }).text;
    expect(wordsOf({ by: 'ada' })).toMatch(
      /^- disk_space, down since 13:30:05 · failed · acknowledged by ada: https/m,
    );
    expect(wordsOf({ until: 'snoozed', untilMs: atMs + hour })).toMatch(
      /^- disk_space, .* · failed · snoozed until \d\d:\d\d:\d\d: https/m,
    );
    expect(wordsOf({ until: 'in maintenance', untilMs: atMs + 30 * hour })).toMatch(
      /^- disk_space, .* · in maintenance until \w{3} \d+ \w{3}, \d\d:\d\d:\d\d: https/m,
    );
    expect(wordsOf({ until: 'snoozed', untilMs: atMs + hour }, { by: 'ada' })).toMatch(
      /^- disk_space, .* · failed · snoozed until \d\d:\d\d:\d\d · acknowledged by ada: https/m,
    );
  });

  test('are counted, where there are more, or none', () => {
    const { othersDownChecks } = notice('down');
    const names = othersDownChecks.map(({ name }) => name);
    const many = mail('down', { othersDown: { count: 1202, of: 5000, names } });
    const { channel, baseUrl } = notice('down');
    const list = `${baseUrl}/project/${channel.projectId}/checks?status=down`;
    expect(many.text).toContain(`\nAnd 1,200 more: ${list}\n`);
    expect(many.html).toMatch(new RegExp(`<a href="${list.replace('?', '\\?')}"[^>]*>And 1,200 more</a>`));
    const none = mail('down', { othersDown: { count: 0, of: 3, names: [] }, othersDownChecks: [] });
    expect(none.text).toContain('No other check of Acme is down.');
    const alone = mail('down', { othersDown: { count: 0, of: 0, names: [] }, othersDownChecks: [] });
    for (const part of [alone.text, alone.html]) expect(part).not.toContain('ther check');
  });
});

describe('the output', () => {
  test('has ten lines at most, its first errors and its end, so that the buttons are near', () => {
    const lines = Array.from({ length: 45 }, (_, n) => (n === 15 ? 'ERROR: no route' : `line ${n + 1}`));
    const { text, html } = mail('down', { ...failed, body: lines.join('\n') });
    const shown = '… 15 lines left out\nERROR: no route\n… 23 lines left out\nline 40\nline 41\n';
    expect(text).toContain(`Output:\n\n${shown}`);
    expect(html).toContain(shown.replace('ERROR: no route', '<b>ERROR: no route</b>'));
    const good = mail('up', {
      ...pingAt({ signal: 'success' }),
      cause: 'success',
      body: lines.join('\n'),
    }).text;
    expect(good).toContain('Output:\n\n… 36 lines left out\nline 37\n');
  });

  test('of one line without an end is short, too', () => {
    const { text } = mail('down', { ...failed, body: `${'ü'.repeat(50_000)}x` });
    expect(text).toMatch(/^ü{80} … ü{79}x$/m);
  });

  test.each(['success', 'warn'] as const)(
    'of a %s is left out where no ping, no run or no end came',
    (signal) => {
      const good = pingAt({ signal });
      for (const cause of ['timeout', 'update', 'missed', 'hung'] as const)
        expect(mail('down', { ...good, cause, body: 'copied 7 files' }).text).not.toContain('copied');
      expect(mail('up', { ...good, cause: 'success', body: 'copied 7 files' }).text).toContain('copied');
    },
  );

  test('that is blank is left out', () => {
    expect(mail('down', { ...failed, body: '\n' }).text).not.toContain('Output');
  });

  test('of a mail is its text; the mail is attached as it is kept, also when it could not be decoded', () => {
    const mailSource = Buffer.from('Subject: x\r\n\r\n\u00ff');
    const decoded = { subject: 'Backup failed', text: 'disk full' };
    const shown = mail('down', { ...failed, body: 'ignored', mail: decoded, mailSource });
    expect(shown.text).toContain('Email from the job: Backup failed:\nThe email is attached.\n\ndisk full\n');
    expect(shown.attachment).toEqual({ name: 'ping-7.eml', bytes: mailSource });
  });
});

describe('the reason why one gets it', () => {
  test('names the address and the check, and how often a reminder is sent', () => {
    const { channel } = notice('down');
    const settings = { ...defaultChannelSettings, repeatS: 7200 };
    const { text } = mail('down', { channel: { ...channel, settings } });
    expect(text).toContain('You get this because ops@example.org is an integration of Nightly backup.');
    expect(text).toContain('While it stays down, a reminder is sent every 2 hours.');
    expect(text).toContain(`Unsubscribe: ${unsubscribeUrl}`);
  });
});

test('nothing is loaded from anywhere, and nothing of others is markup', () => {
  const nasty = '"><img src=x onerror=alert(1)> <script>alert(1)</script>';
  const { html } = mail('down', {
    ...failed,
    body: nasty,
    project: { name: nasty },
    config: { name: nasty, tags: nasty, desc: nasty },
    othersDownChecks: [
      { name: nasty, url: 'https://knell.example.org/', lastPingMs: null, went: () => null },
    ],
  });
  expect(html).not.toMatch(/<img|<script|<link|@import|url\(/i);
});

describe('threads', () => {
  test('DOWN, its repetition and UP are in one, the next outage is in another', () => {
    const down = mail('down').thread;
    expect(down).not.toBeNull();
    expect(mail('down', { nowMs: atMs + hour }).thread).toBe(down);
    expect(mail('up', { atMs: atMs + hour, downtimeMs: hour }).thread).toBe(down);
    expect(mail('down', { atMs: atMs + 2 * hour }).thread).not.toBe(down);
  });

  test('a test and what is only late are in none', () => {
    expect(mail('late').thread).toBeNull();
    expect(mail('down', { test: true }).thread).toBeNull();
  });
});

test('an instant is written in the zone of the recipient, short when that is enough', () => {
  const nowMs = Date.UTC(2026, 10, 18, 1, 17, 14);
  expect(fullTime(nowMs, 'Europe/Berlin')).toBe('Wed 18 Nov 2026, 02:17:14');
  expect(fullTime(nowMs, 'No/Such_Zone')).toBe('Wed 18 Nov 2026, 01:17:14 UTC');
  expect(shortTime(nowMs, nowMs, 'Europe/Berlin')).toBe('02:17:14');
  expect(shortTime(nowMs - 3 * hour, nowMs, 'Europe/Berlin')).toBe('Tue 17 Nov, 23:17:14');
  expect(shortTime(nowMs - 365 * 24 * hour, nowMs, 'UTC')).toBe('Tue 18 Nov 2025, 01:17:14');
  expect(relativeText(nowMs + 5 * minute, nowMs)).toBe('in 5 min');
  expect(relativeText(nowMs, nowMs)).toBe('just now');
});
