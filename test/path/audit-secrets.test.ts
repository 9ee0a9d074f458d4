/**
 * No secret is in the audit log: every field of every kind of integration, and every setting of the server that can be set on the
 * page, is changed twice, and its values are looked for wherever the audit log is shown.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelKinds, kinds } from '../../src/integrations/all.ts';
import type { FormField } from '../../src/integrations/contract/kind.ts';
import type { TextForm } from '../../src/integrations/contract/values.ts';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { ownerPage, type PageClient, projectIn } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { CommandRunner } from '../support/process/commands.ts';
import { PushBrowser } from '../support/wire/push-browser.ts';

/** In lower case and of letters and digits only: a part of every form of text. */
const secretMark = 'zqsecret';
const openMark = 'zqopen';

const ofForm: Readonly<Record<TextForm, (mark: string, round: number) => string>> = {
  url: (mark) => `https://${mark}.example.org`,
  slackHook: (mark) => `https://${mark}.example.org`,
  template: (mark) => `https://example.org/${mark}?of=$NAME`,
  word: (mark) => mark,
  ntfyTopic: (mark) => mark,
  mail: (mark) => `${mark}@example.org`,
  phone: (_mark, round) => `+4912345678${round}`,
  signal: (mark, round) => `${mark}.${round}`,
  room: (mark) => `!${mark}:example.org`,
  apprise: (mark) => `gotify://example.org/${mark}`,
  repo: (mark) => `owner/${mark}`,
  broker: (mark) => `mqtts://${mark}.example.org`,
  topic: (mark) => `knell/${mark}`,
  signing: (mark) => `whsec_${mark.padEnd(44, 'a')}`,
  pagerDutyKey: (mark) => mark.padEnd(32, 'a'),
  pushoverUser: (mark) => mark,
};

/** What is typed into the field in that round. */
function typed(
  { name, open, input, choices = [], part }: FormField,
  round: number,
  ids: readonly string[],
): string {
  const mark = `${open === true ? openMark : secretMark}${round}`;
  if (name === 'types') return round === 1 ? 'status' : 'status run';
  if (input === 'tick') return 'yes';
  if (input === 'number') return String(100 + round);
  if (input === 'headers') return `X-Token: ${mark}`;
  if (input === 'integrations') return ids.slice(0, round).join(',');
  if (input === 'browser') return PushBrowser.random().subscription(`https://${mark}.example.org/send`);
  if (choices.length > 0) return choices[round % choices.length]?.[0] ?? '';
  return part ? ofForm[part](mark, round) : mark;
}

/** Those that have an address in them, with a password. */
const settingTexts: Readonly<Record<string, string>> = {
  KNELL_PUSHOVER_SUBSCRIPTION_URL: 'https://pushover.net/subscribe/MARK',
  KNELL_MAIL_URL: 'smtp://me:MARK@mail.example.org:25',
  KNELL_MAIL_FROM: 'MARK@example.org',
  KNELL_TIME_ZONE: 'Europe/Riga',
  KNELL_WEBHOOK_ALLOW: '10.0.0.0/8',
  KNELL_ALERT_LINKS: 'off',
  KNELL_APPRISE_URL: 'https://MARK.example.org',
  KNELL_MATRIX_HOMESERVER: 'https://MARK.example.org',
  KNELL_SIGNAL_URL: 'https://MARK.example.org',
  KNELL_TELEGRAM_TOKEN: `12345:MARK${'x'.repeat(26)}`,
  KNELL_PUSHOVER_TOKEN: `MARK${'x'.repeat(21)}`,
  // Hexadecimal: they have no place for the mark.
  KNELL_TWILIO_ACCOUNT: `AC${'0123456789abcdef'.repeat(2)}`,
  KNELL_WHATSAPP_SERVICE: `MG${'0123456789abcdef'.repeat(2)}`,
  KNELL_WHATSAPP_DOWN_SID: `HX${'0123456789abcdef'.repeat(2)}`,
  KNELL_WHATSAPP_UP_SID: `HX${'0123456789abcdef'.repeat(2)}`,
};

let knell: Knell;
let page: PageClient;
let commands: CommandRunner;
let settings: readonly Json[] = [];

beforeAll(async () => {
  knell = await Knell.start();
  page = await ownerPage(knell);
  commands = CommandRunner.start();
  await changeIntegrations();
  await changeSettings();
});

afterAll(async () => {
  await commands?.stop();
  await knell?.stop();
});

async function changed(path: string, body: Json): Promise<Json> {
  const answer = await page.post(path, body);
  expect([path, JSON.stringify(body), answer.status, answer.text]).toEqual([
    ...[path, JSON.stringify(body)],
    expect.toSatisfy((status) => status === 200 || status === 201),
    expect.any(String),
  ]);
  return answer.json();
}

async function changeIntegrations(): Promise<void> {
  const path = `/web/in/${await projectIn(page)}/channels`;
  const ids: string[] = [];
  for (const kind of channelKinds) {
    const inRound = (round: number): Json =>
      Object.fromEntries(kinds[kind].form.fields.map((field) => [field.name, typed(field, round, ids)]));
    const { id } = await changed(path, { kind, name: kind, fields: inRound(1), checks: 'none' });
    await changed(`${path}/${id}`, { fields: inRound(2) });
    ids.push(id);
  }
  // What a form does not say: values that Healthchecks has stored, and an address with a password in it.
  const hook = (mark: string) =>
    JSON.stringify({ access_token: mark, incoming_webhook: { url: `https://example.org/${mark}` } });
  const noted = (mark: string) => JSON.stringify({ value: 'a@example.org', up: true, note: mark });
  for (const [kind, value] of [
    ['slack', hook],
    ['email', noted],
  ] as const) {
    const asked = { kind, name: 'imported', value: value(`${secretMark}3`), checks: 'none' };
    const { id } = await changed(path, asked);
    await changed(`${path}/${id}`, { value: value(`${secretMark}4`) });
  }
  const server = (url: string): Json => ({ topic: `${secretMark}5`, url, token: `${secretMark}6` });
  const ntfy = { kind: 'ntfy', name: 'server', fields: server(`https://a:${secretMark}7@example.org`) };
  const { id } = await changed(path, { ...ntfy, checks: 'none' });
  for (const url of [`https://b:${secretMark}8@example.org`, `https://example.org/?auth=${secretMark}9`])
    await changed(`${path}/${id}`, { fields: server(url) });
}

async function changeSettings(): Promise<void> {
  settings = (await page.get('/web/server-settings')).json().settings.filter((one: Json) => one.mayChange);
  for (const { variable, isSecret } of settings) {
    const mark = isSecret ? secretMark : openMark;
    for (const round of [1, 2]) {
      const value = (settingTexts[variable] ?? 'MARK').replace('MARK', `${mark}${round}`);
      await changed('/web/server-settings', { variable, value });
    }
    await changed('/web/server-settings', { variable, value: null });
  }
}

async function shownEntries(): Promise<Json[]> {
  const found: Json[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const { entries, next }: Json = (await page.get(`/web/audit?before=${before}`)).json();
    found.push(...entries);
    before = next;
  }
  return found;
}

async function printed(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await commands.run(args, { KNELL_DATA_DIR: knell.dataDir });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

async function overAdminApi(): Promise<string> {
  const created = await knell.app.admin({ command: 'admin-key create', args: { name: 'ci' } }, () => {});
  const { key } = created as { key: string };
  return (await knell.api('GET', '/api/admin/audit/list', undefined, key)).text;
}

async function inBrowser(): Promise<string> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext();
    const [name = '', value = ''] = page.cookie.split('=');
    await context.addCookies([{ name, value, url: knell.app.httpUrl }]);
    const tab = await context.newPage();
    tab.setDefaultTimeout(patienceMs);
    await tab.goto(`${knell.app.httpUrl}/audit`);
    const older = tab.getByRole('button', { name: 'Load older entries' });
    await tab.locator('.audit li').first().waitFor();
    for (let shown = 50; await older.isVisible(); shown += 50) {
      await older.click();
      await expect
        .poll(async () => !(await older.isVisible()) || (await tab.locator('.audit > li').count()) > shown)
        .toBe(true);
    }
    return await tab.content();
  } finally {
    await closeBrowser(browser);
  }
}

describe('of every field and setting', () => {
  test.each<[string, () => Promise<string>]>([
    ['what the page asks for', async () => JSON.stringify(await shownEntries())],
    ['the CSV export', async () => (await page.get('/web/audit.csv')).text],
    ['the export of JSON lines', async () => (await page.get('/web/audit.jsonl')).text],
    ['the admin API', overAdminApi],
    ['knell audit', () => printed('audit')],
    ['knell audit --json', () => printed('audit', '--json')],
  ])('%s has the values of open ones and no secret', async (_where, answer) => {
    const text = await answer();
    expect(text).toContain(`${openMark}2@example.org`);
    expect(text).toContain('KNELL_TELEGRAM_TOKEN');
    expect(text).not.toContain(secretMark);
  });

  test.skipIf(browserMissing !== '')('the page shows the values of open ones and no secret', async () => {
    const html = await inBrowser();
    expect(html).toContain(`${openMark}2@example.org`);
    expect(html).toContain('KNELL_TELEGRAM_TOKEN');
    expect(html).not.toContain(secretMark);
  });

  test('an integration has an entry that names each changed field, and its values if it is open', async () => {
    const entries = await shownEntries();
    for (const kind of channelKinds) {
      const { fields } = kinds[kind].form;
      const other = fields.filter((field) => typed(field, 1, ['a', 'b']) !== typed(field, 2, ['a', 'b']));
      const entry = entries.find(({ action, name }) => action === 'changed' && name === kind);
      expect([kind, entry.fields], kind).toEqual([kind, other.map(({ name }) => name)]);
      const open = other.filter((field) => field.open === true).map(({ name }) => name);
      expect([kind, entry.changes.map(({ field }: Json) => field)]).toEqual([kind, open]);
    }
  });

  test('a setting has its entries, with values unless they may be secret', async () => {
    const entries = await shownEntries();
    expect(settings.length).toBeGreaterThan(15);
    for (const { variable, isSecret } of settings) {
      const [reset, ...others] = entries.filter(({ name }) => name === variable);
      expect([variable, reset.action, others.length]).toEqual([variable, 'deleted', 2]);
      expect([variable, reset.changes.length]).toEqual([variable, isSecret ? 0 : 1]);
    }
  });

  test('no field that is named like a secret is called open', () => {
    const named = channelKinds.flatMap((kind) =>
      kinds[kind].form.fields.map(({ name, open }) => ({ kind, name, open })),
    );
    const like = named.filter(({ name }) =>
      /token|key|secret|password|^url_|^cmd_|^body_|^headers_/.test(name),
    );
    expect(like.length).toBeGreaterThan(10);
    expect(like.filter(({ open }) => open === true)).toEqual([]);
  });
});
