/** The reason on the page behind the link of an alert, in the alert's words: out of mails that a real receiver got, on a simulated clock. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { Knell } from '../../../support/knell.ts';
import { eventually } from '../../../support/patience.ts';
import { MailReceiver } from '../../../support/wire/receivers.ts';

const clock = new SimulatedClock(Date.UTC(2026, 4, 4, 12));
const minute = 60_000;
let knell: Knell;
let inbox: MailReceiver;
let email = '';

beforeAll(async () => {
  inbox = await MailReceiver.start();
  knell = await Knell.start({ clock, env: { KNELL_MAIL_URL: inbox.url } });
  const args = { project: 'default', kind: 'email', name: 'ops', value: 'ops@example.org', checks: 'none' };
  email = ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
});

afterAll(async () => {
  await knell.stop();
  await inbox.stop();
});

const rid = (n: number): string => `?rid=8f7a3a4e-0000-4000-8000-00000000000${n}`;

interface Case {
  /** Settings of the check. */
  readonly spec?: object;
  /** Paths behind its ping URL, each a minute after the one before. */
  readonly pings: readonly string[];
  /** Minutes that pass then. */
  readonly minutes?: number;
  readonly reason: string;
}

test.each<[name: string, Case]>([
  ['a failure', { pings: ['/fail'], reason: 'The job reported a failure.' }],
  ['an exit status', { pings: ['/start', '/3'], reason: 'Exit status 3 after 1 min.' }],
  [
    'a failure, and a warning since',
    {
      spec: { exit_codes: '24=warning' },
      pings: ['/3', '/24'],
      reason: 'Exit status 3.',
    },
  ],
  [
    'a failure in the minute after a warning',
    { spec: { exit_codes: '24=warning' }, pings: ['/24', '/fail'], reason: 'The job reported a failure.' },
  ],
  ['silence', { pings: [''], minutes: 20, reason: 'No ping arrived in time.' }],
  [
    'a run without an end',
    {
      pings: ['', '/start'],
      minutes: 20,
      reason: 'Started 12:30 UTC, did not finish within the grace time.',
    },
  ],
  [
    'a run that hung',
    {
      spec: { max_runtime: 300 },
      pings: ['/start?host=db-1'],
      minutes: 8,
      reason: 'Hung for 3 min: started 12:51 UTC on db-1, may take 5 min.',
    },
  ],
  [
    'a machine that is missing',
    {
      spec: { hosts: 'db-1 db-2' },
      pings: ['?host=db-2', '/log', '/log', '/log', '?host=db-1'],
      minutes: 12,
      reason: 'db-2 has not reported; 1 of 2 have.',
    },
  ],
  [
    'runs that overlap',
    {
      spec: { overlap: 'fail' },
      pings: [`/start${rid(1)}`, `/start${rid(2)}`],
      reason: 'A run started while another was still in flight.',
    },
  ],
  [
    'a run that was too short',
    {
      spec: { min_runtime: 120 },
      pings: ['/start', ''],
      reason: 'The run took 1 min; it should take at least 2 min.',
    },
  ],
  ['a result', { spec: { results: 'files: below 1' }, pings: ['?m=files:0'], reason: 'files 0, below 1.' }],
])('of %s', async (name, { spec, pings, minutes = 0, reason }) => {
  const { uuid } = await knell.create({ name, timeout: 600, grace: 300, channels: email, ...spec });
  for (const path of pings) {
    await clock.advance(minute);
    await knell.request(`/ping/${uuid}${path}`, { method: 'POST' });
  }
  await clock.advance(minutes * minute);
  const { text } = await knell.request(await linkAbout(`DOWN | ${name}`));
  expect(/<p class="of">(.*?)<\/p>/.exec(text)?.[1]).toBe('Project default');
  expect(/<p class="reason">(.*?)<\/p>/.exec(text)?.[1]).toBe(reason);
});

/** Without the clock moving on by more than a moment: reasons count from now. */
function linkAbout(subject: string): Promise<string> {
  return eventually(async () => {
    await clock.advance(5);
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const mail = mails.findLast((one) => one.subject === subject);
    const [, path] = /^Acknowledge: https?:\/\/[^/]+(\S+)$/m.exec(mail?.text ?? '') ?? [];
    if (path === undefined) throw new Error(`no mail about ${subject} yet`);
    return path;
  });
}
